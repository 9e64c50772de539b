#include "core/engine/lowering/device_library.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_missing(const Function &function) {
  return function.isDeclaration() && is_device_library_function(function) && !function.use_empty();
}

bool link_missing(Module &module, StringRef file) {
  SMDiagnostic problem;
  std::unique_ptr<Module> library = parseIRFile(file, problem, module.getContext());
  if (!library) {
    module.getContext().emitError("the device's library '" + file + "' cannot be read: " + problem.getMessage());
    return false;
  }
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (NamedMDNode *flags = library->getModuleFlagsMetadata())
    flags->eraseFromParent();
  const auto internalize = [](Module &linked, const StringSet<> &names) {
    internalizeModule(linked, [&](const GlobalValue &value) { return !names.contains(value.getName()); });
  };
  return !Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded, internalize);
}

} // namespace

bool is_linked_device_function(const Function &function) {
  return !function.isDeclaration() && is_device_library_function(function) && is_device_code(*function.getParent());
}

PreservedAnalyses LinkDeviceLibraryPass::run(Module &module, ModuleAnalysisManager &analyses) {
  if (file_.empty() || !is_device_code(module))
    return PreservedAnalyses::all();
  if (any_of(module, is_missing) && !link_missing(module, file_))
    return PreservedAnalyses::none();
  AlwaysInlinerPass().run(module, analyses);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
