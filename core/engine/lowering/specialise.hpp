#pragma once
// A function that is given another one as a constant argument (a function pointer, a pointer to a member function)
// calls that one: said to the engine by a copy in which the parameter is that function. Wrappers and trampolines that
// call a function which they are given become differentiable so.

#include "core/engine/lowering/call_parser.hpp"

namespace assay::engine {

/// The function that `parsed` differentiates, with constant function arguments put into its body; that function itself
/// when it has none.
llvm::Function &specialised_function(const ParsedCall &parsed);

} // namespace assay::engine
