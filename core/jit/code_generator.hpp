#pragma once
// From optimised IR to machine code. What runs through each of its instructions once, or a few times, is written faster
// than it is improved: then there are no optimisations of machine code. The numbers that come out are the same.

#include "core/jit/repetition.hpp"

#include "llvm/ExecutionEngine/Orc/IRCompileLayer.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"

namespace assay::jit {

/// For LLJITBuilder::setCompileFunctionCreator.
llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>>
make_code_generator(llvm::orc::JITTargetMachineBuilder builder, Repetition repetition);

/// Code that is generated from this module is run little, whatever is known of other modules.
void mark_as_run_little(llvm::Module &module);

/// Whether no function of the module has a loop or calls itself, also by way of others.
bool is_straight(const llvm::Module &module);

} // namespace assay::jit
