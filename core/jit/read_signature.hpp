#pragma once
// A FunctionSignature from an LLVM function and, where it has one, its debug information.

#include "core/jit/signature.hpp"
#include "llvm/IR/Function.h"
#include <string_view>

namespace assay::jit {

/// Throws BadRequest for a parameter or result that is neither a number nor a pointer to `pointees`. Messages name the
/// function after `linkage_name`, where that is not empty.
FunctionSignature read_signature(const llvm::Function &function, Pointees pointees = Pointees::numbers,
                                 std::string_view linkage_name = {});

} // namespace assay::jit
