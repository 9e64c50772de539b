#include "core/engine/prepare/loop_hints.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// Beginnings of the names.
constexpr StringRef hints[] = {
    "llvm.loop.vectorize.enable",     "llvm.loop.vectorize.width",   "llvm.loop.vectorize.scalable",
    "llvm.loop.vectorize.predicate",  "llvm.loop.interleave.",       "llvm.loop.unroll.enable",
    "llvm.loop.unroll.full",          "llvm.loop.unroll.count",      "llvm.loop.unroll_and_jam.enable",
    "llvm.loop.unroll_and_jam.count", "llvm.loop.distribute.enable", "llvm.loop.pipeline.",
    "llvm.loop.vectorize.followup_",  "llvm.loop.unroll.followup_",  "llvm.loop.unroll_and_jam.followup_",
    "llvm.loop.distribute.followup_"};

bool is_hint(const Metadata &attribute) {
  const auto *node = dyn_cast<MDNode>(&attribute);
  const auto *name = node && node->getNumOperands() > 0 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
  return name && any_of(hints, [&](StringRef hint) { return name->getString().starts_with(hint); });
}

} // namespace

bool drop_loop_hints(Function &function) {
  bool changed = false;
  for (BasicBlock &block : function) {
    Instruction *back = block.getTerminator();
    MDNode *loop = back ? back->getMetadata(LLVMContext::MD_loop) : nullptr;
    if (!loop || none_of(loop->operands(), [](const MDOperand &attribute) { return attribute && is_hint(*attribute); }))
      continue;
    back->setMetadata(LLVMContext::MD_loop, makePostTransformationMetadata(function.getContext(), loop, hints, {}));
    changed = true;
  }
  return changed;
}

} // namespace assay::engine
