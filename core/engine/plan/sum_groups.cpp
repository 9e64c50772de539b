#include "core/engine/plan/sum_groups.hpp"
#include "core/engine/analysis/address_distance.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/analysis/thread_offsets.hpp"
#include "core/engine/plan/adjoint_type.hpp"
#include "core/engine/plan/value_text.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Kind = SumGroup::Kind;
using Sum = SumGroup::Sum;

constexpr unsigned lanes = 32; // of a warp

/// A floating-point number in the adjoint of a load.
struct Number {
  Type *type = nullptr;
  std::int64_t offset = 0;
};

void collect_numbers(Type *type, std::int64_t offset, const DataLayout &layout, SmallVectorImpl<Number> &result) {
  if (type->isFloatingPointTy()) {
    result.push_back({type, offset});
  } else if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    const std::int64_t size = layout.getTypeStoreSize(vector->getElementType()).getFixedValue();
    for (unsigned index = 0; index < vector->getNumElements(); ++index)
      collect_numbers(vector->getElementType(), offset + (index * size), layout, result);
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    const std::int64_t size = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (unsigned index = 0; index < array->getNumElements(); ++index)
      collect_numbers(array->getElementType(), offset + (index * size), layout, result);
  } else if (auto *record = dyn_cast<StructType>(type)) {
    const StructLayout *fields = layout.getStructLayout(record);
    for (unsigned index = 0; index < record->getNumElements(); ++index)
      collect_numbers(record->getElementType(index), offset + fields->getElementOffset(index).getFixedValue(), layout,
                      result);
  }
}

/// Sums that no instruction has come between, as the reverse sweep makes them. Offsets count from the first one's.
struct OpenGroup {
  Kind kind = Kind::grouped;
  Type *type = nullptr;
  SmallVector<Sum, most_shifted_sums> sums;

  const LoadInst &origin() const { return *sums.front().load; }
  std::size_t places() const {
    SmallSet<std::int64_t, most_shifted_sums> offsets;
    for (const Sum &sum : sums)
      offsets.insert(sum.offset);
    return offsets.size();
  }
  std::size_t most() const { return kind == Kind::grouped ? most_grouped_sums : most_shifted_sums; }
};

/// Whether the thread's number counts numbers in the address, so that those of a warp's lanes lie side by side.
bool counts_by_thread(const Value &pointer, std::int64_t size) {
  const ThreadAddress address = thread_address(pointer);
  return address.bytes && any_of(address.bytes->terms(), [&](const ThreadTerm &term) {
           return term.factors.size() == 1 && term.count(Symbol::thread) == 1 && term.number == size;
         });
}

class Grouper {
public:
  explicit Grouper(const SumGroupInput &input) : input_(input), layout_(input.prepared.getDataLayout()) {}

  std::vector<SumGroup> run() {
    const BlocksReachingReturn live(input_.prepared);
    for (const BasicBlock &block : input_.prepared)
      if (live.contains(&block))
        group_block(block);
    group_behind_loops(live);
    return std::move(groups_);
  }

private:
  void group_block(const BasicBlock &block) {
    for (const Instruction &instruction : reverse(block)) {
      if (!input_.has_adjoint(instruction))
        continue;
      const auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && input_.adds[*load] != AdjointAdd::plain) {
        if (!input_.summed_over(*load))
          take_all(*load, nullptr);
        continue;
      }
      close_if(nullptr, [&](const OpenGroup &group) { return has_to_follow(instruction, group); });
    }
    close_if(nullptr, [](const OpenGroup &) { return true; });
  }

  /// The adjoint of `instruction` may read or write what the group adds to, or other threads may.
  bool has_to_follow(const Instruction &instruction, const OpenGroup &group) const {
    if (!instruction.mayReadOrWriteMemory())
      return false;
    return synchronisation(instruction) != Synchronisation::none || instruction.isVolatile() ||
           any_of(group.sums, [&](const Sum &sum) {
             return isModOrRefSet(input_.aliases.getModRefInfo(&instruction, MemoryLocation::get(sum.load)));
           });
  }

  void group_behind_loops(const BlocksReachingReturn &live) {
    MapVector<const BasicBlock *, SmallVector<const LoadInst *, 8>> loads;
    for (const BasicBlock &block : input_.prepared)
      if (live.contains(&block))
        for (const Instruction &instruction : block)
          if (const auto *load = dyn_cast<LoadInst>(&instruction);
              load && input_.adds[*load] != AdjointAdd::plain && input_.has_adjoint(*load))
            if (const BasicBlock *loop = input_.summed_over(*load))
              loads[loop].push_back(load);
    for (const auto &[loop, summed] : loads) {
      for (const LoadInst *load : summed)
        take_all(*load, loop);
      close_if(loop, [](const OpenGroup &) { return true; });
    }
  }

  void take_all(const LoadInst &load, const BasicBlock *loop) {
    SmallVector<Number, 4> numbers;
    collect_numbers(adjoint_type_of(load, input_.types), 0, layout_, numbers);
    for (const auto &[part, number] : enumerate(numbers))
      if (number.type->isFloatTy() || number.type->isDoubleTy())
        take(load, unsigned(part), numbers.size() > 1, number, loop);
  }

  void take(const LoadInst &load, unsigned part, bool of_several, const Number &number, const BasicBlock *loop) {
    const Kind kind = input_.adds.lane_addresses(load) == LaneAddresses::perhaps_alike ? Kind::grouped : Kind::shifted;
    for (OpenGroup &group : open_) {
      if (group.kind != kind || group.type != number.type ||
          group.origin().getPointerOperandType() != load.getPointerOperandType())
        continue;
      const std::optional<std::int64_t> distance =
          constant_distance(*group.origin().getPointerOperand(), *load.getPointerOperand(), input_.evolution);
      if (!distance)
        continue;
      group.sums.push_back({&load, part, of_several, *distance + number.offset});
      if (group.places() == group.most())
        close_if(loop, [&](const OpenGroup &other) { return &other == &group; });
      return;
    }
    open_.push_back({kind, number.type, {{&load, part, of_several, number.offset}}});
  }

  void close_if(const BasicBlock *loop, function_ref<bool(const OpenGroup &)> ends) {
    SmallVector<OpenGroup, 4> remaining;
    for (OpenGroup &group : open_)
      if (!ends(group))
        remaining.push_back(std::move(group));
      else if (is_worth_it(group))
        groups_.push_back(finished(group, loop));
    open_ = std::move(remaining);
  }

  bool is_worth_it(const OpenGroup &group) const {
    if (group.kind == Kind::grouped)
      return group.places() > 1;
    const std::int64_t size = layout_.getTypeStoreSize(group.type).getFixedValue();
    const auto offset = [](const Sum &sum) { return sum.offset; };
    const std::int64_t lowest = offset(*min_element(group.sums, by_offset));
    return group.places() >= least_shifted_sums && counts_by_thread(*group.origin().getPointerOperand(), size) &&
           all_of(group.sums, [&](const Sum &sum) {
             return (sum.offset - lowest) % size == 0 && (sum.offset - lowest) / size < lanes;
           });
  }

  static bool by_offset(const Sum &a, const Sum &b) { return a.offset < b.offset; }

  SumGroup finished(const OpenGroup &open, const BasicBlock *loop) const {
    SumGroup group{open.kind, input_.adds[open.origin()] == AdjointAdd::told_apart, {}, loop};
    for (const Sum &sum : open.sums)
      group.sums.insert(upper_bound(group.sums, sum, by_offset), sum);
    const std::int64_t lowest = group.sums.front().offset;
    for (Sum &sum : group.sums)
      sum.offset -= lowest;
    return group;
  }

  const SumGroupInput &input_;
  const DataLayout &layout_;
  SmallVector<OpenGroup, 4> open_;
  std::vector<SumGroup> groups_;
};

} // namespace

StringRef name_of(Kind kind) {
  switch (kind) {
  case Kind::grouped:
    return "grouped";
  case Kind::shifted:
    return "shifted";
  }
  llvm_unreachable("unknown kind of sums");
}

SumGroups plan_sum_groups(const SumGroupInput &input) {
  SumGroups result;
  if (!is_device_code(*input.prepared.getParent()))
    return result;
  result.groups_ = Grouper(input).run();
  for (const auto &[index, group] : enumerate(result.groups_))
    for (const Sum &sum : group.sums)
      result.index_[{sum.load, sum.part}] = index;
  return result;
}

void SumGroups::print(raw_ostream &out) const {
  for (const SumGroup &group : groups_) {
    out << name_of(group.kind) << " sum of a warp" << (group.unless_local ? " unless local" : "");
    if (group.loop)
      out << " behind " << name_of(*group.loop);
    StringRef lead = ": ";
    for (const Sum &sum : group.sums) {
      out << lead << name_of(*sum.load);
      if (sum.of_several)
        out << " part " << sum.part;
      out << " at " << sum.offset;
      lead = ", ";
    }
    out << '\n';
  }
}

} // namespace assay::engine
