#pragma once
// A module's code as text that does not depend on names, metadata or the order of declarations: equal texts are equal
// programs.

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace assay::jit {

std::string canonical_text(const llvm::Module &module);

} // namespace assay::jit
