#include "core/engine/analysis/pointer_or_float_slots.hpp"
#include "core/engine/analysis/units.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "core/engine/analysis/versioned_worklist.hpp"
#include <numeric>

namespace assay::engine {
namespace {

constexpr unsigned most_mixing_rounds = 12;
constexpr std::uint64_t whole_word = 8; // of a pointer or a double

/// A number at one time and an address at another; places that are not known well may be several ones.
bool is_number_or_address(const Evidence &evidence, OffsetSet at) {
  return at.stride % whole_word == 0 && evidence.excludes(evidence);
}

/// True where a place of the memory may be such.
bool may_be_mixed(const TypeTree &tree) {
  return tree.mentioned().mentions_floating() && tree.mentioned().mentions_pointers();
}

/// The offsets from `start` on at which something was seen, or all multiples of `step` in a short piece.
llvm::SmallVector<std::int64_t, 16> seen_offsets(const TypeTree &tree, OffsetSet start,
                                                 std::optional<std::uint64_t> size, std::uint64_t step) {
  llvm::SmallVector<std::int64_t, 16> offsets;
  if (size && *size <= most_single_bytes) {
    for (std::uint64_t offset = 0; offset + step <= *size; offset += step)
      offsets.push_back(static_cast<std::int64_t>(offset));
    return offsets;
  }
  for (const auto &[offset, evidence] : tree.exact())
    if (offset >= start.base)
      offsets.push_back(offset - start.base);
  for (const auto &[key, entry] : tree.strided())
    offsets.push_back(floor_modulo(entry.base - start.base, key.first));
  return offsets;
}

} // namespace

PointerOrFloatSlots::PointerOrFloatSlots(const MemoryClasses &memory, std::vector<TypeTree> &trees,
                                         IntegerProvenance &bits, const std::vector<MemoryMove> &moves,
                                         const std::vector<MemoryCopy> &copies)
    : trees_(trees), bits_(bits), moves_(moves), copies_(copies), context_(memory.root().getContext()),
      bits_tell_(uses_only_double(*memory.root().getParent())) {}

/// That something is a number is not doubted: what is moved as one is one.
bool PointerOrFloatSlots::spread_to(Location at, const Evidence &mixed) {
  TypeTree &tree = trees_[at.node];
  const Evidence known = tree.look_up(at.at);
  return known.resolve(context_).kind == ByteKind::pointer && tree.add(at.at, known.together_with(mixed));
}

/// The exactly known places, counted from `start` on, that hold floats at one time and something else at another.
llvm::SmallVector<std::pair<std::int64_t, Evidence>, 4>
PointerOrFloatSlots::conflicts(const TypeTree &tree, std::int64_t start, std::optional<std::uint64_t> size) const {
  llvm::SmallVector<std::pair<std::int64_t, Evidence>, 4> found;
  if (!tree.mentioned().mentions_floating() || !tree.mentioned().mentions_several())
    return found;
  for (const auto &[offset, evidence] : tree.exact()) {
    const std::int64_t relative = offset - start;
    if (relative >= 0 && (!size || relative < static_cast<std::int64_t>(*size)) && evidence.mentions_floating() &&
        evidence.is_conflict(context_))
      found.emplace_back(relative, evidence);
  }
  return found;
}

/// What is copied from a place that holds floats at one time and something else at another may be any of it, whatever
/// integers the copy is declared as.
bool PointerOrFloatSlots::spread_to_declared(Location from, Location to, std::optional<std::uint64_t> size) {
  if (from.at.stride != 0 || to.at.stride != 0)
    return spread_from_elements(from, to, size);
  bool changed = false;
  for (const auto &[relative, evidence] : conflicts(trees_[from.node], from.at.base, size)) { // both may be one node
    const OffsetSet at{to.at.base + relative, 0};
    const Evidence known = trees_[to.node].look_up(at);
    if (known.only(Rank::access).empty() && known.resolve(context_).kind == ByteKind::integer)
      changed |= trees_[to.node].add(at, evidence);
  }
  return changed;
}

/// The same for elements of an array, of which more may be meant than the one that is copied: where nothing but a type
/// of integers speaks for the copy.
bool PointerOrFloatSlots::spread_from_elements(Location from, Location to, std::optional<std::uint64_t> size) {
  if (!trees_[from.node].mentioned().mentions_floating() || !trees_[from.node].mentioned().mentions_several())
    return false;
  bool changed = false;
  for (const std::int64_t offset : seen_offsets(trees_[from.node], from.at, size, word_bytes)) {
    const OffsetSet at = to.at.plus({offset, 0});
    const Evidence seen = trees_[from.node].look_up(from.at.plus({offset, 0})), known = trees_[to.node].look_up(at);
    const bool is_only_hinted = !known.empty() && known == known.only(Rank::hint);
    if (is_only_hinted && seen.mentions_floating() && seen.is_conflict(context_))
      changed |= trees_[to.node].add(at, seen);
  }
  return changed;
}

bool PointerOrFloatSlots::spread_by_copy(Location from, Location to, std::optional<std::uint64_t> size) {
  bool changed = spread_to_declared(from, to, size);
  if (!bits_tell_ || !may_be_mixed(trees_[from.node]))
    return changed;
  for (const std::int64_t offset : seen_offsets(trees_[from.node], from.at, size, whole_word)) {
    const OffsetSet source = from.at.plus({offset, 0});
    const Evidence seen = trees_[from.node].look_up(source);
    if (is_number_or_address(seen, source))
      changed |= spread_to({to.node, to.at.plus({offset, 0})}, seen);
  }
  return changed;
}

bool PointerOrFloatSlots::spread_by_move(const MemoryMove &move) {
  bool changed = false;
  const TypeTree &tree = trees_[move.memory.node];
  for (unsigned index = 0; (index * word_bytes) + whole_word <= move.bytes; index += whole_word / word_bytes) {
    const OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word_bytes), 0});
    const unsigned moved = move.first_word + index;
    if (!bits_.own_word(moved).only(Rank::access).empty())
      continue; // What is done with it tells.
    const Evidence seen = may_be_mixed(tree) ? tree.look_up(at) : Evidence{};
    if (is_number_or_address(seen, at)) {
      bits_.mark_mixed(moved);
      Word &mixed = words_[bits_.leader(moved)];
      const bool is_new = mixed.seen.merge(seen);
      mixed.version += is_new ? 1 : 0;
      changed |= is_new;
    } else if (const auto mixed = words_.find(bits_.leader(moved)); mixed != words_.end()) {
      changed |= spread_to({move.memory.node, at}, mixed->second.seen);
    }
  }
  return changed;
}

std::uint64_t PointerOrFloatSlots::version(const MemoryMove &move) const {
  std::uint64_t sum = trees_[move.memory.node].version();
  for (unsigned index = 0; index < move.words && !words_.empty(); ++index)
    sum += words_.lookup(bits_.leader(move.first_word + index)).version;
  return sum;
}

void PointerOrFloatSlots::spread() {
  VersionedWorklist<MemoryMove> moves(moves_);
  VersionedWorklist<MemoryCopy> copies(copies_);
  bool changed = true;
  for (unsigned round = 0; changed && round < most_mixing_rounds; ++round) {
    changed = false;
    if (bits_tell_)
      moves.for_each([&](const MemoryMove &move) { return version(move); },
                     [&](const MemoryMove &move) { changed |= spread_by_move(move); });
    copies.for_each(
        [&](const MemoryCopy &copy) { return trees_[copy.source.node].version() + trees_[copy.target.node].version(); },
        [&](const MemoryCopy &copy) {
          changed |= spread_by_copy(copy.source, copy.target, copy.size);
          changed |= spread_by_copy(copy.target, copy.source, copy.size);
        });
  }
}

void PointerOrFloatSlots::find_doubtful_words() {
  for (const MemoryMove &move : moves_) {
    const TypeTree &tree = trees_[move.memory.node];
    if (!tree.mentioned().mentions_several())
      continue;
    for (unsigned index = 0; (index * word_bytes) + whole_word <= move.bytes; ++index) {
      const OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word_bytes), 0});
      if (tree.look_up(at).is_conflict(context_))
        bits_.mark_doubtful(move.first_word + index);
    }
  }
}

} // namespace assay::engine
