#include "core/engine/analysis/evidence_exchange.hpp"
#include "core/engine/analysis/units.hpp"
#include "core/engine/analysis/versioned_worklist.hpp"
#include <numeric>

namespace assay::engine {

/// Grows whenever the memory or a word of a move changes: a move of the same version has nothing new to share.
std::uint64_t EvidenceExchange::version(const MemoryMove &move) const {
  std::uint64_t sum = trees_[move.memory.node].version();
  for (unsigned index = 0; index < move.words; ++index)
    sum += bits_.version(move.first_word + index);
  return sum;
}

std::uint64_t EvidenceExchange::version(const MemoryCopy &copy) const {
  return trees_[copy.source.node].version() + trees_[copy.target.node].version();
}

bool EvidenceExchange::run() {
  constexpr unsigned most_rounds = 12;
  for (const MemoryMove &move : moves_) // Evidence of values goes first, so that arrays nearby do not speak for them.
    push(move);
  VersionedWorklist<MemoryMove> new_moves(moves_);
  VersionedWorklist<MemoryCopy> new_copies(copies_);
  for (unsigned round = 0; round < most_rounds; ++round) {
    bool changed = false;
    new_moves.for_each([&](const MemoryMove &move) { return version(move); },
                       [&](const MemoryMove &move) {
                         changed |= pull(move);
                         changed |= push(move);
                       });
    new_copies.for_each([&](const MemoryCopy &copy) { return version(copy); },
                        [&](const MemoryCopy &copy) {
                          changed |= copy_evidence(copy.source, copy.target, copy.size);
                          changed |= copy_evidence(copy.target, copy.source, copy.size);
                        });
    if (!changed)
      return true;
  }
  return false;
}

bool EvidenceExchange::push(const MemoryMove &move) {
  bool changed = false;
  // A character of which the place is not exactly known may be in text that a struct keeps, or far away from it.
  const bool is_somewhere =
      move.memory.at.stride != 0 && move.value.second->getType()->getScalarSizeInBits() < narrowest_float_bits;
  for (unsigned index = 0; index < move.words; ++index) {
    const unsigned moved = move.first_word + index;
    OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word_bytes), 0});
    Evidence carried = bits_.word(moved);
    // Evidence from several places, or from an unknown one, does not spread to others.
    bool is_precise =
        at.stride % word_bytes == 0 && carried.resolve(context_).kind != ByteKind::unknown && !bits_.is_mixed(moved);
    const Evidence evidence = is_precise ? carried : bits_.own_word(moved);
    changed |= trees_[move.memory.node].add(at, is_somewhere ? evidence.as_hint() : evidence);
  }
  return changed;
}

bool EvidenceExchange::pull(const MemoryMove &move) {
  if (move.value.second->getType()->getScalarSizeInBits() < narrowest_float_bits)
    return false; // A character may lie anywhere and is never a part of anything else.
  bool changed = false;
  for (unsigned index = 0; index < move.words; ++index) {
    OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word_bytes), 0});
    // Half a double is never moved alone, so that a narrow integer remains. Half an address is of another object than
    // the one whose address was seen; the type of that half is not known.
    const Evidence seen = trees_[move.memory.node].look_up(at);
    Evidence kept = seen.fitting(move.bytes - index * word_bytes);
    if (seen.tells_pointer() && !kept.tells_floating() && !kept.tells_pointer())
      kept = kept.as_hint();
    if (kept.resolve(context_).kind != ByteKind::unknown) // Where several things may be, the value can be any of them.
      changed |= bits_.add(move.first_word + index, kept);
  }
  return changed;
}

/// A copy from an unknown element of an array whose elements are seen as several types (`all`): whether `evidence` is
/// of some elements alone. Integer evidence is: taken for all of them it would hide numbers, whose derivatives would be
/// zero. Pointers, and floating-point evidence of one type, are passed on, since tagged copies tell the two apart at
/// run time.
static bool is_of_some_places_alone(const Evidence &evidence, const Evidence &all, llvm::LLVMContext &context) {
  if (!all.is_conflict(context))
    return false;
  const auto is_floating = [](const BasicType &type) { return type.kind == ByteKind::floating; };
  return evidence.resolve(context).kind == ByteKind::integer || llvm::count_if(all.parts(context), is_floating) != 1;
}

bool EvidenceExchange::copy_evidence(Location from, Location to, std::optional<std::uint64_t> size) {
  if (from.node == to.node)
    return false; // It is all known there.
  bool changed = false;
  const TypeTree &source = trees_[from.node];
  std::uint64_t blur = std::gcd(from.at.stride, to.at.stride);
  auto transfer = [&](OffsetSet entry, Evidence evidence) {
    if (evidence.resolve(context_).kind == ByteKind::unknown)
      return; // Conflicts stay where they are.
    std::uint64_t stride = std::gcd(entry.stride, blur);
    std::int64_t relative = entry.base - from.at.base;
    if (stride != 0 && (relative < 0 || from.at.stride != 0))
      relative = floor_modulo(relative, stride);
    if (relative < 0 || (size && relative >= static_cast<std::int64_t>(*size)))
      return;
    if (from.at.stride != 0 &&
        is_of_some_places_alone(evidence, source.look_up({from.at.base + relative, stride}), context_))
      return;
    if (size && entry.stride != 0 && blur == 0) {
      // Elements of an array inside of the copied memory: each by itself, unless there are many.
      constexpr std::int64_t most_elements = 64;
      std::int64_t count = (static_cast<std::int64_t>(*size) - relative - 1) / static_cast<std::int64_t>(stride) + 1;
      if (count <= most_elements) {
        for (std::int64_t element = 0; element < count; ++element)
          changed |= trees_[to.node].add(
              {to.at.base + relative + element * static_cast<std::int64_t>(stride), 0},
              source.look_up({from.at.base + relative + element * static_cast<std::int64_t>(stride), 0}));
        return;
      }
    }
    changed |= trees_[to.node].add({to.at.base + relative, stride}, evidence);
  };
  for (const auto &[offset, evidence] : source.exact())
    transfer({offset, 0}, evidence);
  for (const auto &[key, entry] : source.strided())
    transfer({entry.base, key.first}, entry.evidence);
  return changed;
}

} // namespace assay::engine
