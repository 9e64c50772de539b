#include "core/engine/tidy/nest_copies.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral derivative_loop = "assay.derivative.loop";

void write_copy(Loop &nest, Value &condition, LoopInfo &loops, DominatorTree &dominators) {
  BasicBlock *before = nest.getLoopPreheader();
  BasicBlock *entry = SplitBlock(before, before->getTerminator(), &dominators, &loops);
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 8> blocks;
  Loop *copy = cloneLoopWithPreheader(entry, before, &nest, copies, ".overlap", &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, copies);
  for (PHINode &phi : nest.getExitBlock()->phis()) {
    Value *value = phi.getIncomingValueForBlock(nest.getLoopLatch());
    Value *same = copies.lookup(value);
    phi.addIncoming(same ? same : value, copy->getLoopLatch());
  }
  IRBuilder<> builder(before->getTerminator());
  builder.CreateCondBr(&condition, entry, copy->getLoopPreheader(),
                       MDBuilder(before->getContext()).createLikelyBranchWeights());
  before->getTerminator()->eraseFromParent();
  dominators.recalculate(*before->getParent());
  for (Loop *loop : {&nest, copy})
    formDedicatedExitBlocks(loop, &dominators, &loops, /*MSSAU=*/nullptr, /*PreserveLCSSA=*/true);
}

/// Inside of the nest, places do not overlap of which one is written.
void tell_apart(const NestMemory &memory, Instruction &before) {
  LLVMContext &context = before.getContext();
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain("assay nest");
  MDNode *read = builder.createAnonymousAliasScope(domain, "read");
  SmallVector<Metadata *, 8> scopes, written;
  for (const Place &place : memory.places()) {
    scopes.push_back(place.is_written ? builder.createAnonymousAliasScope(domain, "place") : read);
    if (place.is_written)
      written.push_back(scopes.back());
  }
  for (const auto &[place, scope] : zip(memory.places(), scopes)) {
    SmallVector<Metadata *, 8> others;
    copy_if(written, std::back_inserter(others), [&](Metadata *other) { return other != scope; });
    if (place.is_written)
      others.push_back(read);
    for (Instruction *access : place.accesses)
      for (const auto &[kind, list] : {std::pair(unsigned(LLVMContext::MD_alias_scope), MDNode::get(context, {scope})),
                                       {unsigned(LLVMContext::MD_noalias), MDNode::get(context, others)}})
        access->setMetadata(kind, MDNode::concatenate(access->getMetadata(kind), list));
  }
  written.push_back(read);
  for (Metadata *scope : written)
    IRBuilder<>(&before).CreateNoAliasScopeDeclaration(MDNode::get(context, {scope}));
}

} // namespace

void mark_loops(Function &derivative, FunctionAnalysisManager &analyses) {
  for (Loop *loop : analyses.getResult<LoopAnalysis>(derivative).getLoopsInPreorder())
    addStringMetadataToLoop(loop, derivative_loop.data(), 1);
}

bool is_marked(const Loop &loop) {
  return getBooleanLoopAttribute(&loop, derivative_loop);
}

bool has_marked_loops(const Function &function) {
  return any_of(function, [](const BasicBlock &block) {
    const auto *name = block.getTerminator()->getMetadata(LLVMContext::MD_loop);
    return name && findOptionMDForLoopID(const_cast<MDNode *>(name), derivative_loop);
  });
}

bool leave_copy(Loop &nest, Value &condition, LoopInfo &loops, DominatorTree &dominators) {
  if (const auto *known = dyn_cast<Constant>(&condition))
    return !known->isNullValue();
  write_copy(nest, condition, loops, dominators);
  return true;
}

bool separate(Loop &nest, const NestMemory &memory, Value &condition, LoopInfo &loops, DominatorTree &dominators) {
  if (!leave_copy(nest, condition, loops, dominators))
    return false;
  tell_apart(memory, *nest.getLoopPreheader()->getTerminator());
  return true;
}

} // namespace assay::engine
