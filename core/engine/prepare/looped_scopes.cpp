#include "core/engine/prepare/looped_scopes.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Scopes = SmallPtrSet<const Metadata *, 8>;

/// Erases the declarations.
Scopes scopes_declared_in_loops(Function &function, const LoopInfo &loops) {
  Scopes scopes;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *declaration = dyn_cast<NoAliasScopeDeclInst>(&instruction);
    if (!declaration || !loops.getLoopFor(declaration->getParent()))
      continue;
    for (const MDOperand &scope : declaration->getScopeList()->operands())
      scopes.insert(scope.get());
    declaration->eraseFromParent();
  }
  return scopes;
}

void drop(Instruction &access, unsigned kind, const Scopes &dropped) {
  const MDNode *list = access.getMetadata(kind);
  if (!list)
    return;
  SmallVector<Metadata *, 8> kept;
  for (const MDOperand &scope : list->operands())
    if (!dropped.contains(scope.get()))
      kept.push_back(scope.get());
  if (kept.size() != list->getNumOperands())
    access.setMetadata(kind, kept.empty() ? nullptr : MDNode::get(access.getContext(), kept));
}

} // namespace

bool drop_looped_scopes(Function &function, FunctionAnalysisManager &analyses) {
  const Scopes dropped = scopes_declared_in_loops(function, analyses.getResult<LoopAnalysis>(function));
  if (dropped.empty())
    return false;
  for (Instruction &instruction : instructions(function))
    for (const unsigned kind : {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
      drop(instruction, kind, dropped);
  return true;
}

} // namespace assay::engine
