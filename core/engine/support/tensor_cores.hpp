#pragma once
// Products of matrices that lie in the registers of a warp. They have no derivatives; the error says so.

#include "llvm/ADT/StringRef.h"

namespace assay::engine {

/// True for loads, products and stores of such matrices.
inline bool is_of_tensor_cores(llvm::StringRef intrinsic) {
  return intrinsic.consume_front("llvm.nvvm.") &&
         (intrinsic.starts_with("wmma.") || intrinsic.starts_with("mma.") || intrinsic.starts_with("ldmatrix.") ||
          intrinsic.starts_with("stmatrix.") || intrinsic.starts_with("wgmma.") || intrinsic.starts_with("tcgen05."));
}

inline constexpr const char *tensor_core_reason = "products of matrices on tensor cores have no derivative";
inline constexpr const char *tensor_core_remedy =
    "multiply in C++, or register a derivative for the function that uses them";

} // namespace assay::engine
