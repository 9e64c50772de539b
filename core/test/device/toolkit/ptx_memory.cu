// Derivatives of asynchronous copies and other inline PTX on memory, with the toolkit's headers.
#include "cli/test/programs/ptx_kernels.cu"
#include <assay/gpu.hpp>

#define GRADIENT_OF(NAME)                                                                                              \
  __global__ void NAME##_gradient(const float *x, float *dx, float *y, float *dy, int n) {                             \
    assay::autodiff_deferred<assay::Reverse>(NAME##_body, assay::Duplicated{x, dx}, assay::Duplicated{y, dy},          \
                                             assay::Const{n});                                                         \
  }

GRADIENT_OF(staged_copies)
GRADIENT_OF(counted_addresses)
GRADIENT_OF(written_by_hand)
