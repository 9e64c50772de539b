#include "core/engine/prepare/inline_calls.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/prepare/byte_calls.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned tiny_callee = 30;    // instructions that are inlined at every call
constexpr unsigned small_callee = 100;  // instructions that are inlined within the whole budget
constexpr unsigned medium_callee = 400; // instructions that are inlined within half of the budget
constexpr unsigned large_callee = 3000; // instructions of a callee with one call
constexpr unsigned function_budget = 12000;

bool reads_variable_arguments(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    return intrinsic && intrinsic->getIntrinsicID() == Intrinsic::vastart;
  });
}

bool may_be_inlined(const CallBase &call, const PrepareContext &context) {
  const Function *callee = call.getCalledFunction();
  if (!callee || is_noreturn_path_call(call) || is_unlikely_candidate(call) || callee->isDeclaration() ||
      callee->isIntrinsic())
    return false;
  if (callee->isVarArg() && reads_variable_arguments(*callee))
    return false;
  if (is_named_for_its_derivative(*callee) || tagged_copy(*callee) != TaggedCopy::none)
    return false;
  if (call.getFunctionType() != callee->getFunctionType() || call.isMustTailCall())
    return false;
  if (callee->getName().starts_with("_R") &&
      context.function_info.is_inactive(*callee)) // a panic is a world of its own
    return false;
  return !context.function_info.keeps_call(*callee) && !callee->hasFnAttribute(Attribute::ReturnsTwice) &&
         !callee->isPresplitCoroutine();
}

/// Not a function of the program itself: what the engine made of one.
bool is_made(const Function &function) {
  return function.getName().contains(prepared_suffix) || function.hasFnAttribute(derivative_attribute);
}

/// Calls by functions of the program.
unsigned number_of_calls(const Function &callee) {
  return count_if(callee.uses(), [](const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use) && !is_made(*call->getFunction());
  });
}

bool has_one_call(const Function &callee) {
  return number_of_calls(callee) == 1;
}

/// Whether the caller is one of few, and calls it in one place: each holds a copy then.
bool is_only_call_of_few(const CallBase &call) {
  constexpr unsigned few = 3;
  const Function &callee = *call.getCalledFunction();
  const auto is_of_caller = [&](const Use &use) {
    const auto *other = dyn_cast<CallBase>(use.getUser());
    return other && other->isCallee(&use) && other->getFunction() == call.getFunction();
  };
  return number_of_calls(callee) <= few && count_if(callee.uses(), is_of_caller) == 1;
}

/// No stack memory of variable size, no addresses of blocks.
bool can_be_merged(const Function &callee) {
  return !callee.isVarArg() && none_of(callee, [](const BasicBlock &block) { return block.hasAddressTaken(); }) &&
         all_of(instructions(callee), [](const Instruction &instruction) {
           const auto *allocation = dyn_cast<AllocaInst>(&instruction);
           return !allocation || allocation->isStaticAlloca();
         });
}

/// The callee stays what it was when it cannot be inlined.
bool inline_as(CallBase &call, Function &body, InlineFunctionInfo &info) {
  Function *original = call.getCalledFunction();
  call.setCalledFunction(&body);
  call.removeFnAttr(Attribute::NoInline);
  if (InlineFunction(call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false).isSuccess())
    return true;
  call.setCalledFunction(original);
  return false;
}

SmallVector<CallBase *, 16> calls_in(Function &function, const PrepareContext &context) {
  SmallVector<CallBase *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && may_be_inlined(*call, context))
      calls.push_back(call);
  return calls;
}

/// The largest callee that a caller of some size takes in.
unsigned largest_callee(unsigned caller_size, const CallBase &call) {
  if (caller_size + large_callee <= function_budget &&
      (has_one_call(*call.getCalledFunction()) || is_only_call_of_few(call)))
    return large_callee;
  if (caller_size + medium_callee <= function_budget / 2)
    return medium_callee;
  return caller_size + small_callee <= function_budget ? small_callee : tiny_callee;
}

/// One of many functions that a call through a pointer may mean; together they are not larger than one callee.
unsigned largest_candidate(const CallBase &call) {
  const unsigned number = number_of_candidates(call);
  return number == 1 ? large_callee : std::max(tiny_callee, medium_callee / number);
}

/// True when the callee calls what is being prepared now, and so its caller: the calls between functions of a cycle
/// never end, and inlining each into the others makes as many copies as there are ways through the cycle.
bool is_in_cycle_with_caller(const Function &callee, const PrepareContext &context) {
  return any_of(instructions(callee), [&](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && may_be_inlined(*call, context) && context.is_being_prepared(*call->getCalledFunction());
  });
}

/// True for a callee that the caller calls several times and that mostly consists of its own callees: were each
/// function of a chain that calls the next one twice to hold all of its callees, the copies would double with each
/// link.
bool multiplies_copies(const CallBase &call, const Function &callee) {
  constexpr unsigned most_growth = 4;
  const Function &source = *call.getCalledFunction();
  const auto is_in_caller = [&](const Use &use) {
    const auto *other = dyn_cast<CallBase>(use.getUser());
    return other && other->isCallee(&use) && other->getFunction() == call.getFunction();
  };
  return callee.getInstructionCount() > small_callee &&
         callee.getInstructionCount() > most_growth * source.getInstructionCount() &&
         count_if(source.uses(), is_in_caller) > 1;
}

bool is_too_large(CallBase &call, const Function &callee, unsigned caller_size, const PrepareContext &context) {
  const unsigned size = callee.getInstructionCount();
  if (size <= tiny_callee || (synchronises(callee) && caller_size + size <= function_budget))
    return false;
  if (caller_size + size <= function_budget && moves_single_bytes(callee) &&
      handles_bytes_of_numbers(*call.getFunction()))
    return is_in_cycle_with_caller(callee, context); // a byte by value has no derivative
  return size > largest_callee(caller_size, call) || size > largest_candidate(call) ||
         multiplies_copies(call, callee) || is_in_cycle_with_caller(callee, context);
}

/// What a callee did before it threw is only differentiated as a part of the function that catches: inside, the way to
/// the handler is control flow like any other.
bool is_caught(const CallBase &call) {
  const auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke || invoke->doesNotThrow())
    return false;
  return BlocksReachingReturn(*call.getFunction()).contains(invoke->getUnwindDest());
}

/// The functions that calls were inlined from which throw to a handler: a recursive one is not inlined into itself.
class CaughtCalls {
public:
  using Functions = SmallVector<const Function *, 4>;

  Functions around(const CallBase &call) const { return around_.lookup(&call); }
  bool is_inside(const CallBase &call) const { return is_contained(around(call), call.getCalledFunction()); }
  void note(const CallBase &inner, Functions outer, const Function &from) {
    outer.push_back(&from);
    around_[&inner] = std::move(outer);
  }

private:
  DenseMap<const CallBase *, Functions> around_;
};

} // namespace

void merge_callees(Function &function, const Function &source, const PrepareContext &context) {
  SmallPtrSet<const Function *, 16> merged{&source}; // never twice: cycles end
  unsigned size = function.getInstructionCount();
  SmallVector<CallBase *, 16> calls = calls_in(function, context);
  while (!calls.empty()) {
    CallBase *call = calls.pop_back_val();
    Function &callee = *call->getCalledFunction();
    const unsigned callee_size = callee.getInstructionCount();
    if (callee_size > large_callee || size + callee_size > function_budget || !has_one_call(callee) ||
        !can_be_merged(callee) || !merged.insert(&callee).second)
      continue;
    InlineFunctionInfo info;
    if (!inline_as(*call, callee, info))
      continue;
    size += callee_size;
    copy_if(info.InlinedCallSites, std::back_inserter(calls),
            [&](CallBase *inner) { return may_be_inlined(*inner, context); });
  }
}

Expected<bool> inline_tagged_copies(Function &function, const PrepareContext &context) {
  SmallVector<CallBase *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction);
        call && tagged_copy(*call) != TaggedCopy::none && !has_reverse_form(*call->getCalledFunction()))
      calls.push_back(call);
  for (CallBase *call : calls) {
    Expected<Function *> helper = context.prepared_callee(*call->getCalledFunction());
    if (!helper)
      return helper.takeError();
    InlineFunctionInfo info;
    inline_as(*call, **helper, info);
  }
  return !calls.empty();
}

Error inline_calls(Function &function, const PrepareContext &context) {
  unsigned size = function.getInstructionCount();
  SmallVector<CallBase *, 16> calls = calls_in(function, context);
  CaughtCalls caught_calls;
  for (std::size_t next = 0; next < calls.size(); ++next) {
    CallBase *call = calls[next];
    Function &source = *call->getCalledFunction();
    Expected<Function *> callee = context.prepared_callee(source);
    if (!callee)
      return callee.takeError();
    if (!*callee || (*callee)->isDeclaration())
      continue; // recursion: stays a call
    if (keeps_stack_memory(**callee))
      continue;
    const unsigned callee_size = (*callee)->getInstructionCount();
    const bool caught = size + callee_size <= function_budget && is_caught(*call) && !caught_calls.is_inside(*call);
    const auto around = caught_calls.around(*call); // before the call is gone
    InlineFunctionInfo info;
    if ((!caught && is_too_large(*call, **callee, size, context)) || !inline_as(*call, **callee, info))
      continue;
    size += callee_size;
    if (caught) // the calls in it throw to the same handler
      for (CallBase *inner :
           make_filter_range(info.InlinedCallSites, [&](CallBase *inner) { return may_be_inlined(*inner, context); })) {
        caught_calls.note(*inner, around, source);
        calls.push_back(inner);
      }
  }
  return Error::success();
}

} // namespace assay::engine
