#pragma once
// `__enzyme_virtualreverse(f)`: the shadow of a function pointer in reverse mode, a constant pair of f's augmented pass
// and its reverse pass. Of a pointer to a virtual table it is a table of such pairs (virtual_tables.hpp). Floats are
// active, pointers come with shadows, integers are constant.
//
//   augmented(x, p, dp, ...) -> {tape, primal}       reverse(x, p, dp, ..., seed, tape) -> gradients of floats

#include "core/engine/plan/derivative_source.hpp"

namespace assay::engine {

llvm::Expected<llvm::Constant *> derivative_pair(DerivativeSource &engine, llvm::Function &function);

/// Emits the shadow that the call of `__enzyme_virtualreverse` asks for: of a function, or of a place in a virtual
/// table. Where only the run tells, it is one of `candidates` that can be differentiated, or a virtual table of this
/// file; null where there is neither.
llvm::Expected<llvm::Value *> emit_virtual_reverse(DerivativeSource &engine, llvm::CallBase &call,
                                                   llvm::ArrayRef<llvm::Function *> candidates);

} // namespace assay::engine
