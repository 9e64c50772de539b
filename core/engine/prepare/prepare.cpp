#include "core/engine/prepare/prepare.hpp"
#include "core/engine/prepare/long_jumps.hpp"
#include "core/engine/prepare/passes.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Attributes that describe the user's function to its callers but not our clone of it.
void free_attributes(Function &clone) {
  clone.setLinkage(GlobalValue::InternalLinkage);
  clone.setVisibility(GlobalValue::DefaultVisibility);
  clone.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  clone.setDSOLocal(true);
  clone.setComdat(nullptr);
  clone.setSection("");
  for (Attribute::AttrKind kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline, Attribute::InlineHint, Attribute::Naked})
    clone.removeFnAttr(kind);
}

} // namespace

Expected<Function *> prepare(Function &source, const PrepareContext &context) {
  if (source.hasFnAttribute(Attribute::ReturnsTwice) || source.callsFunctionThatReturnsTwice())
    return unsupported(source, nullptr, "setjmp cannot be differentiated",
                       "move it out of the differentiated code or give the function a custom rule");
  if (source.isPresplitCoroutine())
    return unsupported(source, nullptr, "a coroutine cannot be differentiated", "give it a custom rule");
  if (const CallBase *jump = reached_long_jump(source, context.function_info))
    return unsupported(*jump, "longjmp out of differentiated code loses the derivative",
                       "return an error instead, or register the function that jumps as inactive");

  ValueToValueMapTy map;
  Function *clone = CloneFunction(&source, map);
  clone->setName(source.getName() + prepared_suffix);
  free_attributes(*clone);
  Preparation preparation{.context = context, .source = source, .clones = &map};
  if (Error error = run_preparations(PrepareStage::inlinable, *clone, preparation))
    return error;
  return clone;
}

Expected<Function *> with_typed_memory(Function &prepared, Function &source, TaggedCopies moves,
                                       const PrepareContext &context) {
  ValueToValueMapTy map;
  Function *clone = CloneFunction(&prepared, map);
  clone->setName(prepared.getName());
  Preparation preparation{.context = context, .source = source, .moves = moves};
  if (Error error = run_preparations(PrepareStage::typed, *clone, preparation))
    return error;
  clone->removeFnAttr(simplifications_attribute); // derivatives take over attributes
  return clone;
}

Expected<std::optional<TypeAnalysis>> type_words_left(Function &prepared, Function &source,
                                                      const PrepareContext &context) {
  Preparation preparation{.context = context, .source = source};
  if (Error error = run_preparations(PrepareStage::recursive, prepared, preparation))
    return error;
  return std::move(preparation.types);
}

Error prepare_to_differentiate(Function &prepared, Function &source, std::optional<TypeAnalysis> &types,
                               const PrepareContext &context) {
  Preparation preparation{.context = context, .source = source};
  preparation.types = std::move(types);
  Error error = run_preparations(PrepareStage::differentiated, prepared, preparation);
  types = std::move(preparation.types);
  return error;
}

} // namespace assay::engine
