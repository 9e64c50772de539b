#include "core/jit/mutate/replace_uses.hpp"

using namespace llvm;

namespace assay::jit {

std::optional<BasicBlock::iterator> place_behind(Value &value) {
  if (auto *argument = dyn_cast<Argument>(&value))
    return argument->getParent()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  auto *instruction = dyn_cast<Instruction>(&value);
  return instruction ? instruction->getInsertionPointAfterDef() : std::nullopt;
}

void replace_in(ArrayRef<Use *> uses, Value &value, Rewrite rewrite) {
  const std::optional<BasicBlock::iterator> place = place_behind(value);
  if (!place)
    return;
  IRBuilder<> builder((*place)->getParent(), *place);
  if (auto *instruction = dyn_cast<Instruction>(&value))
    builder.SetCurrentDebugLocation(instruction->getDebugLoc());
  Value *other = rewrite(builder, value);
  for (Use *use : uses)
    use->set(other);
}

void replace_everywhere(Value &value, Rewrite rewrite) {
  SmallVector<Use *, 8> uses;
  for (Use &use : value.uses())
    uses.push_back(&use);
  replace_in(uses, value, rewrite);
}

} // namespace assay::jit
