#include "core/engine/emit/alias_scopes.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace assay::engine {
namespace {

enum Kind : unsigned { primal, shadow, tape };

void add(Instruction &instruction, unsigned kind, ArrayRef<Metadata *> scopes) {
  MDNode *list = MDNode::get(instruction.getContext(), scopes);
  instruction.setMetadata(kind, MDNode::concatenate(instruction.getMetadata(kind), list));
}

class ScopeMarker {
public:
  ScopeMarker(LLVMContext &context, ShadowOverlap overlap) : overlap_(overlap) {
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
  ShadowOverlap overlap_;
  SmallVector<MDNode *, 3> scopes_;
};

bool is_plain_access(const Instruction &instruction) {
  return isa<LoadInst, StoreInst>(instruction) && !isa<AllocaInst>(getLoadStorePointerOperand(&instruction));
}

} // namespace

void mark_alias_scopes(ArrayRef<Instruction *> tape_accesses, ArrayRef<Instruction *> shadow_accesses,
                       ShadowOverlap overlap, Function &forward, Function &reverse) {
  ScopeMarker marker(forward.getContext(), overlap);
  const SmallPtrSet<Instruction *, 32> on_tape(tape_accesses.begin(), tape_accesses.end());
  const SmallPtrSet<Instruction *, 32> on_shadow(shadow_accesses.begin(), shadow_accesses.end());
  const auto mark_all = [&](Function &function) {
    for (Instruction &instruction : instructions(function))
      if (is_plain_access(instruction) || on_shadow.contains(&instruction))
        marker.mark(instruction, on_tape.contains(&instruction)     ? tape
                                 : on_shadow.contains(&instruction) ? shadow
                                                                    : primal);
  };
  mark_all(forward);
  if (&forward != &reverse)
    mark_all(reverse);
}

static bool is_access(const Instruction &instruction) {
  return isa<MemIntrinsic>(instruction) || is_plain_access(instruction);
}

constexpr StringLiteral domain_name = "assay", lane_name = "lane";

LaneScopes::LaneScopes(Function &derivative, unsigned lanes) {
  MDBuilder builder(derivative.getContext());
  MDNode *domain = builder.createAnonymousAliasScopeDomain(domain_name);
  for (unsigned scope = 0; scope <= lanes; ++scope)
    scopes_.push_back(builder.createAnonymousAliasScope(domain, scope == 0 ? "primal" : lane_name));
  for (Instruction &instruction : instructions(derivative))
    if (is_access(instruction))
      mark(instruction, 0);
}

void LaneScopes::mark_lane(Instruction &access, const Instruction &original, unsigned lane) const {
  if (!is_access(access))
    return;
  for (const unsigned kind : {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
    access.setMetadata(kind, original.getMetadata(kind));
  mark(access, lane + 1);
}

void LaneScopes::mark(Instruction &access, unsigned scope) const {
  SmallVector<Metadata *, 8> others;
  for (Metadata *other : scopes_)
    if (other != scopes_[scope])
      others.push_back(other);
  add(access, LLVMContext::MD_alias_scope, {scopes_[scope]});
  add(access, LLVMContext::MD_noalias, others);
}

const MDNode *lane_scope(const Instruction &access) {
  const MDNode *scopes = access.getMetadata(LLVMContext::MD_alias_scope);
  if (!scopes)
    return nullptr;
  for (const MDOperand &operand : scopes->operands()) {
    const auto *node = dyn_cast<MDNode>(operand);
    const AliasScopeNode scope(node);
    if (!node || scope.getName() != lane_name || !scope.getDomain() || scope.getDomain()->getNumOperands() < 2)
      continue;
    const auto *domain = dyn_cast<MDString>(scope.getDomain()->getOperand(1));
    if (domain && domain->getString() == domain_name)
      return node;
  }
  return nullptr;
}

SeparatePieces::SeparatePieces(LLVMContext &context, unsigned count) {
  constexpr unsigned most = 16; // Every access lists all other pieces.
  if (count < 2 || count > most)
    return;
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain("assay tape");
  for (unsigned piece = 0; piece < count; ++piece)
    scopes_.push_back(builder.createAnonymousAliasScope(domain, "piece"));
}

void SeparatePieces::mark(Instruction &access, unsigned piece) const {
  if (scopes_.empty())
    return;
  SmallVector<Metadata *, 8> others;
  for (MDNode *scope : scopes_)
    if (scope != scopes_[piece])
      others.push_back(scope);
  add(access, LLVMContext::MD_alias_scope, {scopes_[piece]});
  add(access, LLVMContext::MD_noalias, others);
}

} // namespace assay::engine
