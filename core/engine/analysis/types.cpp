#include "core/engine/analysis/types.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/explain_memory.hpp"
#include "core/engine/analysis/type_layout.hpp"
#include "core/engine/analysis/types_implementation.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

namespace assay::engine {
namespace {

/// The only basic type that the scalars of a type have, else unknown.
BasicType only_scalar(llvm::Type *type, const llvm::DataLayout &layout) {
  std::optional<BasicType> only;
  for_each_scalar(type, {}, layout, [&](OffsetSet, llvm::Type *scalar) {
    BasicType found = basic_type(scalar);
    only = !only || *only == found ? found : BasicType{};
  });
  return only.value_or(BasicType{});
}

} // namespace

TypeAnalysis::TypeAnalysis(const llvm::Function &function, bool loose_types, BodyOf body_of, const TypeHints *hints,
                           Followed followed)
    : implementation_(std::make_unique<Implementation>(function, loose_types, body_of, hints, followed)) {}
TypeAnalysis::~TypeAnalysis() = default;
TypeAnalysis::TypeAnalysis(TypeAnalysis &&) noexcept = default;
TypeAnalysis &TypeAnalysis::operator=(TypeAnalysis &&) noexcept = default;

const TypeAnalysis::Implementation &TypeAnalysis::implementation() const {
  return *implementation_;
}

const llvm::DataLayout &TypeAnalysis::layout() const {
  return implementation_->memory.layout();
}

BasicType TypeAnalysis::of(const llvm::Value &value, FrameId frame) const {
  llvm::Type *type = value.getType();
  if (!type->isIntOrIntVectorTy())
    return type->isSized() ? only_scalar(type, implementation_->memory.layout()) : BasicType{};
  if (type->getScalarSizeInBits() < 16 && !type->isVectorTy())
    return integer_type();
  if (llvm::isa<llvm::Constant>(value))
    return integer_type();
  const BasicType carried = implementation_->types.of_integer(value, frame);
  const bool is_narrow = !type->isVectorTy() && type->getScalarSizeInBits() < 64;
  if (carried.kind == ByteKind::unknown && is_narrow && implementation_->only_double)
    return integer_type(); // Half a double is never moved alone.
  return carried;
}

BasicType TypeAnalysis::uniform(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return {};
  return implementation_->types.tree(at->node).everything(at->at).resolve(pointer.getContext());
}

llvm::SmallVector<TypedField, 8> TypeAnalysis::fields(const llvm::Value &pointer, std::uint64_t size) const {
  llvm::SmallVector<TypedField, 8> seen = seen_fields(pointer, size);
  const auto is_known = [](const TypedField &field) { return field.type.kind != ByteKind::unknown; };
  return llvm::any_of(seen, is_known) ? seen : llvm::SmallVector<TypedField, 8>{};
}

llvm::SmallVector<TypedField, 8> TypeAnalysis::seen_fields(const llvm::Value &pointer, std::uint64_t size) const {
  llvm::SmallVector<TypedField, 8> result;
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return result;
  const TypeTree &tree = implementation_->types.tree(at->node);
  const llvm::DataLayout &layout = implementation_->memory.layout();
  std::uint64_t covered = 0;
  for (std::uint64_t offset = 0; offset < size; ++offset) {
    if (offset < covered)
      continue;
    auto signed_offset = static_cast<std::int64_t>(offset);
    Evidence evidence = tree.look_up_anywhere(at->at.plus({signed_offset, 0}));
    BasicType type = evidence.resolve(pointer.getContext());
    if (type.kind == ByteKind::floating && offset + byte_size(type, layout) > size)
      type = {};
    if (offset % word_bytes == 0 && evidence.empty() &&
        implementation_->types.is_unused({at->node, at->at.plus({signed_offset, 0})}))
      type = integer_type();
    if (evidence.empty() && offset % word_bytes != 0)
      continue; // The rest of an integer, or of an unknown word.
    const bool is_unknown = type.kind == ByteKind::unknown;
    result.push_back({signed_offset, type, evidence.excludes(evidence), is_unknown && evidence.mentions_floating(),
                      is_unknown && evidence.mentions_pointers(),
                      evidence.only(Rank::access).empty() && evidence.only(Rank::declaration).empty()});
    bool is_wide = type.kind == ByteKind::floating || type.kind == ByteKind::pointer;
    covered = offset + (is_wide ? byte_size(type, layout) : 1);
  }
  return result;
}

bool TypeAnalysis::is_within_floating(const llvm::Value &pointer) const {
  constexpr std::int64_t largest_float = 16;
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return false;
  const TypeTree &tree = implementation_->types.tree(at->node);
  for (std::int64_t before = 0; before < largest_float; ++before) {
    const BasicType type = tree.look_up(at->at.plus({-before, 0})).resolve(pointer.getContext());
    if (type.kind != ByteKind::unknown)
      return type.kind == ByteKind::floating && static_cast<std::uint64_t>(before) < byte_size(type, layout());
  }
  return false;
}

namespace {

bool is_wide(BasicType type) {
  return type.kind == ByteKind::floating || type.kind == ByteKind::pointer;
}

/// True where a number or an address begins within another one, as those of a union may.
bool begins_within(const RepeatedField &inner, const RepeatedField &outer, const llvm::DataLayout &layout) {
  if (!is_wide(inner.type) || !is_wide(outer.type))
    return false;
  const std::uint64_t stride = inner.stride == 0 || outer.stride == 0 ? std::max(inner.stride, outer.stride)
                                                                      : std::gcd(inner.stride, outer.stride);
  std::int64_t distance = inner.offset - outer.offset;
  if (stride != 0)
    distance = floor_modulo(distance, stride);
  return distance > 0 && static_cast<std::uint64_t>(distance) < byte_size(outer.type, layout);
}

bool have_union(llvm::ArrayRef<RepeatedField> fields, const llvm::DataLayout &layout) {
  return llvm::any_of(fields, [&](const RepeatedField &outer) {
    return llvm::any_of(fields, [&](const RepeatedField &inner) { return begins_within(inner, outer, layout); });
  });
}

} // namespace

std::optional<llvm::SmallVector<RepeatedField, 8>> TypeAnalysis::whole_layout(const llvm::Value &pointer) const {
  constexpr std::int64_t largest = 2048;
  auto at = implementation_->memory.location(pointer);
  if (!at || at->at.stride != 0)
    return std::nullopt;
  const TypeTree &tree = implementation_->types.tree(at->node);
  llvm::SmallVector<RepeatedField, 8> result;
  std::int64_t window = 0;
  for (const auto &[key, entry] : tree.strided()) {
    const auto stride = static_cast<std::int64_t>(key.first);
    std::int64_t offset = entry.base - at->at.base;
    if (offset < 0)
      offset = floor_modulo(offset, key.first);
    // Another access may tell more of the same elements: where one leaves a gap open, a copy says that it is padding.
    // Where one has bytes of several numbers at each step, they are bytes to all.
    BasicType type = entry.evidence.resolve(pointer.getContext());
    const BasicType of_all = tree.look_up({entry.base, key.first}).resolve(pointer.getContext());
    if (type.kind != ByteKind::integer && of_all.kind != ByteKind::unknown)
      type = of_all;
    result.push_back({offset, key.first, type});
    window = std::max(window, offset + 2 * stride);
  }
  const std::size_t repeated = result.size();
  for (const auto &[position, evidence] : tree.exact()) {
    const std::int64_t offset = position - at->at.base;
    if (offset < 0 || evidence.empty())
      continue;
    RepeatedField field{offset, 0, evidence.resolve(pointer.getContext())};
    window = std::max(window, offset + static_cast<std::int64_t>(byte_size(field.type, layout())));
    const bool is_element = std::any_of(result.begin(), result.begin() + repeated, [&](const RepeatedField &array) {
      return array.offset <= offset && floor_modulo(offset - array.offset, array.stride) == 0 &&
             array.type == field.type;
    });
    if (!is_element)
      result.push_back(field);
  }
  if (window == 0 || window > largest)
    return std::nullopt;
  const auto is_unknown = [](const auto &field) { return field.type.kind == ByteKind::unknown; };
  if (llvm::any_of(result, is_unknown) || llvm::any_of(fields(pointer, static_cast<std::uint64_t>(window)), is_unknown))
    return std::nullopt;
  if (have_union(result, layout()))
    return std::nullopt;
  return result;
}

bool TypeAnalysis::holds_unions(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return false;
  const TypeTree &tree = implementation_->types.tree(at->node);
  llvm::SmallVector<RepeatedField, 8> fields;
  for (const auto &[key, entry] : tree.strided())
    fields.push_back({entry.base, key.first, entry.evidence.resolve(pointer.getContext())});
  for (const auto &[position, evidence] : tree.exact())
    fields.push_back({position, 0, evidence.resolve(pointer.getContext())});
  return have_union(fields, layout());
}

bool TypeAnalysis::is_only_hinted(const llvm::Value &integer) const {
  return implementation_->types.is_only_hinted(integer);
}

namespace {

bool is_declared_integer(const Evidence &evidence, llvm::LLVMContext &context) {
  return evidence.only(Rank::access).empty() && evidence.resolve(context).kind == ByteKind::integer;
}

} // namespace

bool TypeAnalysis::is_only_declared(const llvm::Value &integer) const {
  return implementation_->types.is_only_declared(integer);
}

bool TypeAnalysis::declares_integers(const llvm::Value &pointer, std::optional<std::uint64_t> size) const {
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return false;
  const TypeTree &tree = implementation_->types.tree(at->node);
  if (!size || *size > most_single_bytes)
    return is_declared_integer(tree.everything(at->at), pointer.getContext());
  for (std::uint64_t offset = 0; offset < *size; offset += word_bytes)
    if (is_declared_integer(tree.look_up(at->at.plus({static_cast<std::int64_t>(offset), 0})), pointer.getContext()))
      return true;
  return false;
}

void MemorySummary::add(BasicType type) {
  anything = true;
  switch (type.kind) {
  case ByteKind::unknown:
    conflicting = true;
    break;
  case ByteKind::integer:
    integers = true;
    break;
  case ByteKind::pointer:
    pointers = true;
    break;
  case ByteKind::floating:
    several_floating |= floating != nullptr && floating != type.floating;
    floating = type.floating;
    break;
  }
}

MemorySummary MemorySummary::merged(const MemorySummary &other) const {
  MemorySummary both = *this;
  both.anything |= other.anything;
  both.integers |= other.integers;
  both.pointers |= other.pointers;
  both.conflicting |= other.conflicting;
  both.several_floating |= other.several_floating || (floating && other.floating && floating != other.floating);
  both.floating = floating != nullptr ? floating : other.floating;
  return both;
}

namespace {

/// Integers and pointers in one place (arrays of counts beside arrays of pointers) are copied and cleared alike.
void add_evidence(MemorySummary &summary, const Evidence &evidence, llvm::LLVMContext &context) {
  const BasicType type = evidence.resolve(context);
  const bool is_conflict = !evidence.empty() && type.kind == ByteKind::unknown;
  if (!is_conflict || evidence.mentions_floating()) {
    summary.add(type);
    return;
  }
  summary.add(integer_type());
  summary.add(pointer_type());
}

} // namespace

MemorySummary TypeAnalysis::summarize(const llvm::Value &pointer) const {
  MemorySummary summary;
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return summary;
  const TypeTree &tree = implementation_->types.tree(at->node);
  for (const auto &[offset, evidence] : tree.exact())
    if (!evidence.empty() && (at->at.stride != 0 || offset >= at->at.base))
      add_evidence(summary, evidence, pointer.getContext());
  for (const auto &[key, entry] : tree.strided())
    if (!entry.evidence.empty())
      add_evidence(summary, entry.evidence, pointer.getContext());
  return summary;
}

bool TypeAnalysis::Implementation::holds_only_double(NodeId node) const {
  if (only_double || !only_double_here)
    return only_double;
  llvm::SmallVector<NodeId, 16> passed;
  const auto add = [&](NodeId other) {
    if (NodeId leader = memory.graph().find(other); !llvm::is_contained(passed, leader))
      passed.push_back(leader);
  };
  for (const llvm::Argument &argument : memory.root().args())
    if (auto at = memory.location(argument))
      add(at->node);
  for (auto [frame, object] : memory.objects())
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object); global && !global->isConstant())
      add(memory.location(*global)->node);
  for (std::size_t next = 0; next < passed.size(); ++next)
    for (auto [offset, pointee] : memory.pointees(passed[next]))
      add(pointee);
  return !llvm::is_contained(passed, memory.graph().find(node));
}

MemoryWords TypeAnalysis::words(const llvm::Value &pointer, std::optional<std::uint64_t> size) const {
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return MemoryWords::unknown;
  const TypeTree &tree = implementation_->types.tree(at->node);
  const bool only_double = implementation_->holds_only_double(at->node);
  const auto words_of = [&](const Evidence &evidence) {
    return (only_double ? evidence.without_other_floats() : evidence).words();
  };
  if (!size || *size > most_single_bytes)
    return words_of(tree.everything(at->at));
  MemoryWords all = MemoryWords::unknown;
  for (std::uint64_t offset = 0; offset < *size; ++offset)
    all = joined(all, words_of(tree.look_up_anywhere(at->at.plus({static_cast<std::int64_t>(offset), 0}))));
  return all;
}

bool TypeAnalysis::may_hold_pairs(const llvm::Value &pointer, std::optional<std::uint64_t> size) const {
  constexpr std::uint64_t half = 4, whole = 8;
  const auto at = implementation_->memory.location(pointer);
  if (!at || !size || *size > most_single_bytes)
    return true;
  const TypeTree &tree = implementation_->types.tree(at->node);
  for (std::uint64_t offset = half; offset < *size; offset += whole)
    if (has_floats(tree.look_up_anywhere(at->at.plus({static_cast<std::int64_t>(offset), 0})).words()))
      return true;
  return false;
}

bool TypeAnalysis::may_hold_half_words(const llvm::Value &pointer) const {
  const auto at = implementation_->memory.location(pointer);
  if (!at)
    return false;
  const TypeTree &tree = implementation_->types.tree(at->node);
  return tree.look_up(at->at).tells_pointer() && has_floats(tree.everything(OffsetSet::anywhere()).words());
}

bool TypeAnalysis::is_number_or_address(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  if (!at || !implementation_->only_double)
    return false;
  const Evidence seen = implementation_->types.tree(at->node).look_up(at->at);
  return seen.excludes(seen);
}

bool TypeAnalysis::is_open(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  return !at || implementation_->types.is_open(*at);
}

bool TypeAnalysis::moves_words(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  return at && implementation_->types.moves_words(at->node);
}

bool TypeAnalysis::has_single_bytes(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  return at && implementation_->types.has_single_bytes(at->node);
}

bool TypeAnalysis::holds_parts(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  return at && implementation_->types.holds_parts(at->node);
}

bool TypeAnalysis::is_mixture(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  return at && implementation_->memory.graph().is_mixture(at->node);
}

bool TypeAnalysis::may_begin_anywhere(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  return at && implementation_->memory.graph()[at->node].modulus != 0;
}

llvm::SmallVector<std::uint64_t, 4> TypeAnalysis::strides(const llvm::Value &one, const llvm::Value &other) const {
  llvm::SmallVector<std::uint64_t, 4> found;
  for (const llvm::Value *pointer : {&one, &other}) {
    auto at = implementation_->memory.location(*pointer);
    if (!at)
      continue;
    if (at->at.stride > 1)
      found.push_back(at->at.stride);
    for (const auto &[key, entry] : implementation_->types.tree(at->node).strided())
      if (key.first > 1)
        found.push_back(key.first);
  }
  llvm::sort(found, std::greater<>());
  found.erase(llvm::unique(found), found.end());
  return found;
}

MemoryWords joined(MemoryWords one, MemoryWords other) {
  using enum MemoryWords;
  const auto [low, high] = std::minmax(one, other);
  return low == doubles && high == floats ? either : high;
}

bool has_floats(MemoryWords words) {
  return words == MemoryWords::floats || words == MemoryWords::either;
}

bool holds_numbers(MemoryWords words) {
  using enum MemoryWords;
  return words == doubles || words == floats || words == either;
}

std::string TypeAnalysis::explain(const llvm::Value &pointer) const {
  auto at = implementation_->memory.location(pointer);
  if (!at)
    return "no memory is known behind it";
  auto name = [&](const Evidence &evidence) { return evidence.text(pointer.getContext()); };
  std::string text;
  llvm::raw_string_ostream out(text);
  const TypeTree &tree = implementation_->types.tree(at->node);
  out << "looked at offset " << at->at.base;
  if (at->at.stride != 0)
    out << " + k * " << at->at.stride;
  out << " of memory with";
  if (tree.exact().empty() && tree.strided().empty())
    out << " no typed access";
  for (const auto &[offset, evidence] : tree.exact())
    out << ' ' << offset << ": " << name(evidence) << ',';
  for (const auto &[key, entry] : tree.strided())
    out << ' ' << entry.base << " + k * " << key.first << ": " << name(entry.evidence) << ',';
  if (text.back() == ',')
    text.pop_back();
  return text + chain_of_uses(pointer);
}

} // namespace assay::engine
