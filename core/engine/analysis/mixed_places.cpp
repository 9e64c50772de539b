#include "core/engine/analysis/mixed_places.hpp"
#include "core/engine/analysis/doubles_alone.hpp"
#include <numeric>

namespace assay::engine {
namespace {

constexpr unsigned most_rounds = 12;
constexpr std::uint64_t word = 4;
constexpr std::uint64_t whole_word = 8; // of a pointer or a double
constexpr std::uint64_t most_single_bytes = 4096;

/// A number at one time and an address at another; places that are not known well may be several ones.
bool is_number_or_address(const Evidence &evidence, OffsetSet at) {
  return at.stride % whole_word == 0 && evidence.excludes(evidence);
}

/// The offsets from `start` on at which something was seen.
llvm::SmallVector<std::int64_t, 16> seen_offsets(const TypeTree &tree, OffsetSet start,
                                                 std::optional<std::uint64_t> size) {
  llvm::SmallVector<std::int64_t, 16> offsets;
  if (size && *size <= most_single_bytes) {
    for (std::uint64_t offset = 0; offset + whole_word <= *size; offset += whole_word)
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

MixedPlaces::MixedPlaces(const MemoryClasses &memory, std::vector<TypeTree> &trees, MovedBits &bits,
                         const std::vector<MemoryMove> &moves, const std::vector<MemoryCopy> &copies)
    : memory_(memory), trees_(trees), bits_(bits), moves_(moves), copies_(copies), context_(memory.root().getContext()),
      bits_tell_(computes_with_doubles_alone(*memory.root().getParent())) {}

/// That something is a number is not doubted: what is moved as one is one.
bool MixedPlaces::spread_to(Location at, const Evidence &mixed) {
  TypeTree &tree = trees_[at.node];
  const Evidence known = tree.look_up(at.at);
  return known.resolve(context_).kind == ByteKind::pointer && tree.add(at.at, known.together_with(mixed));
}

/// What is copied from a place that holds floats at one time and something else at another may be any of it, whatever
/// integers the copy is declared as.
bool MixedPlaces::spread_to_declared(Location from, Location to, std::optional<std::uint64_t> size) {
  if (from.at.stride != 0 || to.at.stride != 0)
    return false;
  bool changed = false;
  const auto conflicts = trees_[from.node].exact(); // by value: both may be one
  for (const auto &[offset, evidence] : conflicts) {
    const std::int64_t relative = offset - from.at.base;
    if (relative < 0 || (size && relative >= static_cast<std::int64_t>(*size)) || !evidence.mentions_floating() ||
        !evidence.is_conflict(context_))
      continue;
    const OffsetSet at{to.at.base + relative, 0};
    const Evidence known = trees_[to.node].look_up(at);
    if (known.only(Rank::access).empty() && known.resolve(context_).kind == ByteKind::integer)
      changed |= trees_[to.node].add(at, evidence);
  }
  return changed;
}

bool MixedPlaces::spread_by_copy(Location from, Location to, std::optional<std::uint64_t> size) {
  bool changed = spread_to_declared(from, to, size);
  if (!bits_tell_)
    return changed;
  for (const std::int64_t offset : seen_offsets(trees_[from.node], from.at, size)) {
    const OffsetSet source = from.at.plus({offset, 0});
    const Evidence seen = trees_[from.node].look_up(source);
    if (is_number_or_address(seen, source))
      changed |= spread_to({to.node, to.at.plus({offset, 0})}, seen);
  }
  return changed;
}

bool MixedPlaces::spread_by_move(const MemoryMove &move) {
  const std::uint64_t size = memory_.layout().getTypeStoreSize(move.value.second->getType()).getFixedValue();
  bool changed = false;
  for (unsigned index = 0; (index * word) + whole_word <= size; index += whole_word / word) {
    const OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word), 0});
    if (!bits_.own_word(move.value, index).only(Rank::access).empty())
      continue; // What is done with it tells.
    const Evidence seen = trees_[move.memory.node].look_up(at);
    Evidence &mixed = words_[bits_.word_id(move.value, index)];
    if (bits_tell_ && is_number_or_address(seen, at)) {
      bits_.mark_mixed(move.value, index);
      changed |= mixed.merge(seen);
    } else if (!mixed.empty()) {
      changed |= spread_to({move.memory.node, at}, mixed);
    }
  }
  return changed;
}

void MixedPlaces::spread() {
  bool changed = true;
  for (unsigned round = 0; changed && round < most_rounds; ++round) {
    changed = false;
    for (const MemoryMove &move : moves_)
      changed |= spread_by_move(move);
    for (const MemoryCopy &copy : copies_) {
      changed |= spread_by_copy(copy.source, copy.target, copy.size);
      changed |= spread_by_copy(copy.target, copy.source, copy.size);
    }
  }
}

void MixedPlaces::find_doubtful_words() {
  for (const MemoryMove &move : moves_) {
    const std::uint64_t size = memory_.layout().getTypeStoreSize(move.value.second->getType()).getFixedValue();
    for (unsigned index = 0; (index * word) + whole_word <= size; ++index) {
      const OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word), 0});
      if (trees_[move.memory.node].look_up(at).is_conflict(context_))
        bits_.mark_doubtful(move.value, index);
    }
  }
}

} // namespace assay::engine
