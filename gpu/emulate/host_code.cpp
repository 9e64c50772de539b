#include "gpu/emulate/host_code.hpp"

#include "gpu/emulate/retarget.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace assay::gpu {

namespace {

std::unique_ptr<TargetMachine> host_machine(const Module &module) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!target)
    throw NotEmulated("no code generator for this machine: " + error);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      module.getTargetTriple(), "x86-64-v2", "", options, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Default));
}

void optimise(Module &module, TargetMachine &machine) {
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
}

} // namespace

std::string object_of(Module &module) {
  const std::unique_ptr<TargetMachine> machine = host_machine(module);
  module.setDataLayout(machine->createDataLayout());
  optimise(module, *machine);
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    throw NotEmulated("the code generator of this machine writes no object files");
  passes.run(module);
  return {bytes.begin(), bytes.end()};
}

} // namespace assay::gpu
