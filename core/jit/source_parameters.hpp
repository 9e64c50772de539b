#pragma once
// The parameters that a function has in its source, whatever the calling convention makes of them.

#include <string>
#include <vector>

namespace llvm {
class Function;
}

namespace assay::jit {

struct SourceParameters {
  std::vector<std::string> names, types; ///< `this` of a member function is `self`.
  std::vector<bool> is_object;           ///< Neither a number nor a pointer to numbers.
  std::vector<bool> is_callable;         ///< A function, or an object of the standard library that holds one.
  std::vector<bool> has_halves;          ///< An object, or a reference to one, in which numbers of 16 bits lie.
  bool is_member = false;
};

/// By the debug information; empty without any.
SourceParameters source_parameters(const llvm::Function &function);

} // namespace assay::jit
