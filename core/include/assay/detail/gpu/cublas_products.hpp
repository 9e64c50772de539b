#pragma once
// Rules of cuBLAS's products of matrices: of two matrices, and of two rows of them.

#include "assay/detail/gpu/cublas_calls.hpp"
#include <cstddef>
#include <utility>

namespace assay::rules::gpu {

/// C = alpha op(A) op(B) + beta C, and its derivatives.
template <class T>
struct MatrixProduct {
  BlasCalls<T> blas;
  cublasOperation_t op_a, op_b;
  int m, n, k, lda, ldb, ldc;
  T alpha, beta;

  /// Numbers from the first to the last of a matrix in memory.
  static std::size_t numbers_of(cublasOperation_t operation, int rows, int columns, int leading) {
    return operation == CUBLAS_OP_N ? extent_of_columns(rows, columns, leading)
                                    : extent_of_columns(columns, rows, leading);
  }
  std::size_t numbers_of_a() const { return numbers_of(op_a, m, k, lda); }
  std::size_t numbers_of_b() const { return numbers_of(op_b, k, n, ldb); }
  std::size_t numbers_of_c() const { return extent_of_columns(m, n, ldc); }

  /// Without a shadow, null.
  void tangent(const T *a, const T *b, const T *c, const T *da, const T *db, T *dc, const T *d_alpha,
               const T *d_beta) const {
    set(d_alpha ? *d_alpha : T(0), a, b, beta, dc);
    for (int column = 0; d_beta && column < n; ++column)
      blas.add(m, *d_beta, c + at(column), 1, dc + at(column), 1);
    if (da)
      set(alpha, da, b, 1, dc);
    if (db)
      set(alpha, a, db, 1, dc);
  }

  /// `before`: the earlier C.
  void adjoint(const T *a, const T *b, const T *before, T *da, T *db, T *dc, T *d_alpha, T *d_beta) const {
    if (d_alpha) {
      const DeviceNumbers<T> product(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
      blas.multiply(op_a, op_b, m, n, k, 1, a, lda, b, ldb, 0, product.get(), m);
      *d_alpha += inner_product(product.get(), m, dc);
    }
    if (da && op_a == CUBLAS_OP_N)
      blas.multiply(CUBLAS_OP_N, turned(op_b), m, k, n, alpha, dc, ldc, b, ldb, 1, da, lda);
    else if (da)
      blas.multiply(op_b, CUBLAS_OP_T, k, m, n, alpha, b, ldb, dc, ldc, 1, da, lda);
    if (db && op_b == CUBLAS_OP_N)
      blas.multiply(turned(op_a), CUBLAS_OP_N, k, n, m, alpha, a, lda, dc, ldc, 1, db, ldb);
    else if (db)
      blas.multiply(CUBLAS_OP_T, op_a, n, k, m, alpha, dc, ldc, a, lda, 1, db, ldb);
    if (d_beta)
      *d_beta += inner_product(before, ldc, dc);
    for (int column = 0; column < n; ++column)
      blas.scale(m, beta, dc + at(column), 1);
  }

private:
  std::ptrdiff_t at(int column) const { return static_cast<std::ptrdiff_t>(column) * ldc; }
  void set(T factor, const T *one, const T *other, T keep, T *to) const {
    blas.multiply(op_a, op_b, m, n, k, factor, one, lda, other, ldb, keep, to, ldc);
  }
  /// The sum of the products of the elements of a matrix and C's adjoint.
  T inner_product(const T *one, int leading, const T *dc) const {
    T sum = 0;
    for (int column = 0; column < n; ++column)
      sum += blas.dot(m, one + static_cast<std::ptrdiff_t>(column) * leading, 1, dc + at(column), 1);
    return sum;
  }
};

/// Null where an argument has none.
auto shadow_or_null(auto &argument, int lane) {
  return argument.is_active() ? argument.shadow(lane) : nullptr;
}

template <class T>
struct MatrixProductRule {
  static MatrixProduct<T> product(cublasHandle_t handle, auto &op_a, auto &op_b, auto &m, auto &n, auto &k, auto &lda,
                                  auto &ldb, auto &ldc, T alpha, T beta) {
    return {{handle}, op_a.value, op_b.value, m.value, n.value, k.value, lda.value, ldb.value, ldc.value, alpha, beta};
  }

  static auto forward(const auto &config, auto handle, auto op_a, auto op_b, auto m, auto n, auto k, auto alpha, auto a,
                      auto lda, auto b, auto ldb, auto beta, auto c, auto ldc) {
    require_factors_of_host(handle.value);
    const auto one = product(handle.value, op_a, op_b, m, n, k, lda, ldb, ldc, *alpha.value, *beta.value);
    for (const int lane : config.lanes())
      if (c.is_active())
        one.tangent(a.value, b.value, c.value, shadow_or_null(a, lane), shadow_or_null(b, lane), c.shadow(lane),
                    shadow_or_null(alpha, lane), shadow_or_null(beta, lane));
    return without_tangent(config,
                           Blas<T>::gemm(handle.value, op_a.value, op_b.value, m.value, n.value, k.value, alpha.value,
                                         a.value, lda.value, b.value, ldb.value, beta.value, c.value, ldc.value));
  }

  static auto augmented_primal(const auto & /*config*/, auto handle, auto op_a, auto op_b, auto m, auto n, auto k,
                               auto alpha, auto a, auto lda, auto b, auto ldb, auto beta, auto c, auto ldc) {
    require_factors_of_host(handle.value);
    const auto one = product(handle.value, op_a, op_b, m, n, k, lda, ldb, ldc, *alpha.value, *beta.value);
    KeptOperands<T> operands;
    operands.alpha = one.alpha;
    operands.beta = one.beta;
    operands.a =
        kept_where((b.is_active() || alpha.is_active()) && a.overwritten(), handle.value, a.value, one.numbers_of_a());
    operands.x =
        kept_where((a.is_active() || alpha.is_active()) && b.overwritten(), handle.value, b.value, one.numbers_of_b());
    operands.before = kept_where(beta.is_active(), handle.value, c.value, one.numbers_of_c());
    return AugmentedReturn{Blas<T>::gemm(handle.value, op_a.value, op_b.value, m.value, n.value, k.value, alpha.value,
                                         a.value, lda.value, b.value, ldb.value, beta.value, c.value, ldc.value),
                           None{}, std::move(operands)};
  }

  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/, auto op_a,
                      auto op_b, auto m, auto n, auto k, auto alpha, auto a, auto lda, auto b, auto ldb, auto beta,
                      auto c, auto ldc) {
    ::cudaDeviceSynchronize();
    const auto one =
        product(handle_of_reverse_sweep(), op_a, op_b, m, n, k, lda, ldb, ldc, operands.alpha, operands.beta);
    for (const int lane : config.lanes())
      if (c.is_active())
        one.adjoint(operands.a.or_else(a.value), operands.x.or_else(b.value), operands.before.get(),
                    writable<T>(shadow_or_null(a, lane)), writable<T>(shadow_or_null(b, lane)), c.shadow(lane),
                    writable<T>(shadow_or_null(alpha, lane)), writable<T>(shadow_or_null(beta, lane)));
  }
};

/// Where the matrix of a product lies in a row of matrices; in a row without a distance all are one.
template <class T>
T *in_row(T *first, long long distance, int product) {
  return first ? first + distance * product : nullptr;
}

/// One product after the other: several may read one matrix, whose adjoint is the sum.
template <class T>
struct MatrixProductsRule {
  static std::size_t numbers_of_row(std::size_t numbers, long long distance, int products) {
    return products > 0 ? numbers + static_cast<std::size_t>(distance) * static_cast<std::size_t>(products - 1) : 0;
  }

  static auto forward(const auto &config, auto handle, auto op_a, auto op_b, auto m, auto n, auto k, auto alpha, auto a,
                      auto lda, auto step_a, auto b, auto ldb, auto step_b, auto beta, auto c, auto ldc, auto step_c,
                      auto products) {
    require_factors_of_host(handle.value);
    const auto one =
        MatrixProductRule<T>::product(handle.value, op_a, op_b, m, n, k, lda, ldb, ldc, *alpha.value, *beta.value);
    for (const int lane : config.lanes())
      for (int i = 0; c.is_active() && i < products.value; ++i)
        one.tangent(in_row(a.value, step_a.value, i), in_row(b.value, step_b.value, i),
                    in_row(static_cast<const T *>(c.value), step_c.value, i),
                    in_row(shadow_or_null(a, lane), step_a.value, i), in_row(shadow_or_null(b, lane), step_b.value, i),
                    in_row(c.shadow(lane), step_c.value, i), shadow_or_null(alpha, lane), shadow_or_null(beta, lane));
    return without_tangent(config, Blas<T>::gemm_of_rows(handle.value, op_a.value, op_b.value, m.value, n.value,
                                                         k.value, alpha.value, a.value, lda.value, step_a.value,
                                                         b.value, ldb.value, step_b.value, beta.value, c.value,
                                                         ldc.value, step_c.value, products.value));
  }

  static auto augmented_primal(const auto & /*config*/, auto handle, auto op_a, auto op_b, auto m, auto n, auto k,
                               auto alpha, auto a, auto lda, auto step_a, auto b, auto ldb, auto step_b, auto beta,
                               auto c, auto ldc, auto step_c, auto products) {
    require_factors_of_host(handle.value);
    const auto one =
        MatrixProductRule<T>::product(handle.value, op_a, op_b, m, n, k, lda, ldb, ldc, *alpha.value, *beta.value);
    KeptOperands<T> operands;
    operands.alpha = one.alpha;
    operands.beta = one.beta;
    operands.a = kept_where((b.is_active() || alpha.is_active()) && a.overwritten(), handle.value, a.value,
                            numbers_of_row(one.numbers_of_a(), step_a.value, products.value));
    operands.x = kept_where((a.is_active() || alpha.is_active()) && b.overwritten(), handle.value, b.value,
                            numbers_of_row(one.numbers_of_b(), step_b.value, products.value));
    operands.before = kept_where(beta.is_active(), handle.value, c.value,
                                 numbers_of_row(one.numbers_of_c(), step_c.value, products.value));
    return AugmentedReturn{Blas<T>::gemm_of_rows(handle.value, op_a.value, op_b.value, m.value, n.value, k.value,
                                                 alpha.value, a.value, lda.value, step_a.value, b.value, ldb.value,
                                                 step_b.value, beta.value, c.value, ldc.value, step_c.value,
                                                 products.value),
                           None{}, std::move(operands)};
  }

  static void reverse(const auto &config, const auto & /*status*/, const auto &operands, auto /*handle*/, auto op_a,
                      auto op_b, auto m, auto n, auto k, auto alpha, auto a, auto lda, auto step_a, auto b, auto ldb,
                      auto step_b, auto beta, auto c, auto ldc, auto step_c, auto products) {
    ::cudaDeviceSynchronize();
    const auto one = MatrixProductRule<T>::product(handle_of_reverse_sweep(), op_a, op_b, m, n, k, lda, ldb, ldc,
                                                   operands.alpha, operands.beta);
    for (const int lane : config.lanes())
      for (int i = 0; c.is_active() && i < products.value; ++i)
        one.adjoint(
            in_row(operands.a.or_else(a.value), step_a.value, i), in_row(operands.x.or_else(b.value), step_b.value, i),
            in_row(operands.before.get(), step_c.value, i),
            in_row(writable<T>(shadow_or_null(a, lane)), step_a.value, i),
            in_row(writable<T>(shadow_or_null(b, lane)), step_b.value, i), in_row(c.shadow(lane), step_c.value, i),
            writable<T>(shadow_or_null(alpha, lane)), writable<T>(shadow_or_null(beta, lane)));
  }
};

} // namespace assay::rules::gpu
