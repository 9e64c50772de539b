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

std::unique_ptr<TargetMachine> host_machine(const Module &module, CodeGenOptLevel level) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!target)
    throw NotEmulated("no code generator for this machine: " + error);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(module.getTargetTriple(), "x86-64-v2", "", options,
                                                                    Reloc::PIC_, std::nullopt, level));
}

void optimise(Module &module, TargetMachine &machine, Speed speed) {
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
  ModulePassManager passes = speed == Speed::of_code ? builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
                                                     : builder.buildO0DefaultPipeline(OptimizationLevel::O0);
  passes.run(module, modules);
}

} // namespace

std::string object_of(Module &module, Speed speed) {
  const std::unique_ptr<TargetMachine> machine =
      host_machine(module, speed == Speed::of_code ? CodeGenOptLevel::Default : CodeGenOptLevel::None);
  module.setDataLayout(machine->createDataLayout());
  optimise(module, *machine, speed);
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    throw NotEmulated("the code generator of this machine writes no object files");
  passes.run(module);
  return {bytes.begin(), bytes.end()};
}

} // namespace assay::gpu
