#include "core/engine/request/library_bodies.hpp"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The files of core/engine/library as LLVM IR.
constexpr StringLiteral sources[] = {
#include "core/engine/library/list.inc"
    ,
#include "core/engine/library/red_black_tree.inc"
};

constexpr unsigned pointer_bits = 64; // the layouts in those files

/// True when the text may define something that the module declares; saves parsing where it does not.
bool defines_what_is_declared(StringRef source, const Module &module) {
  return any_of(module, [&](const Function &function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
           source.contains(("@" + function.getName() + "(").str());
  });
}

void make_readable_only(Function &function) {
  for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "min-legal-vector-width",
                              "no-trapping-math", "stack-protector-buffer-size"})
    function.removeFnAttr(attribute);
  function.removeFnAttr(Attribute::UWTable);
  function.setDSOLocal(false);
  if (!function.isDeclaration() && !function.hasLocalLinkage())
    function.setLinkage(GlobalValue::AvailableExternallyLinkage);
}

/// Flags of how the bodies were compiled say nothing of the module that they are added to.
void drop_module_flags(Module &bodies) {
  for (NamedMDNode &node : make_early_inc_range(bodies.named_metadata()))
    node.eraseFromParent();
}

void add_bodies(Module &module, StringRef source) {
  SMDiagnostic problem;
  const std::unique_ptr<MemoryBuffer> text = MemoryBuffer::getMemBuffer(source, "library", false);
  LLVMContext &context = module.getContext();
  const bool discards_names = context.shouldDiscardValueNames();
  context.setDiscardValueNames(false); // the parser needs names
  std::unique_ptr<Module> bodies = parseAssembly(*text, problem, context);
  context.setDiscardValueNames(discards_names);
  if (!bodies)
    report_fatal_error("the engine's own library does not parse: " + problem.getMessage());
  bodies->setDataLayout(module.getDataLayout());
  bodies->setTargetTriple(module.getTargetTriple());
  drop_module_flags(*bodies);
  for (Function &function : *bodies)
    make_readable_only(function);
  Linker::linkModules(module, std::move(bodies), Linker::LinkOnlyNeeded);
}

} // namespace

void add_library_bodies(Module &module) {
  if (module.getDataLayout().getPointerSizeInBits() != pointer_bits)
    return;
  for (StringRef source : sources)
    if (defines_what_is_declared(source, module))
      add_bodies(module, source);
}

} // namespace assay::engine
