#pragma once
// Rewrites a module so that its functions carry a wide number, a twin, beside every floating-point number (see
// run.hpp). Functions keep names, signatures and addresses; called without a run they do what they did. The rewritten
// module needs the symbols of runtime.hpp.

#include "core/widen/twin_kind.hpp"
#include "llvm/IR/Function.h"

namespace llvm {
class Module;
}

namespace assay::widen {

void widen(llvm::Module &module, TwinKind kind = TwinKind::movement);

/// These functions of the module alone, which only functions of these call directly.
void widen(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions, TwinKind kind = TwinKind::movement);

bool can_be_widened(const llvm::Function &function);

/// Whether a pointer to the function can be followed as one to `wrapper_of`: a new function that calls it.
bool is_mathematics(const llvm::Function &function);
llvm::Function *wrapper_of(llvm::Function &function);

/// Of a call: that the callee, of which there is no code, neither takes numbers nor gives any.
inline constexpr llvm::StringLiteral no_numbers_attribute = "assay-no-numbers";

/// Of a call: that it calls code as it was before it was widened.
inline constexpr llvm::StringLiteral not_followed_attribute = "assay-not-followed";

} // namespace assay::widen
