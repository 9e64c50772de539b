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

template <class T>
struct MatrixProductRule {
  /// The sum of the products of the elements of two matrices.
  static T inner_product(const BlasCalls<T> &blas, int m, int n, const T *one, int ld_one, const T *other,
                         int ld_other) {
    T sum = 0;
    for (int column = 0; column < n; ++column)
      sum += blas.dot(m, one + static_cast<std::ptrdiff_t>(column) * ld_one, 1,
                      other + static_cast<std::ptrdiff_t>(column) * ld_other, 1);
    return sum;
  }
  /// Columns that a matrix has in memory, and its rows.
  static std::size_t numbers_of(cublasOperation_t operation, int rows, int columns, int leading) {
    return operation == CUBLAS_OP_N ? extent_of_columns(rows, columns, leading)
                                    : extent_of_columns(columns, rows, leading);
  }

  static auto forward(const auto &config, auto handle, auto turned_a, auto turned_b, auto m, auto n, auto k, auto alpha,
                      auto a, auto lda, auto b, auto ldb, auto beta, auto c, auto ldc) {
    require_factors_of_host(handle.value);
    const BlasCalls<T> blas{handle.value};
    const auto set_product = [&](T factor, const T *one, const T *other, T keep, T *to) {
      blas.multiply(turned_a.value, turned_b.value, m.value, n.value, k.value, factor, one, lda.value, other, ldb.value,
                    keep, to, ldc.value);
    };
    for (const int lane : config.lanes()) {
      if (!c.is_active())
        continue;
      set_product(alpha.is_active() ? *alpha.shadow(lane) : T(0), a.value, b.value, *beta.value, c.shadow(lane));
      for (int column = 0; beta.is_active() && column < n.value; ++column) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(column) * ldc.value;
        blas.add(m.value, *beta.shadow(lane), c.value + at, 1, c.shadow(lane) + at, 1);
      }
      if (a.is_active())
        set_product(*alpha.value, a.shadow(lane), b.value, 1, c.shadow(lane));
      if (b.is_active())
        set_product(*alpha.value, a.value, b.shadow(lane), 1, c.shadow(lane));
    }
    return without_tangent(config, Blas<T>::gemm(handle.value, turned_a.value, turned_b.value, m.value, n.value,
                                                 k.value, alpha.value, a.value, lda.value, b.value, ldb.value,
                                                 beta.value, c.value, ldc.value));
  }

  static auto augmented_primal(const auto & /*config*/, auto handle, auto turned_a, auto turned_b, auto m, auto n,
                               auto k, auto alpha, auto a, auto lda, auto b, auto ldb, auto beta, auto c, auto ldc) {
    require_factors_of_host(handle.value);
    KeptOperands<T> operands;
    operands.alpha = *alpha.value;
    operands.beta = *beta.value;
    operands.a = kept_where((b.is_active() || alpha.is_active()) && a.overwritten(), handle.value, a.value,
                            numbers_of(turned_a.value, m.value, k.value, lda.value));
    operands.x = kept_where((a.is_active() || alpha.is_active()) && b.overwritten(), handle.value, b.value,
                            numbers_of(turned_b.value, k.value, n.value, ldb.value));
    operands.before =
        kept_where(beta.is_active(), handle.value, c.value, extent_of_columns(m.value, n.value, ldc.value));
    return AugmentedReturn{Blas<T>::gemm(handle.value, turned_a.value, turned_b.value, m.value, n.value, k.value,
                                         alpha.value, a.value, lda.value, b.value, ldb.value, beta.value, c.value,
                                         ldc.value),
                           None{}, std::move(operands)};
  }

  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/, auto turned_a,
                      auto turned_b, auto m, auto n, auto k, auto alpha, auto a, auto lda, auto b, auto ldb, auto beta,
                      auto c, auto ldc) {
    ::cudaDeviceSynchronize();
    const BlasCalls<T> blas{handle_of_reverse_sweep()};
    const T *left = operands.a.or_else(a.value), *right = operands.x.or_else(b.value);
    const cublasOperation_t op_a = turned_a.value, op_b = turned_b.value;
    for (const int lane : config.lanes()) {
      if (!c.is_active())
        continue;
      T *adjoint = c.shadow(lane);
      if (alpha.is_active()) {
        const DeviceNumbers<T> product(static_cast<std::size_t>(m.value) * static_cast<std::size_t>(n.value));
        blas.multiply(op_a, op_b, m.value, n.value, k.value, 1, left, lda.value, right, ldb.value, 0, product.get(),
                      m.value);
        *writable(alpha.shadow(lane)) +=
            inner_product(blas, m.value, n.value, product.get(), m.value, adjoint, ldc.value);
      }
      if (a.is_active() && op_a == CUBLAS_OP_N)
        blas.multiply(CUBLAS_OP_N, turned(op_b), m.value, k.value, n.value, operands.alpha, adjoint, ldc.value, right,
                      ldb.value, 1, writable(a.shadow(lane)), lda.value);
      else if (a.is_active())
        blas.multiply(op_b, CUBLAS_OP_T, k.value, m.value, n.value, operands.alpha, right, ldb.value, adjoint,
                      ldc.value, 1, writable(a.shadow(lane)), lda.value);
      if (b.is_active() && op_b == CUBLAS_OP_N)
        blas.multiply(turned(op_a), CUBLAS_OP_N, k.value, n.value, m.value, operands.alpha, left, lda.value, adjoint,
                      ldc.value, 1, writable(b.shadow(lane)), ldb.value);
      else if (b.is_active())
        blas.multiply(CUBLAS_OP_T, op_a, n.value, k.value, m.value, operands.alpha, adjoint, ldc.value, left, lda.value,
                      1, writable(b.shadow(lane)), ldb.value);
      if (beta.is_active())
        *writable(beta.shadow(lane)) +=
            inner_product(blas, m.value, n.value, operands.before.get(), ldc.value, adjoint, ldc.value);
      for (int column = 0; column < n.value; ++column)
        blas.scale(m.value, operands.beta, adjoint + static_cast<std::ptrdiff_t>(column) * ldc.value, 1);
    }
  }
};

} // namespace assay::rules::gpu
