#pragma once
// A deep copy that keeps sharing: what two parts of the original refer to in common, two parts of the copy refer to in
// common, whether it is owned by a third part or by nobody.
//
//   1. Walk the original. Note the memory that it owns, and the blocks that it refers to besides.
//   2. Blocks that overlap become one; blocks within owned memory are none.
//   3. Clone the object and each block: that copies owned memory, and leaves references as they are.
//   4. Walk the owned memory of original and clone side by side; that gives a table from old to new addresses.
//   5. Send every reference in the clones through the table.

#include "assay/detail/traverse/clone.hpp"
#include "assay/detail/traverse/numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace assay::detail {

struct AddressRange {
  std::uintptr_t begin = 0, end = 0;

  static AddressRange of(const void *begin, std::size_t bytes) {
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    return {first, first + bytes};
  }
  bool contains(const AddressRange &other) const { return begin <= other.begin && other.end <= end; }
};

/// Ranges in order, without those that lie within another.
template <class Range, class ToAddresses>
void keep_outermost(std::vector<Range> &ranges, ToAddresses addresses) {
  std::sort(ranges.begin(), ranges.end(), [&](const Range &a, const Range &b) {
    const AddressRange left = addresses(a), right = addresses(b);
    return left.begin != right.begin ? left.begin < right.begin : left.end > right.end;
  });
  std::vector<Range> kept;
  for (Range &range : ranges)
    if (kept.empty() || !addresses(kept.back()).contains(addresses(range)))
      kept.push_back(std::move(range));
  ranges = std::move(kept);
}

/// From addresses in the original to addresses in the copy.
class AddressTable {
public:
  void add(AddressRange old, std::uintptr_t copy, std::shared_ptr<void> owner) {
    rows.push_back({old, copy, std::move(owner)});
  }
  void finish() {
    keep_outermost(rows, [](const Row &row) { return row.old; });
  }

  struct Found {
    void *address = nullptr;
    std::shared_ptr<void> owner; ///< Null where the copy itself owns the memory.
  };
  Found find(const AddressRange &range) const {
    auto row =
        std::upper_bound(rows.begin(), rows.end(), range.begin,
                         [](std::uintptr_t address, const Row &candidate) { return address < candidate.old.begin; });
    if (row == rows.begin() || !(--row)->old.contains(range))
      return {};
    return {reinterpret_cast<void *>(row->copy + (range.begin - row->old.begin)), row->owner};
  }

private:
  struct Row {
    AddressRange old;
    std::uintptr_t copy;
    std::shared_ptr<void> owner;
  };
  std::vector<Row> rows;
};

/// Memory that a value owns, in the order of the traversal; references are not followed.
struct OwnedMemory {
  std::vector<AddressRange> ranges;

  template <class T>
  void number(T & /*x*/, const Path & /*path*/) {}
  template <class T>
  void integer(T & /*x*/, const Path & /*path*/) {}
  void owned(const void *begin, std::size_t bytes) { ranges.push_back(AddressRange::of(begin, bytes)); }
  template <class R, class E>
  void reference(R & /*reference*/, const Target<E> & /*target*/, const Path & /*path*/) {}
};

/// Sends references to their new targets.
struct Retargeting {
  const AddressTable &table;

  template <class T>
  void number(T & /*x*/, const Path & /*path*/) {}
  template <class T>
  void integer(T & /*x*/, const Path & /*path*/) {}
  void owned(const void * /*begin*/, std::size_t /*bytes*/) {}
  template <class R, class E>
  void reference(R &reference, const Target<E> &target, const Path & /*path*/) {
    if (target.count == 0)
      return;
    const AddressTable::Found found = table.find(AddressRange::of(target.begin, target.bytes()));
    if (found.address != nullptr)
      assign(reference, static_cast<E *>(found.address), target.count, found.owner);
  }

private:
  template <class R, class E>
  static void assign(R &reference, E *begin, std::size_t count, const std::shared_ptr<void> &owner) {
    constexpr Kind kind = kind_of<R>();
    if constexpr (kind == Kind::view)
      reference = R(begin, count);
    else if constexpr (kind == Kind::wrapper)
      reference = R(*begin);
    else if constexpr (kind == Kind::shared)
      reference = R(owner, begin);
    else if constexpr (kind == Kind::weak)
      reference = std::shared_ptr<typename R::element_type>(owner, begin);
    else
      reference = begin;
  }
};

/// The operation on the elements of a block, whose type is no longer known.
struct BlockType {
  std::size_t element_bytes;
  std::shared_ptr<void> (*clone)(const void *elements, std::size_t count);
  void (*owned)(void *elements, std::size_t count, OwnedMemory &memory);
  void (*retarget)(void *elements, std::size_t count, Retargeting &retargeting);
};

template <class E>
std::shared_ptr<void> clone_block(const void *elements, std::size_t count) {
  const auto *originals = static_cast<const E *>(elements);
  std::allocator<E> allocator;
  E *copies = allocator.allocate(count);
  for (std::size_t index = 0; index < count; ++index)
    ::new (static_cast<void *>(copies + index)) E(clone(originals[index]));
  return {static_cast<void *>(copies), [count](void *memory) {
            std::destroy_n(static_cast<E *>(memory), count);
            std::allocator<E>().deallocate(static_cast<E *>(memory), count);
          }};
}

template <class E, class Visitor>
void walk_block(void *elements, std::size_t count, Visitor &visitor) {
  if constexpr (!nothing_inside<E>)
    for (std::size_t index = 0; index < count; ++index)
      walk(static_cast<E *>(elements)[index], visitor, Path(""));
}

template <class E>
inline constexpr BlockType block_type{sizeof(E), &clone_block<E>, &walk_block<E, OwnedMemory>,
                                      &walk_block<E, Retargeting>};

/// Elements that something refers to.
struct Block {
  AddressRange range;
  const BlockType *type;
  std::shared_ptr<void> copy;

  std::size_t count() const { return (range.end - range.begin) / type->element_bytes; }
  void *original() const { return reinterpret_cast<void *>(range.begin); }
};

/// Step 1. Blocks of elements in which nothing is differentiated are not copied: a shadow shares them.
class MemoryVisitor {
public:
  std::vector<AddressRange> owned_ranges;
  std::vector<Block> blocks;

  template <class T>
  void number(T & /*x*/, const Path & /*path*/) {}
  template <class T>
  void integer(T & /*x*/, const Path & /*path*/) {}
  void owned(const void *begin, std::size_t bytes) { owned_ranges.push_back(AddressRange::of(begin, bytes)); }
  template <class R, class E>
  void reference(R & /*reference*/, const Target<E> &target, const Path &path) {
    if constexpr (kind_of<R>() != Kind::weak && HasNumbers<E>) {
      if (target.count > 0)
        blocks.push_back({AddressRange::of(target.begin, target.bytes()), &block_type<E>, nullptr});
      frontier.follow(target, *this, path);
    }
  }
  void finish() { frontier.finish(*this); }

private:
  Frontier frontier;
};

/// Step 2.
inline std::vector<Block> distinct_blocks(MemoryVisitor &memory) {
  const auto itself = [](const AddressRange &range) { return range; };
  keep_outermost(memory.owned_ranges, itself);
  const auto &owned = memory.owned_ranges; // In order, and apart from each other.
  const auto is_owned = [&](const Block &block) {
    const auto after =
        std::upper_bound(owned.begin(), owned.end(), block.range.begin,
                         [](std::uintptr_t address, const AddressRange &range) { return address < range.begin; });
    return after != owned.begin() && std::prev(after)->contains(block.range);
  };
  std::erase_if(memory.blocks, is_owned);
  keep_outermost(memory.blocks, [](const Block &block) { return block.range; });
  std::vector<Block> distinct;
  for (Block &block : memory.blocks)
    if (!distinct.empty() && distinct.back().type == block.type && block.range.begin < distinct.back().range.end)
      distinct.back().range.end = std::max(distinct.back().range.end, block.range.end);
    else
      distinct.push_back(std::move(block));
  return distinct;
}

/// Steps 3 to 5 for `copy`, which is a clone of `original`. Returns the memory that the copy refers to.
template <class T>
std::vector<std::shared_ptr<void>> give_own_memory(const T &original, T &copy) {
  auto &source = const_cast<T &>(original);
  MemoryVisitor memory;
  memory.owned(&source, sizeof(T));
  walk(source, memory, Path(""));
  memory.finish();
  std::vector<Block> blocks = distinct_blocks(memory);

  AddressTable table;
  const auto pair_up = [&](const OwnedMemory &old, const OwnedMemory &fresh) {
    for (std::size_t index = 0; index < old.ranges.size(); ++index)
      table.add(old.ranges[index], fresh.ranges[index].begin, nullptr);
  };
  OwnedMemory old, fresh;
  old.owned(&source, sizeof(T));
  fresh.owned(&copy, sizeof(T));
  walk(source, old, Path(""));
  walk(copy, fresh, Path(""));
  pair_up(old, fresh);
  std::vector<std::shared_ptr<void>> kept;
  for (Block &block : blocks) {
    block.copy = block.type->clone(block.original(), block.count());
    kept.push_back(block.copy);
    table.add(block.range, reinterpret_cast<std::uintptr_t>(block.copy.get()), block.copy);
    OwnedMemory old_inside, fresh_inside;
    block.type->owned(block.original(), block.count(), old_inside);
    block.type->owned(block.copy.get(), block.count(), fresh_inside);
    pair_up(old_inside, fresh_inside);
  }
  table.finish();

  Retargeting retargeting{table};
  walk(copy, retargeting, Path(""));
  for (const Block &block : blocks)
    block.type->retarget(block.copy.get(), block.count(), retargeting);
  return kept;
}

} // namespace assay::detail
