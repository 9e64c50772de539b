#include "core/engine/analysis/type_collector.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/caller_argument_types.hpp"
#include "core/engine/analysis/caller_types.hpp"
#include "core/engine/analysis/evidence_exchange.hpp"
#include "core/engine/analysis/global_variables.hpp"
#include "core/engine/analysis/number_parts.hpp"
#include "core/engine/analysis/pointer_or_float_slots.hpp"
#include "core/engine/analysis/possible_addresses.hpp"
#include "core/engine/analysis/type_layout.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"

namespace assay::engine {
namespace {

/// A constant that was written as characters, such as a program copies into members of its structs.
bool is_text(const llvm::GlobalVariable &global) {
  return global.isConstant() && global.hasInitializer() && llvm::isa<llvm::ArrayType>(global.getValueType()) &&
         global.getValueType()->getArrayElementType()->isIntegerTy(8);
}

std::uint64_t text_size(const llvm::GlobalVariable &global) {
  constexpr std::uint64_t longest_text = 1024;
  return std::min(global.getValueType()->getArrayNumElements(), longest_text);
}

} // namespace

TypeCollector::TypeCollector(const MemoryClasses &memory, const TypeHints *hints)
    : memory_(memory), layout_(memory.layout()), context_(memory.root().getContext()), bits_(memory),
      trees_(memory.graph().node_count()), copied_(memory.graph().node_count()),
      handed_out_(memory.graph().node_count()), moves_words_(memory.graph().node_count()),
      holds_parts_(memory.graph().node_count()) {
  for (auto [frame, object] : memory.objects())
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object); global && !is_type_info(*global)) {
      add_layout(*memory_.location(*global), global->getValueType());
      if (is_text(*global))
        add(*memory_.location(*global), {ByteKind::integer, nullptr}, Rank::layout, text_size(*global));
    }
  for (const CallerArgumentType &passed : caller_argument_types(memory.root()))
    if (auto at = memory_.location(*memory.root().getArg(passed.parameter), root_frame)) {
      if (!passed.type->isAggregateType()) // an element of an array, perhaps
        at->at = at->at.plus({0, layout_.getTypeAllocSize(passed.type).getFixedValue()});
      add_layout(*at, passed.type);
    }
  for (frame_ = root_frame; frame_ < memory.calls().size(); ++frame_) {
    for (const llvm::Argument &argument : memory.calls().function(frame_).args())
      bits_.visit(frame_, argument);
    for (const llvm::Instruction &instruction : llvm::instructions(memory.calls().function(frame_)))
      visit(instruction);
  }
  frame_ = root_frame;
  bits_.settle();
  if (hints != nullptr)
    take_hints(*hints, memory_, trees_);
  spread_parts_of_numbers(holds_parts_, memory.graph(), bits_, moves_, copies_);
  for (const MemoryCopy &copy : copies_)
    copied_[copy.source.node] = copied_[copy.target.node] = true;
  PointerOrFloatSlots mixed(memory_, trees_, bits_, moves_, copies_);
  mixed.spread();
  const bool is_stable = EvidenceExchange(trees_, bits_, moves_, copies_, context_).run();
  mixed.spread();
  if (is_stable)
    find_non_escaping_bytes();
  mixed.find_doubtful_words();
  find_possible_addresses(trees_, bits_, moves_);
}

void TypeCollector::find_non_escaping_bytes() {
  constexpr std::uint64_t widest = 16;
  closed_.emplace(memory_, bits_, moves_, copies_);
  for (NodeId node = 0; node < trees_.size(); ++node) {
    for (const auto &[offset, evidence] : trees_[node].exact())
      if (evidence.is_conflict(context_))
        closed_->open(node, {offset, 0}, widest);
    for (const auto &[key, entry] : trees_[node].strided())
      if (entry.evidence.is_conflict(context_))
        closed_->open(node, {entry.base, key.first}, widest);
  }
  closed_->spread();
}

bool TypeCollector::is_unused_word(FramedValue integer, unsigned index) const {
  return closed_ && bits_.word(integer, index).empty() && bits_.is_moved(integer) &&
         closed_->contains_word(integer, index);
}

/// The second half of a double or a pointer, where integers of other fields may lie in the same place. A float that is
/// declared to be there is the member of a struct that shares the memory with addresses.
static bool is_overlaid_by(const Evidence &first, const Evidence &second) {
  const bool is_integer = !second.mentions_floating() && !second.mentions_pointers();
  const Evidence declared = second.only(Rank::declaration).fitting(word_bytes);
  if (first.tells_pointer() && declared.tells_floating() && second.only(Rank::access).empty())
    return false;
  return second.is_weaker_than(first) || (is_integer && !first.is_weaker_than(second));
}

BasicType TypeCollector::of_integer(const llvm::Value &value, FrameId frame) const {
  std::optional<BasicType> only;
  FramedValue integer = framed(frame, value);
  for (unsigned index = 0; index < bits_.word_count(value); ++index) {
    bool inside = only && (only->kind == ByteKind::floating || only->kind == ByteKind::pointer) &&
                  index * word_bytes % byte_size(*only, layout_) != 0;
    if (inside && (bits_.is_possible_address(bits_.word_id(integer, 0)) ||
                   is_overlaid_by(bits_.word(integer, 0), bits_.word(integer, index))))
      continue;
    BasicType type = bits_.type_of_word(integer, index, context_);
    if (is_unused_word(integer, index))
      type = index == 0 ? integer_type() : *only;
    if (!only)
      only = type;
    else if (!(*only == type))
      return {};
  }
  return only.value_or(BasicType{});
}

bool TypeCollector::is_only_hinted(const llvm::Value &integer) const {
  FramedValue value = framed(root_frame, integer);
  for (unsigned index = 0; index < bits_.word_count(integer); ++index)
    if (!(bits_.word(value, index) == bits_.word(value, index).only(Rank::hint)) &&
        !bits_.is_half_address(value, index))
      return false;
  return bits_.is_moved(value);
}

bool TypeCollector::is_only_declared(const llvm::Value &integer) const {
  FramedValue value = framed(root_frame, integer);
  for (unsigned index = 0; index < bits_.word_count(integer); ++index)
    if (!bits_.word(value, index).only(Rank::access).empty())
      return false;
  return bits_.is_moved(value) && of_integer(integer).kind == ByteKind::integer;
}

bool TypeCollector::is_without_floating(NodeId node) const {
  const TypeTree &known = tree(node);
  Evidence all = known.everything(OffsetSet::anywhere());
  if (all.empty() || all.mentions_floating() || handed_out_[memory_.graph().find(node)] || holds_parts(node))
    return false;
  // Copied memory may hold more than what is accessed here, unless it is an array. Where single bytes were seen beside
  // fields, several objects are one: the bytes are one's, a text, and what was copied may be another's.
  const bool is_array = llvm::any_of(known.strided(), [](const auto &array) { return array.first.first > 1; });
  const bool is_text = known.exact().empty() && !known.strided().empty();
  return !copied_[memory_.graph().find(node)] || is_array || is_text;
}

void TypeCollector::add(Location at, BasicType type, Rank rank, std::uint64_t size) {
  TypeTree &tree = trees_[at.node];
  std::uint64_t step =
      type.kind == ByteKind::unknown ? word_bytes : std::max<std::uint64_t>(byte_size(type, layout_), 1);
  for (std::uint64_t offset = 0; offset < std::max<std::uint64_t>(size, 1); offset += step)
    tree.add(at.at.plus({static_cast<std::int64_t>(offset), 0}), Evidence::of(type, rank));
}

void TypeCollector::add_layout(Location at, llvm::Type *type) {
  for_each_layout_evidence(type, at.at, layout_,
                           [&](OffsetSet offset, Evidence evidence) { trees_[at.node].add(offset, evidence); });
}

} // namespace assay::engine
