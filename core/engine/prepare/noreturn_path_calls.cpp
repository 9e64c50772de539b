#include "core/engine/prepare/noreturn_path_calls.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/call_marks.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

bool UnknownReach::is_unresolvable(CallBase &indirect_call) {
  const DataLayout &layout = indirect_call.getModule()->getDataLayout();
  const std::int64_t slot = virtual_slot(indirect_call.getCalledOperand(), layout).value_or(-1);
  auto [known, inserted] = unresolvable_.try_emplace({indirect_call.getFunctionType(), slot}, false);
  if (inserted)
    known->second = !has_candidates(indirect_call);
  return known->second;
}

bool UnknownReach::reaches_unknown(CallBase &call) {
  if (isa<IntrinsicInst>(call) || is_derivative_free(call, function_info_) ||
      library_effect(call) != LibraryEffect::unknown || ScalarRule::find(call, function_info_))
    return false;
  Function *callee = call.getCalledFunction();
  if (callee == nullptr)
    return is_unresolvable(call);
  if (function_info_.is_inactive(*callee) || function_info_.rule(*callee) != nullptr)
    return false;
  return callee->isDeclaration() || reaches_unknown(*callee);
}

bool UnknownReach::reaches_unknown(Function &function) {
  auto [known, inserted] = known_.try_emplace(&function, false); // false while it is looked at: recursion adds nothing
  if (!inserted)
    return known->second;
  const bool result = any_of(instructions(function), [&](Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call != nullptr && reaches_unknown(*call);
  });
  return known_[&function] = result;
}

bool HandlerReach::candidates_reach_handler(CallBase &indirect_call) {
  const DataLayout &layout = indirect_call.getModule()->getDataLayout();
  const std::int64_t slot = virtual_slot(indirect_call.getCalledOperand(), layout).value_or(-1);
  const std::pair key(indirect_call.getFunctionType(), slot);
  auto [known, inserted] = known_of_pointers_.try_emplace(key, false); // false while they are looked at
  if (!inserted)
    return known->second;
  const bool result = any_of(candidates(indirect_call), [&](Function *candidate) {
    return !candidate->isDeclaration() && reaches_handler(*candidate);
  });
  return known_of_pointers_[key] = result;
}

bool HandlerReach::reaches_handler(CallBase &call) {
  if (call.isIndirectCall())
    return candidates_reach_handler(call);
  if (exception_role(call) == ExceptionRole::catches)
    return true;
  Function *callee = call.getCalledFunction();
  return callee != nullptr && !callee->isDeclaration() && reaches_handler(*callee);
}

bool HandlerReach::reaches_handler(Function &function) {
  if (function_info_.is_inactive(function) || function_info_.rule(function) != nullptr)
    return false;
  auto [known, inserted] = known_.try_emplace(&function, false); // false while it is looked at: recursion adds nothing
  if (!inserted)
    return known->second;
  const BlocksReachingReturn live(function);
  const bool result = any_of(instructions(function), [&](Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call != nullptr && live.contains(call->getParent()) && reaches_handler(*call);
  });
  return known_[&function] = result;
}

void mark_noreturn_path_calls(Module &module, const FunctionInfo &function_info) {
  UnknownReach reach(function_info);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const BlocksReachingReturn live(function);
    for (BasicBlock &block : function) {
      if (live.contains(&block))
        continue;
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallBase>(&instruction); call != nullptr && reach.reaches_unknown(*call))
          call->addFnAttr(Attribute::get(module.getContext(), noreturn_path_call_attribute));
    }
  }
}

void unmark_noreturn_path_calls(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction)) {
        for (StringRef mark : {noreturn_path_call_attribute, unlikely_candidate_attribute, measured_search_attribute,
                               candidates_attribute})
          call->removeFnAttr(mark);
      }
}

} // namespace assay::engine
