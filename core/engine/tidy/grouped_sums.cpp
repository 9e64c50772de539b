#include "core/engine/tidy/grouped_sums.hpp"
#include "core/engine/emit/grouped_warp_adds.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/tidy/address_distance.hpp"
#include "core/engine/tidy/sum_order.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

struct Member {
  CallInst *call = nullptr;
  std::int64_t offset = 0; ///< From the group's origin, in bytes.
};

/// Sums that may all take place where the last of them does, in their order.
struct Group {
  Value *origin = nullptr;
  SmallVector<Member, most_grouped_sums> members;

  CallInst &last() const { return *members.back().call; }
};

MemoryLocation memory_of(const CallInst &call) {
  const TypeSize size = call.getDataLayout().getTypeStoreSize(type_of_adjoint_sum(call));
  return MemoryLocation(call.getArgOperand(0), LocationSize::precise(size), call.getAAMetadata());
}

/// Atomic operations on shared memory are slower where the code does not say that it is shared.
Value *in_its_memory(Value &address, IRBuilder<> &builder) {
  Type *type = getUnderlyingObject(&address, 0)->getType();
  if (type == address.getType() || !is_in(*type, DeviceMemory::shared))
    return &address;
  return builder.CreateAddrSpaceCast(&address, type);
}

class BlockGrouper {
public:
  BlockGrouper(AAResults &aliases, ScalarEvolution &evolution) : aliases_(aliases), evolution_(evolution) {}

  bool run(BasicBlock &block) {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(block)) {
      changed |= close_those_before(instruction);
      if (warp_add(instruction))
        changed |= take(cast<CallInst>(instruction));
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
      return any_of(group.members, [&](const Member &member) {
        return !commutes_with_sum(instruction, memory_of(*member.call), aliases_);
      });
    });
  }

  bool take(CallInst &call) {
    Value &address = *call.getArgOperand(0);
    for (Group &group : open_)
      if (const std::optional<std::int64_t> offset = distance(group, call, address)) {
        const bool joined = join_with_same(group, call, *offset);
        group.members.push_back({&call, *offset});
        const bool is_full = group.members.size() == most_grouped_sums;
        return (is_full && close_if([&](const Group &other) { return &other == &group; })) || joined;
      }
    open_.push_back({&address, {{&call, 0}}});
    return false;
  }

  std::optional<std::int64_t> distance(const Group &group, const CallInst &call, const Value &address) {
    return group.last().getCalledFunction() == call.getCalledFunction()
               ? constant_distance(*group.origin, address, evolution_)
               : std::nullopt;
  }

  /// One sum for what goes to one place.
  static bool join_with_same(Group &group, CallInst &call, std::int64_t offset) {
    auto *same = find_if(group.members, [&](const Member &member) { return member.offset == offset; });
    if (same == group.members.end())
      return false;
    IRBuilder<> builder(&call);
    call.setArgOperand(1, builder.CreateFAdd(same->call->getArgOperand(1), call.getArgOperand(1)));
    same->call->eraseFromParent();
    group.members.erase(same);
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
    if (group.members.size() < 2)
      return false;
    IRBuilder<> builder(&group.last());
    SmallVector<Member, most_grouped_sums> members = group.members;
    sort(members, [](const Member &a, const Member &b) { return a.offset < b.offset; });
    SmallVector<std::int64_t, most_grouped_sums> offsets;
    SmallVector<Value *, most_grouped_sums + 1> arguments{in_its_memory(*members.front().call->getArgOperand(0), builder)};
    for (const Member &member : members) {
      offsets.push_back(member.offset - members.front().offset);
      arguments.push_back(member.call->getArgOperand(1));
    }
    auto *address = cast<PointerType>(arguments.front()->getType());
    Function *add = grouped_warp_add_function(*group.last().getModule(), type_of_adjoint_sum(group.last()), address,
                                              offsets);
    builder.CreateCall(add, arguments)->setConvergent();
    for (const Member &member : members)
      member.call->eraseFromParent();
    return true;
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
    InlineFunctionInfo information;
    InlineFunction(*call, information);
  }
  return !calls.empty();
}

} // namespace

PreservedAnalyses GroupedSumsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!is_device_code(*function.getParent()))
    return PreservedAnalyses::all();
  bool changed = false;
  BlockGrouper grouper(analyses.getResult<AAManager>(function), analyses.getResult<ScalarEvolutionAnalysis>(function));
  for (BasicBlock &block : function)
    changed |= grouper.run(block);
  changed |= inline_the_rest(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::engine
