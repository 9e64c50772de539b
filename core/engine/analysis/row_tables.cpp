#include "core/engine/analysis/row_tables.hpp"
#include "core/engine/analysis/pointer_escape.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

SmallVector<const Value *, 4> objects_of(const Value &pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, nullptr, 0);
  return objects;
}

bool holds_pointers(Type &type) {
  return type.isPtrOrPtrVectorTy() || any_of(type.subtypes(), [](Type *part) { return holds_pointers(*part); });
}

/// A number of which it is seen that it was computed, or counted; others may be an address in disguise.
bool is_computed(const Value &number) {
  return !isa<LoadInst, PHINode, SelectInst, PtrToIntInst, ExtractValueInst, ExtractElementInst, FreezeInst>(number);
}

/// Constant distances from one address.
struct Places {
  const Value *base = nullptr;
  std::int64_t first = 0, last = 0;
};

/// One class of pointers while its uses are followed.
struct TableLevel {
  std::shared_ptr<RowClass> info = std::make_shared<RowClass>();
  SmallSetVector<const Value *, 16> pointers;
  SmallVector<const LoadInst *, 4> loaded_addresses;
  SmallVector<const StoreInst *, 4> stored_addresses;
  SmallVector<const Instruction *, 4> changes; ///< Of addresses in it.
  bool is_opaque = false;                      ///< Addresses may get in or out unseen.
  std::unique_ptr<TableLevel> rows;
};

class Follower {
public:
  Follower(const LoopInfo &loops, const FunctionInfo &function_info) : loops_(loops), function_info_(function_info) {}

  /// Null when a use lets one of the pointers, or one of those that stand in the memory, out of sight.
  std::unique_ptr<TableLevel> follow(ArrayRef<const Value *> seeds, const TableLevel *table, unsigned depth) const {
    constexpr unsigned most_levels = 3;
    auto result = std::make_unique<TableLevel>();
    result->info->table = table ? table->info.get() : nullptr;
    result->pointers.insert(seeds.begin(), seeds.end());
    for (unsigned index = 0; index < result->pointers.size(); ++index)
      for (const Use &use : result->pointers[index]->uses())
        if (!take_use(use, table, *result))
          return nullptr;
    if (result->loaded_addresses.empty() && result->stored_addresses.empty())
      return result;
    if (result->is_opaque || may_be_elsewhere(*result) || depth == most_levels || !follow_rows(*result, depth))
      return nullptr;
    return result;
  }

private:
  bool take_use(const Use &use, const TableLevel *table, TableLevel &result) const {
    const auto *user = cast<Instruction>(use.getUser());
    if (is_passed_on(*user)) {
      result.pointers.insert(user);
      return true;
    }
    if (const auto *load = dyn_cast<LoadInst>(user))
      return take_load(*load, result);
    if (const auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() == use.get() ? table && table->pointers.contains(store->getPointerOperand())
                                                   : take_store(*store, result);
    if (escapes(use, function_info_))
      return false;
    if (const auto *fill = dyn_cast<MemSetInst>(user)) {
      result.is_opaque |= !is_zero(*fill->getValue());
      result.changes.push_back(fill);
    } else if (const auto *call = dyn_cast<CallBase>(user)) {
      const bool reads = call->onlyReadsMemory() && !holds_pointers(*call->getType());
      result.is_opaque |= !reads && !is_release(*call, function_info_) && !call->isLifetimeStartOrEnd();
    } else if (isa<AtomicRMWInst>(user)) {
      result.is_opaque = true;
    }
    return true;
  }

  /// An address may be loaded from other memory, or stored there, by the same instruction.
  static bool may_be_elsewhere(const TableLevel &table) {
    const auto may_be = [&](const auto *access) {
      return any_of(objects_of(*access->getPointerOperand()), [&](const Value *object) {
        return !isa<ConstantPointerNull, UndefValue>(object) && !table.pointers.contains(object);
      });
    };
    return any_of(table.loaded_addresses, may_be) || any_of(table.stored_addresses, may_be);
  }

  static bool is_zero(const Value &value) {
    const auto *constant = dyn_cast<Constant>(&value);
    return constant && constant->isNullValue();
  }

  static bool take_load(const LoadInst &load, TableLevel &result) {
    Type &type = *load.getType();
    if (type.isPointerTy())
      result.loaded_addresses.push_back(&load);
    else if (type.isIntegerTy())
      result.is_opaque |= any_of(load.users(), [](const User *user) {
        return isa<IntToPtrInst, StoreInst, PHINode, SelectInst, CallBase, InsertValueInst, FreezeInst>(user);
      });
    else
      result.is_opaque |= holds_pointers(type) || !type.isFPOrFPVectorTy();
    return true;
  }

  static bool take_store(const StoreInst &store, TableLevel &result) {
    const Value &value = *store.getValueOperand();
    Type &type = *value.getType();
    if (type.isPointerTy()) {
      result.stored_addresses.push_back(&store);
      result.changes.push_back(&store);
    } else if (type.isIntegerTy()) {
      result.is_opaque |= !is_computed(value);
    } else {
      result.is_opaque |= holds_pointers(type) || !type.isFPOrFPVectorTy();
    }
    return true;
  }

  /// Rows: the allocations that are stored in the table, and the addresses that are loaded from it.
  bool follow_rows(TableLevel &table, unsigned depth) const {
    SmallVector<const Value *, 8> seeds(table.loaded_addresses.begin(), table.loaded_addresses.end());
    SmallMapVector<const CallBase *, SmallVector<const StoreInst *, 4>, 4> places;
    for (const StoreInst *store : table.stored_addresses)
      for (const Value *object : objects_of(*store->getValueOperand())) {
        if (isa<ConstantPointerNull, UndefValue>(object))
          continue;
        const auto *allocation = dyn_cast<CallBase>(object);
        if (!allocation || !is_allocation(*allocation))
          return false;
        places[allocation].push_back(store);
      }
    std::int64_t span = 0;
    for (const auto &[allocation, stores] : places) {
      const std::optional<std::int64_t> needed = span_of(*allocation, stores);
      if (!needed)
        return false;
      span = std::max(span, *needed);
      seeds.push_back(allocation);
    }
    table.rows = follow(seeds, &table, depth + 1);
    if (table.rows)
      table.rows->info->span = span;
    return table.rows != nullptr;
  }

  bool is_allocation(const CallBase &call) const {
    const MemoryAction action = classify_memory_call(call, function_info_).action;
    return (action == MemoryAction::allocate || action == MemoryAction::allocate_zeroed) && isNoAliasCall(&call);
  }

  /// How far the places are apart that one allocation is stored in, which are constant distances from one address;
  /// nothing where they may be more.
  std::optional<std::int64_t> span_of(const CallBase &allocation, ArrayRef<const StoreInst *> stores) const {
    const Loop *loop = loops_.getLoopFor(allocation.getParent());
    Places places;
    for (const StoreInst *store : stores)
      if (loops_.getLoopFor(store->getParent()) != loop ||
          !is_of_this_iteration(*store->getValueOperand(), allocation, loop) ||
          !add_places(*store->getPointerOperand(), loop, allocation.getDataLayout(), places))
        return std::nullopt;
    return places.last - places.first;
  }

  /// All that the address may be; the phi of a loop's header is one address in each iteration.
  static bool add_places(const Value &address, const Loop *loop, const DataLayout &layout, Places &places) {
    constexpr unsigned most = 16;
    SmallSetVector<std::pair<const Value *, std::int64_t>, 8> pending;
    pending.insert({&address, 0});
    for (unsigned index = 0; index < pending.size(); ++index) {
      APInt offset(layout.getIndexTypeSizeInBits(address.getType()), std::uint64_t(pending[index].second), true);
      const Value *base = pending[index].first->stripAndAccumulateConstantOffsets(layout, offset, true);
      const std::int64_t at = offset.getSExtValue();
      const auto *phi = dyn_cast<PHINode>(base);
      if (phi && !(loop && loop->getHeader() == phi->getParent())) {
        for (const Value *incoming : phi->incoming_values())
          pending.insert({incoming, at});
        if (pending.size() > most)
          return false;
        continue;
      }
      if (places.base && places.base != base)
        return false;
      places = places.base ? Places{base, std::min(places.first, at), std::max(places.last, at)} : Places{base, at, at};
    }
    return places.base != nullptr;
  }

  /// What is stored is the allocation of the same iteration: no phi of a loop's header is on the way.
  static bool is_of_this_iteration(const Value &stored, const CallBase &allocation, const Loop *loop) {
    SmallSetVector<const Value *, 8> values;
    values.insert(&stored);
    for (unsigned index = 0; index < values.size(); ++index) {
      const auto *instruction = dyn_cast<Instruction>(values[index]);
      if (!instruction || instruction == &allocation)
        continue;
      if (isa<PHINode>(instruction) && loop && loop->getHeader() == instruction->getParent())
        return false;
      if (is_passed_on(*instruction))
        for (const Value *operand : instruction->operand_values())
          if (operand->getType()->isPointerTy())
            values.insert(operand);
    }
    return true;
  }

  const LoopInfo &loops_;
  const FunctionInfo &function_info_;
};

/// Nothing of `changes` can run after the load.
bool is_final(const LoadInst &load, ArrayRef<const Instruction *> changes) {
  SmallPtrSet<const BasicBlock *, 32> after;
  SmallVector<const BasicBlock *, 8> pending{load.getParent()};
  while (!pending.empty())
    for (const BasicBlock *next : successors(pending.pop_back_val()))
      if (after.insert(next).second)
        pending.push_back(next);
  return none_of(changes, [&](const Instruction *change) {
    return after.contains(change->getParent()) || (change->getParent() == load.getParent() && load.comesBefore(change));
  });
}

/// Memory that no row is part of.
bool is_foreign(const Value &object) {
  return isa<Argument, GlobalVariable, AllocaInst, ConstantPointerNull>(object) || isNoAliasCall(&object);
}

} // namespace

RowTables::RowTables(const Function &function, const LoopInfo &loops, const FunctionInfo &function_info) {
  const Follower follower(loops, function_info);
  for (const Instruction &instruction : instructions(function)) {
    if (!isa<AllocaInst>(instruction) && !isNoAliasCall(&instruction))
      continue;
    const std::unique_ptr<TableLevel> table = follower.follow({&instruction}, nullptr, 0);
    if (!table || !table->rows)
      continue;
    for (const TableLevel *level = table.get(); level; level = level->rows.get()) {
      classes_.push_back(level->info);
      for (const Value *pointer : level->pointers)
        class_of_[pointer] = level->info.get();
      if (level->rows)
        for (const LoadInst *load : level->loaded_addresses)
          rows_[load] = {level->rows->info.get(), load, is_final(*load, level->changes)};
    }
  }
}

RowTables RowTables::in_copy(function_ref<const Value *(const Value &)> copy_of) const {
  RowTables result;
  result.classes_ = classes_;
  for (const auto &[value, group] : class_of_)
    if (const Value *copy = copy_of(*value))
      result.class_of_[copy] = group;
  for (const auto &[value, row] : rows_)
    if (const auto *copy = dyn_cast_or_null<LoadInst>(copy_of(*value)))
      result.rows_[copy] = {row.rows, copy, row.is_final};
  return result;
}

const RowAddress *RowTables::find(const Value &value) const {
  const auto found = rows_.find(&value);
  return found == rows_.end() ? nullptr : &found->second;
}

const RowClass *RowTables::class_of(const Value &object) const {
  return class_of_.lookup(&object);
}

bool RowTables::are_apart(const Value &left, const Value &right) const {
  if (empty())
    return false;
  const auto both = [&](const Value *one, const Value *other) {
    const RowClass *first = class_of(*one), *second = class_of(*other);
    return first != second && (first || is_foreign(*one)) && (second || is_foreign(*other));
  };
  const auto others = objects_of(right);
  return all_of(objects_of(left),
                [&](const Value *one) { return all_of(others, [&](const Value *other) { return both(one, other); }); });
}

bool RowTables::is_row(const Value &pointer) const {
  return !empty() && all_of(objects_of(pointer), [&](const Value *object) {
    return isa<ConstantPointerNull, UndefValue>(object) || rows_.contains(object);
  });
}

} // namespace assay::engine
