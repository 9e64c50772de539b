#pragma once
// `__enzyme_virtualreverse(f)`: the shadow of a function pointer in reverse mode, a constant pair of f's augmented pass
// and its reverse pass. Floats are active, pointers come with shadows, integers are constant.
//
//   augmented(x, p, dp, ...) -> {tape, primal}       reverse(x, p, dp, ..., seed, tape) -> gradients of floats

#include "core/engine/plan/derivative_source.hpp"

namespace assay::engine {

llvm::Expected<llvm::Constant *> derivative_pair(DerivativeSource &engine, llvm::Function &function);

} // namespace assay::engine
