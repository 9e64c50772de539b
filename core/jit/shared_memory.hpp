#pragma once
// Parameters that share memory (`double[8] alias=x+3`), as the caller sees them: one variable with one shadow and one
// activity, whose memory the compiled function gets at several parameters.

#include "core/jit/signature.hpp"

namespace assay::jit {

/// The parameters that a caller has memory for, with their specs.
struct SharedCall {
  FunctionSignature function;
  std::vector<ArgumentSpec> arguments;
};

/// Throws BadRequest where an alias is of no other parameter, of one that is an alias itself, or of another type; and
/// where only one of both is const, or one is restrict.
void check_aliases(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs);

/// `specs` have numbers alone, one for each parameter of `function`. The same where none of them shares memory. Throws
/// BadRequest where an alias reaches beyond the memory that it shares.
SharedCall join_aliases(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs);

/// `y = x, z = x + 3`; empty where nothing is shared.
std::string describe_aliases(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs);

} // namespace assay::jit
