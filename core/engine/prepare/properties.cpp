#include "core/engine/prepare/properties.hpp"
#include "core/engine/prepare/simplify.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

template <class Kind, class Condition>
bool none_is(Function &function, Condition condition) {
  return none_of(instructions(function), [&](Instruction &instruction) {
    auto *found = dyn_cast<Kind>(&instruction);
    return found && condition(*found);
  });
}

template <class Condition>
bool all_loops(Function &function, FunctionAnalysisManager &analyses, Condition condition) {
  return all_of(analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(), condition);
}

bool is_static(const AllocaInst &allocation) {
  return allocation.isStaticAlloca();
}

bool allocates_or_releases(InvokeInst &invoke, const FunctionInfo &function_info) {
  const MemoryAction action = classify_memory_call(invoke, function_info).action;
  return action == MemoryAction::allocate || action == MemoryAction::allocate_zeroed || action == MemoryAction::release;
}

bool calls_variadic_body(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isVarArg() && !callee->isDeclaration() &&
         call.getFunctionType() == callee->getFunctionType();
}

bool is_masked_access(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    return isa<FixedVectorType>(call.getType());
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    return isa<FixedVectorType>(call.getArgOperand(0)->getType());
  default:
    return false;
  }
}

/// A cycle through several entries is no loop to LLVM; nor is one that an `asm goto` enters in the form that is asked
/// for.
bool has_inline_jumps(Function &function) {
  return any_of(function, [](const BasicBlock &block) { return isa<CallBrInst>(block.getTerminator()); });
}

} // namespace

StringRef name_of(Property property) {
  switch (property) {
  case Property::no_computed_gotos:
    return "no-computed-gotos";
  case Property::no_variadic_calls:
    return "no-variadic-calls";
  case Property::no_masked_memory:
    return "no-masked-memory";
  case Property::no_by_value_parameters:
    return "no-by-value-parameters";
  case Property::static_stack:
    return "static-stack";
  case Property::no_invoked_allocations:
    return "no-invoked-allocations";
  case Property::own_normal_destinations:
    return "own-normal-destinations";
  case Property::no_lifetimes:
    return "no-lifetimes";
  case Property::reducible:
    return "reducible";
  case Property::simplified_loops:
    return "simplified-loops";
  case Property::lcssa:
    return "lcssa";
  case Property::one_return:
    return "one-return";
  }
  llvm_unreachable("unknown property");
}

bool holds(Property property, Function &function, const FunctionInfo &function_info,
           FunctionAnalysisManager &analyses) {
  switch (property) {
  case Property::no_computed_gotos:
    return none_is<IndirectBrInst>(function, [](auto &jump) { return jump.getNumDestinations() > 0; });
  case Property::no_variadic_calls:
    return none_is<CallBase>(function, calls_variadic_body);
  case Property::no_masked_memory:
    return none_is<IntrinsicInst>(function, is_masked_access);
  case Property::no_by_value_parameters:
    return none_of(function.args(), [](const Argument &argument) { return argument.hasByValAttr(); });
  case Property::static_stack:
    return none_is<AllocaInst>(function, std::not_fn(is_static));
  case Property::no_invoked_allocations:
    return none_is<InvokeInst>(function, [&](auto &invoke) { return allocates_or_releases(invoke, function_info); });
  case Property::own_normal_destinations:
    return none_is<InvokeInst>(function, [](auto &invoke) { return !invoke.getNormalDest()->getSinglePredecessor(); });
  case Property::no_lifetimes:
    return none_is<Instruction>(function, [](auto &instruction) { return instruction.isLifetimeStartOrEnd(); });
  case Property::reducible:
    return !has_irreducible_cycle(function, analyses);
  case Property::simplified_loops:
    return has_inline_jumps(function) ||
           all_loops(function, analyses, [](const Loop *loop) { return loop->isLoopSimplifyForm(); });
  case Property::lcssa: {
    const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    return all_loops(function, analyses, [&](const Loop *loop) { return loop->isLCSSAForm(dominators); });
  }
  case Property::one_return:
    return count_if(function, [](const BasicBlock &block) { return isa<ReturnInst>(block.getTerminator()); }) <= 1;
  }
  llvm_unreachable("unknown property");
}

} // namespace assay::engine
