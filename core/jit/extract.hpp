#pragma once
// One function of a user's file alone, with all that it needs, as LLVM IR in text.

#include "core/jit/module_file.hpp"

#include <cstdint>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace assay::jit {

enum class SourceLines : std::uint8_t { kept, dropped };

/// What the function does not reach is left out; registered derivatives of what it reaches stay.
std::string extract_function(const ModuleFile &file, const FunctionSignature &function,
                             SourceLines lines = SourceLines::kept);

/// The rules for what `kept` does not reach go: their code would be compiled with every derivative.
void drop_other_rules(llvm::Module &module, llvm::Function &kept);

} // namespace assay::jit
