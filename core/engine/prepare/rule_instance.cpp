#include "core/engine/prepare/rule_instance.hpp"
#include "core/engine/prepare/fold_rule.hpp"
#include "core/engine/prepare/rule_instance_writer.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned most_lanes = 32; // of <assay/rules.hpp>
constexpr unsigned largest_straight = 100;

StringRef name_of(RuleStep step) {
  switch (step) {
  case RuleStep::forward:
    return "forward";
  case RuleStep::augmented:
    return "augmented";
  case RuleStep::reverse:
    return "reverse";
  }
  llvm_unreachable("unknown step");
}

bool is_straight(const Function &function) {
  return function.size() == 1 && function.getInstructionCount() <= largest_straight &&
         all_of(instructions(function),
                [](const Instruction &instruction) {
                  const auto *call = dyn_cast<CallBase>(&instruction);
                  return !isa<AllocaInst>(instruction) && (!call || call->doesNotThrow());
                }) &&
         isa<ReturnInst>(function.getEntryBlock().getTerminator());
}

Error check_width(const RuleUse &use) {
  if (use.width <= most_lanes)
    return Error::success();
  return createStringError("the rule '" + use.rule->name + "' of '" + source_name(*use.rule->primal) +
                           "' is asked for " + utostr(use.width) + " derivatives at once; rules give at most " +
                           utostr(most_lanes));
}

} // namespace

unsigned tape_parts(const RuleTemplate &rule) {
  return parts_of_tape(rule).size();
}

Expected<RuleInstance> rule_instance(const RuleUse &use, RuleStep step, const FunctionInfo &function_info,
                                     FunctionAnalysisManager &analyses) {
  if (Error error = check_width(use))
    return std::move(error);
  const std::string name = instance_name(use, name_of(step));
  Function *function = use.rule->primal->getParent()->getFunction(name);
  if (!function) {
    function = write_instance(use, step, name);
    fold_rule(*function, use.width, function_info, analyses);
  }
  return RuleInstance{function, is_straight(*function)};
}

Expected<bool> rule_applies(const RuleUse &use, const FunctionInfo &function_info, FunctionAnalysisManager &analyses) {
  if (!use.rule->applies)
    return true;
  Module &module = *use.rule->primal->getParent();
  auto *asks = Function::Create(FunctionType::get(Type::getInt1Ty(module.getContext()), false),
                                GlobalValue::InternalLinkage, instance_name(use, "applies"), module);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", asks));
  Value *answer = builder.CreateCall(use.rule->applies, words_in_memory(use, module));
  builder.CreateRet(builder.CreateIsNotNull(answer));
  fold_rule(*asks, 1, function_info, analyses);
  const auto *exit = dyn_cast<ReturnInst>(asks->getEntryBlock().getTerminator());
  const auto *constant = exit ? dyn_cast<ConstantInt>(exit->getReturnValue()) : nullptr;
  const std::optional<bool> known = constant ? std::optional(constant->isOne()) : std::nullopt;
  analyses.clear(*asks, asks->getName());
  asks->eraseFromParent();
  if (known)
    return *known;
  return createStringError("whether the rule '" + use.rule->name + "' of '" + source_name(*use.rule->primal) +
                           "' applies is not known when compiling: its function 'applies' may only ask its "
                           "configuration");
}

SmallVector<Value *, 8> place_straight(const RuleInstance &instance, IRBuilderBase &builder,
                                       ArrayRef<Value *> arguments) {
  ValueToValueMapTy map;
  for (auto [parameter, argument] : zip(instance.function->args(), arguments))
    map[&parameter] = argument;
  SmallVector<Instruction *, 16> copies;
  BasicBlock &body = instance.function->getEntryBlock();
  for (Instruction &instruction : drop_end(body)) {
    Instruction *copy = instruction.clone();
    RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    map[&instruction] = builder.Insert(copy);
    copies.push_back(copy);
  }
  SmallVector<Value *, 8> results;
  Value *returned = cast<ReturnInst>(body.getTerminator())->getReturnValue();
  for (unsigned index = 0; index < returned->getType()->getStructNumElements(); ++index) {
    Value *result = FindInsertedValue(returned, index);
    Value *copy = result && !isa<Constant>(result) ? static_cast<Value *>(map.lookup(result)) : result;
    results.push_back(copy ? copy : builder.CreateExtractValue(map.lookup(returned), index));
  }
  for (Instruction *copy : reverse(copies)) // the struct that was returned
    if (isInstructionTriviallyDead(copy) && !is_contained(results, copy))
      copy->eraseFromParent();
  return results;
}

} // namespace assay::engine
