#include "core/engine/tidy/grouped_sums.hpp"
#include "core/engine/analysis/address_distance.hpp"
#include "core/engine/emit/grouped_warp_adds.hpp"
#include "core/engine/emit/shifted_warp_adds.hpp"
#include "core/engine/emit/warp_adds.hpp"
#include "core/engine/emit/warp_code.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/tidy/sum_order.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A sum of one number: a call of a warp's, or an atomic operation at an address of the thread's own.
struct SingleSum {
  Instruction *instruction = nullptr;
  std::int64_t offset = 0; ///< From the group's origin, in bytes.

  unsigned number_index() const { return isa<CallInst>(instruction) ? 1 : AtomicRMWInst::getPointerOperandIndex() + 1; }
  Value *place() const { return const_cast<Value *>(place_of_adjoint_sum(*instruction)); }
  Value *number() const { return instruction->getOperand(number_index()); }
  void set_number(Value *number) const { instruction->setOperand(number_index(), number); }
  std::int64_t size() const {
    return instruction->getDataLayout().getTypeStoreSize(number()->getType()).getFixedValue();
  }
  MemoryLocation memory() const {
    return MemoryLocation(place(), LocationSize::precise(size()), instruction->getAAMetadata());
  }
};

/// Sums of one group of the plan that may all take place where the last of them does, in their order.
struct Group {
  Value *origin = nullptr;
  SmallVector<SingleSum, most_shifted_sums> sums;

  const SingleSum &last() const { return sums.back(); }
  bool is_of_warp() const { return isa<CallInst>(last().instruction); }
  std::size_t most() const { return is_of_warp() ? most_grouped_sums : most_shifted_sums; }
};

bool is_planned(const Instruction &instruction) {
  return sum_group(instruction) && (warp_add(instruction) || isa<AtomicRMWInst>(instruction));
}

/// Atomic operations are slower where the address does not say in which memory it lies. What a kernel is given lies in
/// global memory.
PointerType *address_type(const Instruction &sum, const Value &place) {
  const Value *object = getUnderlyingObject(&place, 0);
  if (isa<Argument>(object) && sum.getFunction()->getCallingConv() == CallingConv::PTX_Kernel)
    return PointerType::get(sum.getContext(), static_cast<unsigned>(DeviceMemory::global));
  return cast<PointerType>(is_in(*object->getType(), DeviceMemory::shared) ? object->getType() : place.getType());
}

Value *in_its_memory(const Instruction &sum, Value &place, IRBuilder<> &builder) {
  return builder.CreatePointerBitCastOrAddrSpaceCast(&place, address_type(sum, place));
}

class BlockGrouper {
public:
  BlockGrouper(AAResults &aliases, ScalarEvolution &evolution) : aliases_(aliases), evolution_(evolution) {}

  bool run(BasicBlock &block) {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(block)) {
      changed |= close_those_before(instruction);
      if (is_planned(instruction))
        changed |= take({&instruction, 0});
    }
    for (const Group &group : open_)
      changed |= write(group);
    open_.clear();
    return changed;
  }

private:
  /// Whatever the instruction reads or writes has to be complete.
  bool close_those_before(const Instruction &instruction) {
    return close_if([&](const Group &group) {
      return any_of(group.sums,
                    [&](const SingleSum &sum) { return !commutes_with_sum(instruction, sum.memory(), aliases_); });
    });
  }

  bool take(SingleSum sum) {
    for (Group &group : open_)
      if (const std::optional<std::int64_t> offset = distance(group, sum)) {
        sum.offset = *offset;
        const bool joined = join_with_same(group, sum);
        group.sums.push_back(sum);
        const bool is_full = group.sums.size() == group.most();
        return (is_full && close_if([&](const Group &other) { return &other == &group; })) || joined;
      }
    open_.push_back({sum.place(), {sum}});
    return false;
  }

  std::optional<std::int64_t> distance(const Group &group, const SingleSum &sum) {
    const bool are_alike = sum_group(*group.last().instruction) == sum_group(*sum.instruction) &&
                           group.is_of_warp() == isa<CallInst>(sum.instruction) &&
                           group.last().number()->getType() == sum.number()->getType() &&
                           group.origin->getType() == sum.place()->getType();
    return are_alike ? constant_distance(*group.origin, *sum.place(), evolution_) : std::nullopt;
  }

  /// One sum for what goes to one place.
  static bool join_with_same(Group &group, const SingleSum &sum) {
    auto *same = find_if(group.sums, [&](const SingleSum &other) { return other.offset == sum.offset; });
    if (same == group.sums.end())
      return false;
    IRBuilder<> builder(sum.instruction);
    sum.set_number(builder.CreateFAdd(same->number(), sum.number()));
    same->instruction->eraseFromParent();
    group.sums.erase(same);
    return true;
  }

  bool close_if(function_ref<bool(const Group &)> ends) {
    bool changed = false;
    SmallVector<Group, 4> remaining;
    for (Group &group : open_)
      if (ends(group))
        changed |= write(group);
      else
        remaining.push_back(std::move(group));
    open_ = std::move(remaining);
    return changed;
  }

  static bool write(const Group &group) {
    SmallVector<SingleSum, most_shifted_sums> sums = group.sums;
    sort(sums, [](const SingleSum &a, const SingleSum &b) { return a.offset < b.offset; });
    SmallVector<std::int64_t, most_shifted_sums> offsets;
    for (const SingleSum &sum : sums)
      offsets.push_back(sum.offset - sums.front().offset);
    Function *add = function_for(group, sums.front(), offsets);
    if (!add)
      return false;
    IRBuilder<> builder(group.last().instruction);
    const SingleSum &first = sums.front();
    SmallVector<Value *, most_shifted_sums + 1> arguments{in_its_memory(*first.instruction, *first.place(), builder)};
    for (const SingleSum &sum : sums)
      arguments.push_back(sum.number());
    builder.CreateCall(add, arguments)->setConvergent();
    for (const SingleSum &sum : sums)
      sum.instruction->eraseFromParent();
    return true;
  }

  /// Null where they are not worth it.
  static Function *function_for(const Group &group, const SingleSum &first, ArrayRef<std::int64_t> offsets) {
    Module &module = *first.instruction->getModule();
    Type *number = first.number()->getType();
    PointerType *address = address_type(*first.instruction, *first.place());
    if (group.is_of_warp())
      return offsets.size() < 2 ? nullptr : grouped_warp_add_function(module, number, address, offsets);
    SmallVector<unsigned, most_shifted_sums> steps;
    for (const std::int64_t offset : offsets) {
      if (offset % first.size() != 0 || offset / first.size() >= lanes_of_warp)
        return nullptr;
      steps.push_back(offset / first.size());
    }
    return steps.size() < least_shifted_sums ? nullptr : shifted_warp_add_function(module, number, address, steps);
  }

  AAResults &aliases_;
  ScalarEvolution &evolution_;
  SmallVector<Group, 4> open_;
};

bool inline_the_rest(Function &function) {
  SmallVector<CallInst *, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (warp_add(instruction))
      calls.push_back(cast<CallInst>(&instruction));
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    Value *place = in_its_memory(*call, *call->getArgOperand(0), builder);
    Function *add =
        warp_add_function(*function.getParent(), type_of_adjoint_sum(*call), cast<PointerType>(place->getType()));
    call->setArgOperand(0, place);
    call->setCalledFunction(add);
    InlineFunctionInfo information;
    InlineFunction(*call, information);
  }
  return !calls.empty();
}

} // namespace

PreservedAnalyses GroupedSumsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!is_device_code(*function.getParent()) || function.getName().starts_with("assay.warp."))
    return PreservedAnalyses::all();
  bool changed = false;
  BlockGrouper grouper(analyses.getResult<AAManager>(function), analyses.getResult<ScalarEvolutionAnalysis>(function));
  for (BasicBlock &block : function)
    changed |= grouper.run(block);
  changed |= inline_the_rest(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::engine
