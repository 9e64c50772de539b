#include "core/engine/emit/alias_scopes.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace assay::engine {
namespace {

enum Kind : unsigned { primal, shadow, tape };

class ScopeMarker {
public:
  ScopeMarker(LLVMContext &context, ShadowOverlap overlap) : context_(context), overlap_(overlap) {
    MDBuilder builder(context);
    MDNode *domain = builder.createAnonymousAliasScopeDomain("assay");
    for (StringRef name : {"primal", "shadow", "tape"})
      scopes_.push_back(builder.createAnonymousAliasScope(domain, name));
  }

  void mark(Instruction &instruction, Kind kind) {
    add(instruction, LLVMContext::MD_alias_scope, {scopes_[kind]});
    SmallVector<Metadata *, 2> others;
    for (Kind other : {primal, shadow, tape})
      if (other != kind && (kind == tape || other == tape || overlap_ == ShadowOverlap::never))
        others.push_back(scopes_[other]);
    add(instruction, LLVMContext::MD_noalias, others);
  }

private:
  void add(Instruction &instruction, unsigned kind, ArrayRef<Metadata *> scopes) {
    MDNode *list = MDNode::get(context_, scopes);
    instruction.setMetadata(kind, MDNode::concatenate(instruction.getMetadata(kind), list));
  }

  LLVMContext &context_;
  ShadowOverlap overlap_;
  SmallVector<MDNode *, 3> scopes_;
};

} // namespace

void mark_alias_scopes(ArrayRef<Instruction *> tape_accesses, ArrayRef<Instruction *> shadow_accesses,
                       ShadowOverlap overlap, Function &forward, Function &reverse) {
  ScopeMarker marker(forward.getContext(), overlap);
  const SmallPtrSet<Instruction *, 32> on_tape(tape_accesses.begin(), tape_accesses.end());
  const SmallPtrSet<Instruction *, 32> on_shadow(shadow_accesses.begin(), shadow_accesses.end());
  const auto mark_all = [&](Function &function) {
    for (Instruction &instruction : instructions(function))
      if (isa<LoadInst, StoreInst>(instruction) && !isa<AllocaInst>(getLoadStorePointerOperand(&instruction)))
        marker.mark(instruction, on_tape.contains(&instruction)     ? tape
                                 : on_shadow.contains(&instruction) ? shadow
                                                                    : primal);
  };
  mark_all(forward);
  if (&forward != &reverse)
    mark_all(reverse);
}

} // namespace assay::engine
