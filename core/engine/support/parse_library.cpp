#include "core/engine/support/parse_library.hpp"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace assay::engine {

static std::unique_ptr<Module> parse(StringRef source, LLVMContext &context) {
  SMDiagnostic problem;
  const std::unique_ptr<MemoryBuffer> text = MemoryBuffer::getMemBuffer(source, "library", false);
  const bool discards_names = context.shouldDiscardValueNames();
  context.setDiscardValueNames(false); // the parser needs names
  std::unique_ptr<Module> parsed = parseAssembly(*text, problem, context);
  context.setDiscardValueNames(discards_names);
  if (!parsed)
    report_fatal_error("the engine's own library does not parse: " + problem.getMessage());
  return parsed;
}

/// How the library was compiled says nothing of the module that it is added to.
static void adapt(Module &library, const Module &module) {
  library.setDataLayout(module.getDataLayout());
  library.setTargetTriple(module.getTargetTriple());
  for (NamedMDNode &node : make_early_inc_range(library.named_metadata()))
    node.eraseFromParent();
  for (Function &function : library) {
    for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "min-legal-vector-width",
                                "no-trapping-math", "stack-protector-buffer-size"})
      function.removeFnAttr(attribute);
    function.removeFnAttr(Attribute::UWTable);
    function.setDSOLocal(false);
  }
  for (GlobalVariable &variable : library.globals())
    if (variable.isDeclaration())
      variable.setDSOLocal(false);
}

std::unique_ptr<Module> parse_library(StringRef source, const Module &module) {
  std::unique_ptr<Module> library = parse(source, module.getContext());
  adapt(*library, module);
  return library;
}

} // namespace assay::engine
