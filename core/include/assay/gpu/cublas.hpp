#pragma once
// Derivatives of calls of cuBLAS in code of the host: dot, nrm2, axpy, scal, copy, gemv, gemm, gemmStridedBatched and
// gemmBatched of float and double, by calls of cuBLAS.
//
//   #include <assay/autodiff.hpp>
//   #include <assay/gpu/cublas.hpp>
//
//   void layer(cublasHandle_t handle, const double *weights, const double *x, double *y, int n) {
//     const double one = 1, zero = 0;
//     cublasDgemv(handle, CUBLAS_OP_N, n, n, &one, weights, n, x, 1, &zero, y, 1);
//   }
//   autodiff<Reverse>(layer, Const{handle}, Duplicated{weights, d_weights}, Duplicated{x, d_x}, Duplicated{y, d_y},
//   Const{n});
//
// Factors and results lie in memory of the host (CUBLAS_POINTER_MODE_HOST); with the other mode the program stops with
// a message. Operands that are overwritten before the reverse sweep are copied on the device. The adjoint of nrm2 at
// zero is zero. The reverse sweep waits for the device at each call.

#include "assay/detail/gpu/cublas_matrices.hpp"
#include "assay/detail/gpu/cublas_product_lists.hpp"
#include "assay/detail/gpu/cublas_products.hpp"
#include "assay/detail/gpu/cublas_vectors.hpp"

#ifndef __CUDA_ARCH__
namespace assay::rules::gpu {
ASSAY_RULE(DotRule<float>, ::cublasSdot_v2);
ASSAY_RULE(DotRule<double>, ::cublasDdot_v2);
ASSAY_RULE(LengthRule<float>, ::cublasSnrm2_v2);
ASSAY_RULE(LengthRule<double>, ::cublasDnrm2_v2);
ASSAY_RULE(AddRule<float>, ::cublasSaxpy_v2);
ASSAY_RULE(AddRule<double>, ::cublasDaxpy_v2);
ASSAY_RULE(ScaleRule<float>, ::cublasSscal_v2);
ASSAY_RULE(ScaleRule<double>, ::cublasDscal_v2);
ASSAY_RULE(CopyVectorRule<float>, ::cublasScopy_v2);
ASSAY_RULE(CopyVectorRule<double>, ::cublasDcopy_v2);
ASSAY_RULE(MatrixVectorRule<float>, ::cublasSgemv_v2);
ASSAY_RULE(MatrixVectorRule<double>, ::cublasDgemv_v2);
ASSAY_RULE(MatrixProductRule<float>, ::cublasSgemm_v2);
ASSAY_RULE(MatrixProductRule<double>, ::cublasDgemm_v2);
ASSAY_RULE(MatrixProductsRule<float>, ::cublasSgemmStridedBatched);
ASSAY_RULE(MatrixProductsRule<double>, ::cublasDgemmStridedBatched);
ASSAY_RULE(ListedProductsRule<float>, ::cublasSgemmBatched);
ASSAY_RULE(ListedProductsRule<double>, ::cublasDgemmBatched);
[[maybe_unused]] static void *__enzyme_inactivefn_cublas[] = {
    reinterpret_cast<void *>(::cublasCreate_v2),    reinterpret_cast<void *>(::cublasDestroy_v2),
    reinterpret_cast<void *>(::cublasSetStream_v2), reinterpret_cast<void *>(::cublasSetPointerMode_v2),
    reinterpret_cast<void *>(::cublasGetStream_v2), reinterpret_cast<void *>(::cublasGetPointerMode_v2)};
} // namespace assay::rules::gpu
#endif
