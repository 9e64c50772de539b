#pragma once
// Calls of complex functions return both parts at once, in a form that depends on the target. Here each part becomes a
// value of its own that the table of scalar rules knows:
//
//   %w = call {double, double} @cexp(double %x, double %y)
//
// is followed by %re = assay.complex.exp.real(u, v, x, y), where u and v are the parts of %w, and the same for the
// imaginary part; their uses replace those of %w. The functions return u and v, so that the primal keeps its bits; tidy
// inlines them away. The call itself moves into a function that counts as inactive.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

/// True when `call` was a call of a known complex function; it is then replaced and erased.
bool split_complex_call(llvm::CallInst &call, const FunctionInfo &function_info);

} // namespace assay::engine
