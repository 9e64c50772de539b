#pragma once
// The rule of products of matrices that lists of pointers on the device name.

#include "assay/detail/gpu/cublas_products.hpp"
#include <cstddef>
#include <utility>
#include <vector>

namespace assay::rules::gpu {

/// One product after the other: several may read one matrix, whose adjoint is the sum.
template <class T>
struct ListedProductsRule {
  using Matrices = std::vector<T *>;

  /// A list of the device's.
  static Matrices read(const T *const *list, int products) {
    Matrices matrices(static_cast<std::size_t>(products > 0 ? products : 0));
    ::cudaMemcpy(static_cast<void *>(matrices.data()), static_cast<const void *>(list), matrices.size() * sizeof(T *),
                 cudaMemcpyDeviceToHost);
    return matrices;
  }
  /// Null for matrices that have no shadow: constant memory is its own.
  static Matrices shadows_in(auto &argument, int lane, const Matrices &matrices) {
    if (!argument.is_active())
      return Matrices(matrices.size());
    Matrices shadows = read(argument.shadow(lane), static_cast<int>(matrices.size()));
    for (std::size_t i = 0; i < shadows.size(); ++i)
      shadows[i] = shadows[i] == matrices[i] ? nullptr : shadows[i];
    return shadows;
  }

  /// The lists of a call.
  struct Lists {
    Matrices a, b, c;
  };
  static Lists shadows_of(int lane, const Lists &lists, auto &a, auto &b, auto &c) {
    return {shadows_in(a, lane, lists.a), shadows_in(b, lane, lists.b), shadows_in(c, lane, lists.c)};
  }

  static auto forward(const auto &config, auto handle, auto op_a, auto op_b, auto m, auto n, auto k, auto alpha, auto a,
                      auto lda, auto b, auto ldb, auto beta, auto c, auto ldc, auto products) {
    require_factors_of_host(handle.value);
    ::cudaDeviceSynchronize();
    const auto one =
        MatrixProductRule<T>::product(handle.value, op_a, op_b, m, n, k, lda, ldb, ldc, *alpha.value, *beta.value);
    const Lists lists{read(a.value, products.value), read(b.value, products.value), read(c.value, products.value)};
    for (const int lane : config.lanes()) {
      const Lists tangents = shadows_of(lane, lists, a, b, c);
      for (std::size_t i = 0; i < lists.c.size(); ++i)
        if (tangents.c[i])
          one.tangent(lists.a[i], lists.b[i], lists.c[i], tangents.a[i], tangents.b[i], tangents.c[i],
                      shadow_or_null(alpha, lane), shadow_or_null(beta, lane));
    }
    return without_tangent(config, Blas<T>::gemm_of_list(handle.value, op_a.value, op_b.value, m.value, n.value,
                                                         k.value, alpha.value, a.value, lda.value, b.value, ldb.value,
                                                         beta.value, c.value, ldc.value, products.value));
  }

  struct Tape {
    std::vector<Lists> shadows; ///< One for each lane.
    std::vector<KeptOperands<T>> operands;
  };

  static auto augmented_primal(const auto &config, auto handle, auto op_a, auto op_b, auto m, auto n, auto k,
                               auto alpha, auto a, auto lda, auto b, auto ldb, auto beta, auto c, auto ldc,
                               auto products) {
    require_factors_of_host(handle.value);
    ::cudaDeviceSynchronize();
    const auto one =
        MatrixProductRule<T>::product(handle.value, op_a, op_b, m, n, k, lda, ldb, ldc, *alpha.value, *beta.value);
    const Lists lists{read(a.value, products.value), read(b.value, products.value), read(c.value, products.value)};
    Tape tape;
    for (const int lane : config.lanes())
      tape.shadows.push_back(shadows_of(lane, lists, a, b, c));
    // The matrices' numbers may change though the lists do not.
    for (std::size_t i = 0; i < lists.c.size(); ++i) {
      KeptOperands<T> operands;
      operands.alpha = one.alpha;
      operands.beta = one.beta;
      operands.a = kept(handle.value, static_cast<const T *>(lists.a[i]), one.numbers_of_a());
      operands.x = kept(handle.value, static_cast<const T *>(lists.b[i]), one.numbers_of_b());
      operands.before =
          kept_where(beta.is_active(), handle.value, static_cast<const T *>(lists.c[i]), one.numbers_of_c());
      tape.operands.push_back(std::move(operands));
    }
    return AugmentedReturn{Blas<T>::gemm_of_list(handle.value, op_a.value, op_b.value, m.value, n.value, k.value,
                                                 alpha.value, a.value, lda.value, b.value, ldb.value, beta.value,
                                                 c.value, ldc.value, products.value),
                           None{}, std::move(tape)};
  }

  static void reverse(const auto &config, const auto & /*status*/, const auto &tape, auto /*handle*/, auto op_a,
                      auto op_b, auto m, auto n, auto k, auto alpha, auto /*a*/, auto lda, auto /*b*/, auto ldb,
                      auto beta, auto /*c*/, auto ldc, auto /*products*/) {
    ::cudaDeviceSynchronize();
    for (std::size_t i = 0; i < tape.operands.size(); ++i) {
      const KeptOperands<T> &operands = tape.operands[i];
      const auto one = MatrixProductRule<T>::product(handle_of_reverse_sweep(), op_a, op_b, m, n, k, lda, ldb, ldc,
                                                     operands.alpha, operands.beta);
      for (const int lane : config.lanes()) {
        const Lists &shadows = tape.shadows[static_cast<std::size_t>(lane)];
        if (shadows.c[i])
          one.adjoint(operands.a.get(), operands.x.get(), operands.before.get(), shadows.a[i], shadows.b[i],
                      shadows.c[i], writable<T>(shadow_or_null(alpha, lane)), writable<T>(shadow_or_null(beta, lane)));
      }
    }
  }
};

} // namespace assay::rules::gpu
