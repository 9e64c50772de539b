#pragma once
// Rules of cuBLAS's products of matrices.

#include "assay/detail/gpu/cublas_calls.hpp"

namespace assay::rules::gpu {

template <class T>
struct MatrixVectorRule {
  static int columns_of(cublasOperation_t operation, int m, int n) { return operation == CUBLAS_OP_N ? n : m; }

  static auto forward(const auto &config, auto handle, auto operation, auto m, auto n, auto alpha, auto a, auto lda,
                      auto x, auto incx, auto beta, auto y, auto incy) {
    require_factors_of_host(handle.value);
    const BlasCalls<T> blas{handle.value};
    const auto add_product = [&](T factor, const T *matrix, const T *vector, T *to) {
      blas.multiply(operation.value, m.value, n.value, factor, matrix, lda.value, vector, incx.value, 1, to,
                    incy.value);
    };
    const int rows = columns_of(turned(operation.value), m.value, n.value);
    for (const int lane : config.lanes()) {
      if (!y.is_active())
        continue;
      blas.scale(rows, *beta.value, y.shadow(lane), incy.value);
      if (beta.is_active())
        blas.add(rows, *beta.shadow(lane), y.value, incy.value, y.shadow(lane), incy.value);
      if (alpha.is_active())
        add_product(*alpha.shadow(lane), a.value, x.value, y.shadow(lane));
      if (a.is_active())
        add_product(*alpha.value, a.shadow(lane), x.value, y.shadow(lane));
      if (x.is_active())
        add_product(*alpha.value, a.value, x.shadow(lane), y.shadow(lane));
    }
    return without_tangent(config, Blas<T>::gemv(handle.value, operation.value, m.value, n.value, alpha.value, a.value,
                                                 lda.value, x.value, incx.value, beta.value, y.value, incy.value));
  }

  static auto augmented_primal(const auto & /*config*/, auto handle, auto operation, auto m, auto n, auto alpha, auto a,
                               auto lda, auto x, auto incx, auto beta, auto y, auto incy) {
    require_factors_of_host(handle.value);
    KeptOperands<T> operands;
    operands.alpha = *alpha.value;
    operands.beta = *beta.value;
    const int columns = columns_of(operation.value, m.value, n.value),
              rows = columns_of(turned(operation.value), m.value, n.value);
    operands.a = kept_where((x.is_active() || alpha.is_active()) && a.overwritten(), handle.value, a.value,
                            extent_of_columns(m.value, n.value, lda.value));
    operands.x = kept_where((a.is_active() || alpha.is_active()) && x.overwritten(), handle.value, x.value,
                            extent(columns, incx.value));
    operands.before = kept_where(beta.is_active(), handle.value, y.value, extent(rows, incy.value));
    return AugmentedReturn{Blas<T>::gemv(handle.value, operation.value, m.value, n.value, alpha.value, a.value,
                                         lda.value, x.value, incx.value, beta.value, y.value, incy.value),
                           None{}, std::move(operands)};
  }

  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/,
                      auto operation, auto m, auto n, auto alpha, auto a, auto lda, auto x, auto incx, auto beta,
                      auto y, auto incy) {
    ::cudaDeviceSynchronize();
    const BlasCalls<T> blas{handle_of_reverse_sweep()};
    const int rows = columns_of(turned(operation.value), m.value, n.value);
    const T *matrix = operands.a.or_else(a.value), *vector = operands.x.or_else(x.value);
    for (const int lane : config.lanes()) {
      if (!y.is_active())
        continue;
      T *adjoint = y.shadow(lane);
      if (alpha.is_active()) {
        const DeviceNumbers<T> product(static_cast<std::size_t>(rows));
        blas.multiply(operation.value, m.value, n.value, 1, matrix, lda.value, vector, incx.value, 0, product.get(), 1);
        *writable(alpha.shadow(lane)) += blas.dot(rows, product.get(), 1, adjoint, incy.value);
      }
      if (a.is_active() && operation.value == CUBLAS_OP_N)
        blas.add_outer(m.value, n.value, operands.alpha, adjoint, incy.value, vector, incx.value,
                       writable(a.shadow(lane)), lda.value);
      else if (a.is_active())
        blas.add_outer(m.value, n.value, operands.alpha, vector, incx.value, adjoint, incy.value,
                       writable(a.shadow(lane)), lda.value);
      if (x.is_active())
        blas.multiply(turned(operation.value), m.value, n.value, operands.alpha, matrix, lda.value, adjoint, incy.value,
                      1, writable(x.shadow(lane)), incx.value);
      if (beta.is_active())
        *writable(beta.shadow(lane)) += blas.dot(rows, operands.before.get(), incy.value, adjoint, incy.value);
      blas.scale(rows, operands.beta, adjoint, incy.value);
    }
  }
};

} // namespace assay::rules::gpu
