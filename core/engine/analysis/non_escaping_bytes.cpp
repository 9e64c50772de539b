#include "core/engine/analysis/non_escaping_bytes.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/units.hpp"
#include "core/engine/analysis/versioned_worklist.hpp"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <numeric>

namespace assay::engine {
namespace {

constexpr std::int64_t far_away = std::int64_t(1) << 40;
constexpr unsigned most_ranges = 64; ///< More than that of one node, and it is open as a whole.
constexpr unsigned most_rounds = 16;

/// Integers of which it is not seen where they come from.
bool comes_from_outside(FramedValue integer) {
  return (llvm::isa<llvm::Argument>(integer.second) && integer.first == root_frame) ||
         llvm::isa<llvm::CallBase>(integer.second);
}

} // namespace

NonEscapingBytes::NonEscapingBytes(const MemoryClasses &memory, const IntegerProvenance &bits,
                                   llvm::ArrayRef<MemoryMove> moves, llvm::ArrayRef<MemoryCopy> copies)
    : memory_(memory), bits_(bits), moves_(moves), copies_(copies), reached_(memory.graph().node_count()) {
  open_what_leaves();
  open_single_bytes();
}

const NonEscapingBytes::OpenRanges *NonEscapingBytes::ranges_of(NodeId node) const {
  const auto found = of_nodes_.find(memory_.graph().find(node));
  return found == of_nodes_.end() ? nullptr : &ranges_[found->second];
}

NonEscapingBytes::OpenRanges &NonEscapingBytes::make_ranges(NodeId node) {
  const auto [found, inserted] =
      of_nodes_.try_emplace(memory_.graph().find(node), static_cast<unsigned>(ranges_.size()));
  if (inserted)
    ranges_.emplace_back();
  return ranges_[found->second];
}

bool NonEscapingBytes::is_open(NodeId node, OffsetSet at) const {
  const OpenRanges *known = ranges_of(node);
  return known != nullptr && (known->is_whole || llvm::any_of(known->ranges, [&](const Range &range) {
                                std::int64_t distance = at.base - range.at.base;
                                std::uint64_t common = std::gcd(range.at.stride, at.stride);
                                if (common != 0)
                                  distance = floor_modulo(distance, common);
                                return distance >= 0 && static_cast<std::uint64_t>(distance) < range.length;
                              }));
}

void NonEscapingBytes::open(NodeId node) {
  OpenRanges &known = make_ranges(node);
  if (known.is_whole)
    return;
  known.is_whole = true;
  known.ranges = {{{-far_away, 0}, 2 * far_away}};
  ++known.version;
  changed_ = true;
}

void NonEscapingBytes::open(NodeId node, OffsetSet at, std::uint64_t length) {
  OpenRanges &known = make_ranges(node);
  bool is_known =
      known.is_whole || llvm::any_of(known.ranges, [&](const Range &range) {
        bool around = range.at.base <= at.base && at.base + static_cast<std::int64_t>(length) <=
                                                      range.at.base + static_cast<std::int64_t>(range.length);
        return (range.at == at && range.length >= length) || (around && range.length >= std::uint64_t(far_away));
      });
  if (is_known)
    return;
  if (known.ranges.size() >= most_ranges) {
    open(node);
    return;
  }
  known.ranges.push_back({at, length});
  ++known.version;
  changed_ = true;
}

void NonEscapingBytes::open_reachable(NodeId start) {
  llvm::SmallVector<NodeId, 8> pending;
  const auto reach = [&](NodeId node) {
    const NodeId found = memory_.graph().find(node);
    if (reached_.test(found))
      return;
    reached_.set(found);
    open(found);
    pending.push_back(found);
  };
  reach(start);
  while (!pending.empty())
    for (const auto &[offset, slot] : memory_.graph()[pending.pop_back_val()].slots)
      reach(memory_.graph().node(slot.place));
}

void NonEscapingBytes::open_pointees(NodeId node) {
  for (const auto &[offset, slot] : memory_.graph()[memory_.graph().find(node)].slots)
    open_reachable(memory_.graph().node(slot.place));
}

void NonEscapingBytes::open_call(const llvm::CallBase &call, FrameId frame) {
  LibraryEffect effect = library_effect(call);
  const bool is_typed = call.hasMetadata("assay.type"); // by retype_memory
  bool is_text = effect == LibraryEffect::copy && copies_unaligned_bytes(call) && !is_typed;
  if (!is_text && (effect != LibraryEffect::unknown || memory_.calls().callee(frame, call)))
    return;
  for (const llvm::Use &argument : call.args())
    if (auto at = memory_.location(*argument, frame)) {
      if (call.isByValArgument(argument.getOperandNo()))
        open_pointees(at->node); // the callee has a copy
      else
        open_reachable(at->node);
    }
  if (auto at = memory_.location(call, frame))
    open_reachable(at->node);
}

void NonEscapingBytes::open_what_leaves() {
  for (auto [frame, object] : memory_.objects()) {
    bool is_outside =
        llvm::isa<llvm::GlobalValue>(object) || (llvm::isa<llvm::Argument>(object) && frame == root_frame);
    if (auto at = memory_.location(*object, frame); at && is_outside)
      open_reachable(at->node);
  }
  for (FrameId frame = root_frame; frame < memory_.calls().size(); ++frame)
    for (const llvm::Instruction &instruction : llvm::instructions(memory_.calls().function(frame))) {
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        open_call(*call, frame);
      const auto *exit = llvm::dyn_cast<llvm::ReturnInst>(&instruction);
      if (exit != nullptr && frame == root_frame && exit->getReturnValue() != nullptr)
        if (auto at = memory_.location(*exit->getReturnValue(), frame))
          open_reachable(at->node);
    }
}

void NonEscapingBytes::open_single_bytes() {
  using enum MemoryMove::Direction;
  llvm::DenseMap<unsigned, std::pair<bool, bool>> ways; ///< Of each word: read from memory, written to it.
  auto is_narrow = [](const MemoryMove &move) {
    return move.value.second->getType()->getScalarSizeInBits() < word_bits;
  };
  for (const MemoryMove &move : moves_) {
    if (comes_from_outside(move.value))
      for (unsigned index = 0; index < move.words; ++index)
        open_words_.insert(bits_.leader(move.first_word + index));
    if (!is_narrow(move))
      continue;
    auto &[is_read, is_written] = ways[bits_.leader(move.first_word)];
    is_read |= move.direction != to_memory;
    is_written |= move.direction != from_memory;
  }
  for (const MemoryMove &move : moves_)
    if (is_narrow(move) && ways[bits_.leader(move.first_word)] == std::pair(true, true))
      open(move.memory.node, move.memory.at, 1);
}

void NonEscapingBytes::spread_by_move(const MemoryMove &move) {
  for (unsigned index = 0; index < move.words; ++index) {
    OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word_bytes), 0});
    unsigned moved = bits_.leader(move.first_word + index);
    if (open_words_.contains(moved))
      open(move.memory.node, at, word_bytes);
    else if (is_open(move.memory.node, at))
      changed_ |= open_words_.insert(moved).second;
  }
}

void NonEscapingBytes::spread_by_copy(Location from, Location to, std::optional<std::uint64_t> size) {
  const OpenRanges *known = ranges_of(from.node);
  if (known == nullptr)
    return;
  if (const OpenRanges *target = ranges_of(to.node); target != nullptr && target->is_whole)
    return;
  const auto length = static_cast<std::int64_t>(size.value_or(far_away));
  const auto ranges = known->ranges;
  for (const Range &range : ranges) {
    std::uint64_t stride = std::gcd(range.at.stride, std::gcd(from.at.stride, to.at.stride));
    std::int64_t begin = range.at.base - from.at.base, end = begin + static_cast<std::int64_t>(range.length);
    if (stride == 0) { // Elsewhere the range repeats.
      begin = std::max<std::int64_t>(begin, 0);
      end = std::min(end, length);
    } else if (begin < 0 || begin >= length) {
      begin = floor_modulo(begin, stride);
      end = begin + static_cast<std::int64_t>(range.length);
    }
    if (begin < end)
      open(to.node, {to.at.base + begin, stride}, static_cast<std::uint64_t>(end - begin));
  }
}

std::uint64_t NonEscapingBytes::version(NodeId node) const {
  const OpenRanges *known = ranges_of(node);
  return known != nullptr ? known->version : 0;
}

std::uint64_t NonEscapingBytes::version(const MemoryMove &move) const {
  std::uint64_t sum = version(move.memory.node);
  for (unsigned index = 0; index < move.words; ++index)
    sum += open_words_.contains(bits_.leader(move.first_word + index)) ? 1 : 0;
  return sum;
}

void NonEscapingBytes::spread() {
  VersionedWorklist<MemoryMove> moves(moves_);
  VersionedWorklist<MemoryCopy> copies(copies_);
  unsigned rounds = 0;
  do {
    changed_ = false;
    moves.for_each([&](const MemoryMove &move) { return version(move); },
                   [&](const MemoryMove &move) { spread_by_move(move); });
    copies.for_each([&](const MemoryCopy &copy) { return version(copy.source.node) + version(copy.target.node); },
                    [&](const MemoryCopy &copy) {
                      spread_by_copy(copy.source, copy.target, copy.size);
                      spread_by_copy(copy.target, copy.source, copy.size);
                    });
  } while (changed_ && ++rounds < most_rounds);
  if (!changed_)
    return;
  for (NodeId node = 0; node < memory_.graph().node_count(); ++node)
    open(node);
  for (const MemoryMove &move : moves_)
    for (unsigned index = 0; index < move.words; ++index)
      open_words_.insert(bits_.leader(move.first_word + index));
}

} // namespace assay::engine
