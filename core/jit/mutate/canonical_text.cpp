#include "core/jit/mutate/canonical_text.hpp"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::jit {

static void drop_names(Function &function) {
  for (Argument &argument : function.args())
    argument.setName("");
  for (BasicBlock &block : function) {
    block.setName("");
    for (Instruction &instruction : block)
      if (!instruction.getType()->isVoidTy())
        instruction.setName("");
  }
}

static void drop_metadata(Function &function) {
  function.clearMetadata();
  for (Instruction &instruction : instructions(function))
    instruction.dropUnknownNonDebugMetadata();
}

std::string canonical_text(const Module &module) {
  const std::unique_ptr<Module> copy = CloneModule(module);
  StripDebugInfo(*copy);
  std::string text;
  raw_string_ostream out(text);
  for (const GlobalVariable &global : copy->globals())
    if (global.hasInitializer() && !global.getName().starts_with("llvm."))
      out << global << '\n';
  for (Function &function : *copy) {
    if (function.isDeclaration())
      continue;
    drop_names(function);
    drop_metadata(function);
    function.setAttributes({});
    function.print(out);
  }
  return text;
}

} // namespace assay::jit
