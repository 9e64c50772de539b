#include "core/engine/emit/tape_metadata.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace assay::engine {
namespace {

void add_to_list(Instruction &instruction, unsigned kind, MDNode *scopes) {
  instruction.setMetadata(kind, MDNode::concatenate(instruction.getMetadata(kind), scopes));
}

} // namespace

void mark_tape_accesses(ArrayRef<Instruction *> accesses, Function &forward, Function &reverse) {
  if (accesses.empty())
    return;
  LLVMContext &context = forward.getContext();
  MDBuilder builder(context);
  MDNode *scope = builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain("assay"), "tape");
  MDNode *scopes = MDNode::get(context, {scope});
  const SmallPtrSet<Instruction *, 32> on_tape(accesses.begin(), accesses.end());
  const auto mark = [&](Function &function) {
    for (Instruction &instruction : instructions(function)) {
      if (on_tape.contains(&instruction))
        add_to_list(instruction, LLVMContext::MD_alias_scope, scopes);
      else if (isa<LoadInst, StoreInst>(instruction))
        add_to_list(instruction, LLVMContext::MD_noalias, scopes);
    }
  };
  mark(forward);
  if (&forward != &reverse)
    mark(reverse);
}

} // namespace assay::engine
