#pragma once
// Rules of cuBLAS's functions of vectors.

#include "assay/detail/gpu/cublas_calls.hpp"

namespace assay::rules::gpu {

// ---- products and lengths

template <class T>
struct DotRule {
  static auto forward(const auto &config, auto handle, auto n, auto x, auto incx, auto y, auto incy, auto result) {
    require_factors_of_host(handle.value);
    const BlasCalls<T> blas{handle.value};
    for (const int lane : config.lanes()) {
      T tangent = 0;
      if (x.is_active())
        tangent += blas.dot(n.value, x.shadow(lane), incx.value, y.value, incy.value);
      if (y.is_active())
        tangent += blas.dot(n.value, x.value, incx.value, y.shadow(lane), incy.value);
      if (result.is_active())
        *result.shadow(lane) = tangent;
    }
    return without_tangent(config,
                           Blas<T>::dot(handle.value, n.value, x.value, incx.value, y.value, incy.value, result.value));
  }
  static auto augmented_primal(const auto & /*config*/, auto handle, auto n, auto x, auto incx, auto y, auto incy,
                               auto result) {
    require_factors_of_host(handle.value);
    KeptOperands<T> operands;
    operands.a = kept_where(y.is_active() && x.overwritten(), handle.value, x.value, extent(n.value, incx.value));
    operands.x = kept_where(x.is_active() && y.overwritten(), handle.value, y.value, extent(n.value, incy.value));
    return AugmentedReturn{Blas<T>::dot(handle.value, n.value, x.value, incx.value, y.value, incy.value, result.value),
                           None{}, std::move(operands)};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/, auto n,
                      auto x, auto incx, auto y, auto incy, auto result) {
    ::cudaDeviceSynchronize();
    const BlasCalls<T> blas{handle_of_reverse_sweep()};
    for (const int lane : config.lanes()) {
      if (!result.is_active())
        continue;
      const T adjoint = std::exchange(*result.shadow(lane), T(0));
      if (x.is_active())
        blas.add(n.value, adjoint, operands.x.or_else(y.value), incy.value, writable(x.shadow(lane)), incx.value);
      if (y.is_active())
        blas.add(n.value, adjoint, operands.a.or_else(x.value), incx.value, writable(y.shadow(lane)), incy.value);
    }
  }
};

template <class T>
struct LengthRule {
  static auto forward(const auto &config, auto handle, auto n, auto x, auto incx, auto result) {
    require_factors_of_host(handle.value);
    const auto status = Blas<T>::nrm2(handle.value, n.value, x.value, incx.value, result.value);
    const BlasCalls<T> blas{handle.value};
    for (const int lane : config.lanes())
      if (result.is_active())
        *result.shadow(lane) = x.is_active() && *result.value != 0
                                   ? blas.dot(n.value, x.value, incx.value, x.shadow(lane), incx.value) / *result.value
                                   : T(0);
    return without_tangent(config, status);
  }
  static auto augmented_primal(const auto & /*config*/, auto handle, auto n, auto x, auto incx, auto result) {
    require_factors_of_host(handle.value);
    KeptOperands<T> operands;
    operands.x = kept_where(x.is_active() && x.overwritten(), handle.value, x.value, extent(n.value, incx.value));
    const auto status = Blas<T>::nrm2(handle.value, n.value, x.value, incx.value, result.value);
    operands.alpha = *result.value;
    return AugmentedReturn{status, None{}, std::move(operands)};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/, auto n,
                      auto x, auto incx, auto result) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes()) {
      if (!result.is_active())
        continue;
      const T adjoint = std::exchange(*result.shadow(lane), T(0));
      if (x.is_active() && operands.alpha != 0)
        BlasCalls<T>{handle_of_reverse_sweep()}.add(n.value, adjoint / operands.alpha, operands.x.or_else(x.value),
                                                    incx.value, writable(x.shadow(lane)), incx.value);
    }
  }
};

// ---- vectors that change

template <class T>
struct AddRule {
  static auto forward(const auto &config, auto handle, auto n, auto alpha, auto x, auto incx, auto y, auto incy) {
    require_factors_of_host(handle.value);
    const BlasCalls<T> blas{handle.value};
    for (const int lane : config.lanes()) {
      if (y.is_active() && x.is_active())
        blas.add(n.value, *alpha.value, x.shadow(lane), incx.value, y.shadow(lane), incy.value);
      if (y.is_active() && alpha.is_active())
        blas.add(n.value, *alpha.shadow(lane), x.value, incx.value, y.shadow(lane), incy.value);
    }
    return without_tangent(config,
                           Blas<T>::axpy(handle.value, n.value, alpha.value, x.value, incx.value, y.value, incy.value));
  }
  static auto augmented_primal(const auto & /*config*/, auto handle, auto n, auto alpha, auto x, auto incx, auto y,
                               auto incy) {
    require_factors_of_host(handle.value);
    KeptOperands<T> operands;
    operands.alpha = *alpha.value;
    operands.x = kept_where(alpha.is_active() && x.overwritten(), handle.value, x.value, extent(n.value, incx.value));
    return AugmentedReturn{Blas<T>::axpy(handle.value, n.value, alpha.value, x.value, incx.value, y.value, incy.value),
                           None{}, std::move(operands)};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/, auto n,
                      auto alpha, auto x, auto incx, auto y, auto incy) {
    ::cudaDeviceSynchronize();
    const BlasCalls<T> blas{handle_of_reverse_sweep()};
    for (const int lane : config.lanes()) {
      if (y.is_active() && alpha.is_active())
        *writable(alpha.shadow(lane)) +=
            blas.dot(n.value, operands.x.or_else(x.value), incx.value, y.shadow(lane), incy.value);
      if (y.is_active() && x.is_active())
        blas.add(n.value, operands.alpha, y.shadow(lane), incy.value, writable(x.shadow(lane)), incx.value);
    }
  }
};

template <class T>
struct ScaleRule {
  static auto forward(const auto &config, auto handle, auto n, auto alpha, auto x, auto incx) {
    require_factors_of_host(handle.value);
    const BlasCalls<T> blas{handle.value};
    for (const int lane : config.lanes()) {
      if (!x.is_active())
        continue;
      blas.scale(n.value, *alpha.value, x.shadow(lane), incx.value);
      if (alpha.is_active())
        blas.add(n.value, *alpha.shadow(lane), x.value, incx.value, x.shadow(lane), incx.value);
    }
    return without_tangent(config, Blas<T>::scal(handle.value, n.value, alpha.value, x.value, incx.value));
  }
  static auto augmented_primal(const auto & /*config*/, auto handle, auto n, auto alpha, auto x, auto incx) {
    require_factors_of_host(handle.value);
    KeptOperands<T> operands;
    operands.alpha = *alpha.value;
    operands.before = kept_where(alpha.is_active(), handle.value, x.value, extent(n.value, incx.value));
    return AugmentedReturn{Blas<T>::scal(handle.value, n.value, alpha.value, x.value, incx.value), None{},
                           std::move(operands)};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/, auto n,
                      auto alpha, auto x, auto incx) {
    ::cudaDeviceSynchronize();
    const BlasCalls<T> blas{handle_of_reverse_sweep()};
    for (const int lane : config.lanes()) {
      if (!x.is_active())
        continue;
      if (alpha.is_active())
        *writable(alpha.shadow(lane)) +=
            blas.dot(n.value, operands.before.get(), incx.value, x.shadow(lane), incx.value);
      blas.scale(n.value, operands.alpha, x.shadow(lane), incx.value);
    }
  }
};

template <class T>
struct CopyVectorRule {
  static auto forward(const auto &config, auto handle, auto n, auto x, auto incx, auto y, auto incy) {
    require_factors_of_host(handle.value);
    const BlasCalls<T> blas{handle.value};
    for (const int lane : config.lanes()) {
      if (y.is_active() && x.is_active())
        blas.copy(n.value, x.shadow(lane), incx.value, y.shadow(lane), incy.value);
      else if (y.is_active())
        blas.scale(n.value, 0, y.shadow(lane), incy.value);
    }
    return without_tangent(config, Blas<T>::copy(handle.value, n.value, x.value, incx.value, y.value, incy.value));
  }
  static auto augmented_primal(const auto & /*config*/, auto handle, auto n, auto x, auto incx, auto y, auto incy) {
    return AugmentedReturn{Blas<T>::copy(handle.value, n.value, x.value, incx.value, y.value, incy.value), None{},
                           None{}};
  }
  static void reverse(const auto &config, const auto & /*status*/, None /*tape*/, auto /*handle*/, auto n, auto x,
                      auto incx, auto y, auto incy) {
    ::cudaDeviceSynchronize();
    const BlasCalls<T> blas{handle_of_reverse_sweep()};
    for (const int lane : config.lanes()) {
      if (y.is_active() && x.is_active())
        blas.add(n.value, 1, y.shadow(lane), incy.value, writable(x.shadow(lane)), incx.value);
      if (y.is_active())
        blas.scale(n.value, 0, y.shadow(lane), incy.value);
    }
  }
};

} // namespace assay::rules::gpu
