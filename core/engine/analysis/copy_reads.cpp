#include "core/engine/analysis/copy_reads.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/bounded_offsets.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::size_t most_addresses = 256, most_steps = 4096;
constexpr unsigned most_sets = 16; // of one address
using Objects = SmallSetVector<const Value *, 4>;

bool passes_on(const Value &value) {
  return isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(value);
}

/// The allocations that an address is computed from; none where it is computed from something else.
Objects objects_behind(const Value &pointer) {
  SmallSetVector<const Value *, 16> pending;
  Objects objects;
  pending.insert(&pointer);
  for (std::size_t next = 0; next < pending.size(); ++next) {
    const Value *value = pending[next];
    if (isa<AllocaInst>(value) || isNoAliasCall(value))
      objects.insert(value);
    else if (passes_on(*value) && next < most_addresses)
      pending.insert_range(make_filter_range(cast<Instruction>(value)->operand_values(),
                                             [](const Value *operand) { return operand->getType()->isPointerTy(); }));
    else if (!isa<ConstantPointerNull, UndefValue>(value))
      return {};
  }
  return objects;
}

bool covers(OffsetSet set, OffsetSet other) {
  if (set.stride == 0)
    return set == other;
  return floor_modulo(other.base - set.base, set.stride) == 0 && other.stride % set.stride == 0;
}

/// A few sets, joined to one where there are more.
class Offsets {
public:
  /// True where it was not there.
  bool add(OffsetSet set) {
    if (any_of(sets_, [&](OffsetSet known) { return covers(known, set); }))
      return false;
    sets_.push_back(set);
    if (sets_.size() > most_sets) {
      const OffsetSet all = std::accumulate(sets_.begin() + 1, sets_.end(), sets_.front(),
                                            [](OffsetSet one, OffsetSet other) { return one.join(other); });
      sets_.assign({all});
    }
    return true;
  }
  ArrayRef<OffsetSet> sets() const { return sets_; }

private:
  SmallVector<OffsetSet, 4> sets_;
};

/// A distance or a comparison of addresses.
bool is_only_compared(const Value &integer) {
  return all_of(integer.users(), [](const User *user) {
    const auto *operation = dyn_cast<BinaryOperator>(user);
    return isa<ICmpInst>(user) || (operation && operation->getOpcode() == Instruction::Sub);
  });
}

bool is_release(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const LibraryFunction *known = callee ? library_function(*callee) : nullptr;
  return known && known->effect == LibraryEffect::deallocation;
}

/// The program computes with the integer, whose bits are nothing else.
bool is_number_of_things(const LoadInst &load) {
  constexpr unsigned bits_of_float = 32;
  if (!load.getType()->isIntegerTy())
    return false;
  return load.getType()->getIntegerBitWidth() < bits_of_float ||
         all_of(
             load.users(),
             [](const User *user) {
               const auto *operation = dyn_cast<BinaryOperator>(user);
               return isa<ICmpInst, SIToFPInst, UIToFPInst, SExtInst, ZExtInst, GetElementPtrInst, SwitchInst>(user) ||
                      (operation &&
                       (operation->getOpcode() == Instruction::Add || operation->getOpcode() == Instruction::Sub ||
                        operation->getOpcode() == Instruction::Mul));
             });
}

class Reads {
public:
  explicit Reads(const DataLayout &layout) : layout_(layout) {}

  std::optional<CopyReads> of(const Value &target) {
    for (const Value *object : objects_behind(target))
      reach(*object, {0, 0});
    while (!pending_.empty() && steps_ < most_steps)
      if (!follow(*pending_.pop_back_val()))
        return std::nullopt;
    const auto start = addresses_.find(&target);
    if (!pending_.empty() || start == addresses_.end() || start->second.sets().size() != 1 ||
        start->second.sets().front().stride != 0)
      return std::nullopt;
    return collect(start->second.sets().front().base);
  }

private:
  void reach(const Value &address, OffsetSet at) {
    if (addresses_[&address].add(at))
      pending_.push_back(&address);
  }

  void reach(const Value &address, ArrayRef<OffsetSet> from, const OffsetSets &added) {
    for (const OffsetSet &start : SmallVector<OffsetSet, 4>(from))
      for (const OffsetSet &offset : added)
        reach(address, start.plus(offset));
  }

  /// False where a use is none of those that are understood.
  bool follow(const Value &address) {
    if (addresses_.size() > most_addresses)
      return false;
    const SmallVector<OffsetSet, 4> at(addresses_[&address].sets());
    return all_of(address.uses(), [&](const Use &use) {
      ++steps_;
      return follow(use, at);
    });
  }

  bool follow(const Use &use, ArrayRef<OffsetSet> at) {
    const auto &user = *cast<Instruction>(use.getUser());
    if (const auto *gep = dyn_cast<GEPOperator>(&user)) {
      reach(user, at, bounded_offsets(*gep, layout_));
      return true;
    }
    if (passes_on(user)) {
      reach(user, at, {{0, 0}});
      return true;
    }
    if (const auto *load = dyn_cast<LoadInst>(&user)) {
      loads_.insert(load);
      return true;
    }
    if (isa<StoreInst>(user))
      return use.getOperandNo() == 1;
    if (const auto *transfer = dyn_cast<MemTransferInst>(&user); transfer && use.getOperandNo() == 1)
      return copy_on(*transfer, at);
    if (isa<MemIntrinsic, ICmpInst>(user) || user.isLifetimeStartOrEnd())
      return true;
    if (isa<PtrToIntInst>(user))
      return is_only_compared(user);
    const auto *call = dyn_cast<CallBase>(&user);
    return call && is_release(*call);
  }

  /// What is copied to another object is read there.
  bool copy_on(const MemTransferInst &transfer, ArrayRef<OffsetSet> at) {
    APInt offset(layout_.getIndexTypeSizeInBits(transfer.getRawDest()->getType()), 0);
    const Value *object = transfer.getRawDest()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    if (!isa<AllocaInst>(object) && !isNoAliasCall(object))
      return false;
    reach(*object, at, {{-offset.getSExtValue(), 0}});
    return true;
  }

  std::optional<CopyReads> collect(std::int64_t start) const {
    CopyReads reads;
    for (const LoadInst *load : loads_) {
      Type *type = load->getType()->getScalarType();
      if (is_number_of_things(*load))
        continue;
      if (!(type->isFloatingPointTy() || load->getType()->isPointerTy()) || load->getType()->isScalableTy())
        return std::nullopt;
      const std::uint64_t size = layout_.getTypeStoreSize(type), whole = layout_.getTypeStoreSize(load->getType());
      for (const OffsetSet &at : addresses_.find(load->getPointerOperand())->second.sets())
        for (std::uint64_t lane = 0; lane < whole; lane += size)
          if (!add(reads, at.plus({static_cast<std::int64_t>(lane) - start, 0}), basic_type(type)))
            return std::nullopt;
    }
    return reads;
  }

  /// False where it overlaps another, or begins at no multiple of its size: words are told apart by where they begin.
  bool add(CopyReads &reads, OffsetSet at, BasicType type) const {
    const std::uint64_t size = byte_size(type, layout_);
    if (at.stride % size != 0 || floor_modulo(at.base, size) != 0)
      return false;
    if (at.stride != 0)
      at.base = floor_modulo(at.base, at.stride);
    else if (at.base < 0)
      return true; // in front of what is copied
    for (const RepeatedField &read : reads) {
      const OffsetSet known{read.offset, read.stride};
      if (read.type == type && covers(known, at))
        return true;
      const std::uint64_t period = std::gcd(known.stride, at.stride);
      const std::int64_t apart = at.base - known.base, other = static_cast<std::int64_t>(byte_size(read.type, layout_));
      const std::int64_t behind = period == 0 ? apart : floor_modulo(apart, period);
      const bool is_apart = period == 0 ? apart >= other || -apart >= static_cast<std::int64_t>(size)
                                        : behind >= other && behind + static_cast<std::int64_t>(size) <=
                                                                 static_cast<std::int64_t>(period);
      const bool is_same = read.type == type && behind == 0;
      if (!is_apart && !is_same)
        return false;
    }
    reads.push_back({at.base, at.stride, type});
    return true;
  }

  const DataLayout &layout_;
  MapVector<const Value *, Offsets> addresses_;
  SmallVector<const Value *, 16> pending_;
  SmallSetVector<const LoadInst *, 16> loads_;
  std::size_t steps_ = 0;
};

} // namespace

std::optional<CopyReads> reads_of_copy(const Value &target, const DataLayout &layout) {
  return Reads(layout).of(target);
}

Type *only_type(const CopyReads &reads) {
  Type *type = reads.empty() ? nullptr : reads.front().type.floating;
  const bool is_one = type && (type->isFloatTy() || type->isDoubleTy()) &&
                      all_of(reads, [&](const RepeatedField &read) { return read.type == reads.front().type; });
  return is_one ? type : nullptr;
}

} // namespace assay::engine
