#include "core/engine/analysis/type_tree.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <numeric>

namespace assay::engine {
namespace {

constexpr std::uint16_t integer_bit = 1, pointer_bit = 2;
constexpr unsigned first_floating_bit = 2;
constexpr std::array floating_types{llvm::Type::HalfTyID,     llvm::Type::BFloatTyID,   llvm::Type::FloatTyID,
                                    llvm::Type::DoubleTyID,   llvm::Type::X86_FP80TyID, llvm::Type::FP128TyID,
                                    llvm::Type::PPC_FP128TyID};
std::uint16_t floating_bit(llvm::Type::TypeID type) {
  const auto index = llvm::find(floating_types, type) - floating_types.begin();
  return static_cast<std::uint16_t>(1U << (first_floating_bit + index));
}
const std::uint16_t float_bit = floating_bit(llvm::Type::FloatTyID), double_bit = floating_bit(llvm::Type::DoubleTyID);
constexpr std::uint64_t smallest_storage = 8;

std::uint16_t bit_of(BasicType type) {
  switch (type.kind) {
  case ByteKind::unknown:
    return 0;
  case ByteKind::integer:
    return integer_bit;
  case ByteKind::pointer:
    return pointer_bit;
  case ByteKind::floating:
    for (unsigned index = 0; index < floating_types.size(); ++index)
      if (floating_types[index] == type.floating->getTypeID())
        return static_cast<std::uint16_t>(1U << (first_floating_bit + index));
    return 0;
  }
  return 0;
}

} // namespace

Evidence Evidence::of(BasicType type, Rank rank) {
  Evidence result;
  result.bits_[static_cast<std::size_t>(rank)] = bit_of(type);
  return result;
}

bool Evidence::merge(Evidence other) {
  Evidence before = *this;
  for (std::size_t rank = 0; rank < bits_.size(); ++rank)
    bits_[rank] |= other.bits_[rank];
  return !(before == *this);
}

bool Evidence::mentions_floating() const {
  return llvm::any_of(bits_, [](std::uint16_t bits) { return (bits & ~(integer_bit | pointer_bit)) != 0; });
}

bool Evidence::mentions_pointers() const {
  return llvm::any_of(bits_, [](std::uint16_t bits) { return (bits & pointer_bit) != 0; });
}

bool Evidence::mentions_several() const {
  std::uint16_t all = 0;
  for (const std::uint16_t bits : bits_)
    all |= bits;
  return llvm::popcount(all) > 1;
}

MemoryWords Evidence::words() const {
  MemoryWords all = MemoryWords::unknown;
  for (std::uint16_t bits : bits_) {
    if ((bits & ~(integer_bit | pointer_bit | float_bit | double_bit)) != 0)
      return MemoryWords::others;
    if ((bits & float_bit) != 0)
      all = joined(all, MemoryWords::floats);
    if ((bits & double_bit) != 0)
      all = joined(all, MemoryWords::doubles);
    if (bits != 0)
      all = joined(all, MemoryWords::plain);
  }
  return all;
}

Evidence Evidence::fitting(std::uint64_t bytes) const {
  constexpr std::array<std::uint64_t, floating_types.size()> sizes{2, 2, 4, 8, 10, 16, 16};
  std::uint16_t fits = integer_bit;
  if (bytes >= 8)
    fits |= pointer_bit;
  for (unsigned index = 0; index < sizes.size(); ++index)
    if (sizes[index] <= bytes)
      fits |= static_cast<std::uint16_t>(1U << (first_floating_bit + index));
  Evidence result = *this;
  for (std::uint16_t &bits : result.bits_)
    bits &= fits;
  return result;
}

Evidence Evidence::as_hint() const {
  Evidence result;
  for (const std::uint16_t bits : bits_)
    result.bits_[static_cast<std::size_t>(Rank::hint)] |= bits;
  return result;
}

Evidence Evidence::only(Rank rank) const {
  Evidence result;
  result.bits_[static_cast<std::size_t>(rank)] = bits_[static_cast<std::size_t>(rank)];
  return result;
}

Evidence Evidence::without_other_floats() const {
  Evidence result = *this;
  for (std::uint16_t &bits : result.bits_)
    bits &= integer_bit | pointer_bit | double_bit;
  return result;
}

Evidence Evidence::together_with(const Evidence &other) const {
  const auto is_set = [](std::uint16_t bits) { return bits != 0; };
  Evidence result = *this;
  auto *const best = llvm::find_if(result.bits_, is_set);
  const auto *const added = llvm::find_if(other.bits_, is_set);
  if (best != result.bits_.end() && added != other.bits_.end())
    *best |= *added;
  return result;
}

bool Evidence::includes(const Evidence &other) const {
  for (std::size_t rank = 0; rank < bits_.size(); ++rank)
    if ((other.bits_[rank] & ~bits_[rank]) != 0)
      return false;
  return true;
}

static bool is_floating(std::uint16_t bits) {
  return (bits & ~(integer_bit | pointer_bit)) != 0;
}

std::uint16_t Evidence::best() const {
  const auto *const found = llvm::find_if(bits_, [](std::uint16_t bits) { return bits != 0; });
  return found == bits_.end() ? std::uint16_t(0) : *found;
}

bool Evidence::may_exclude() const {
  return (best() & pointer_bit) != 0 || is_floating(best());
}

bool Evidence::excludes(const Evidence &other) const {
  const std::uint16_t own = best(), others = other.best();
  return ((own & pointer_bit) != 0 && is_floating(others)) || ((others & pointer_bit) != 0 && is_floating(own));
}

bool Evidence::is_weaker_than(const Evidence &other) const {
  const auto is_set = [](std::uint16_t bits) { return bits != 0; };
  const auto best = [&](const Evidence &evidence) {
    return llvm::find_if(evidence.bits_, is_set) - evidence.bits_.begin();
  };
  return best(*this) > best(other);
}

std::string Evidence::text(llvm::LLVMContext &context) const {
  std::string all;
  llvm::raw_string_ostream out(all);
  for (std::uint16_t bits : bits_) {
    for (unsigned bit = 0; bit < first_floating_bit + floating_types.size(); ++bit) {
      if ((bits >> bit & 1U) == 0)
        continue;
      out << (all.empty() ? "" : " or ");
      if (bit >= first_floating_bit)
        out << *llvm::Type::getPrimitiveType(context, floating_types[bit - first_floating_bit]);
      else
        out << ((1U << bit) == integer_bit ? "integer" : "pointer");
    }
    if (!all.empty())
      break;
  }
  return all;
}

BasicType Evidence::resolve(llvm::LLVMContext &context) const {
  for (std::uint16_t bits : bits_) {
    if (bits == 0)
      continue;
    if (llvm::popcount(bits) > 1)
      return {};
    if (bits == integer_bit)
      return integer_type();
    if (bits == pointer_bit)
      return pointer_type();
    unsigned index = static_cast<unsigned>(llvm::countr_zero(bits)) - first_floating_bit;
    return {ByteKind::floating, llvm::Type::getPrimitiveType(context, floating_types[index])};
  }
  return {};
}

namespace {

/// Where the entry of `key` is in a sorted row, or belongs.
template <class Entries, class Key>
auto place_of(Entries &entries, const Key &key) {
  return std::lower_bound(entries.begin(), entries.end(), key,
                          [](const auto &entry, const Key &other) { return entry.first < other; });
}

/// What was seen or declared, not what a layout or a name of integers suggests.
Evidence told(const Evidence &evidence) {
  Evidence result = evidence.only(Rank::access);
  result.merge(evidence.only(Rank::declaration));
  return result;
}

} // namespace

bool TypeTree::add(OffsetSet at, Evidence evidence) {
  if (evidence.empty())
    return false;
  mentioned_.merge(evidence);
  const bool changed = at.stride == 0 ? add_exact(at.base, evidence) : add_strided(at, evidence);
  version_ += changed ? 1 : 0;
  return changed;
}

bool TypeTree::add_exact(std::int64_t offset, const Evidence &evidence) {
  auto found = place_of(exact_, offset);
  if (found == exact_.end() || found->first != offset)
    found = exact_.insert(found, {offset, Evidence{}});
  return found->second.merge(evidence);
}

bool TypeTree::add_strided(OffsetSet at, Evidence evidence) {
  const ArrayKey key{at.stride, floor_modulo(at.base, at.stride)};
  auto found = place_of(strided_, key);
  const bool inserted = found == strided_.end() || found->first != key;
  if (inserted)
    found = strided_.insert(found, {key, Strided{at.base, Evidence{}}});
  bool lower = at.base < found->second.base;
  found->second.base = std::min(found->second.base, at.base);
  // A stride may be less than that of the struct: a number that was seen and an address that is declared need not be in
  // one place.
  Evidence &known = found->second.evidence;
  if (told(known).excludes(told(evidence)))
    evidence.merge(known.together_with(evidence));
  return known.merge(evidence) || inserted || lower;
}

Evidence TypeTree::look_up_strided(OffsetSet at) const {
  Evidence result;
  for (const auto &[key, entry] : strided_) {
    std::uint64_t common = std::gcd(key.first, at.stride);
    if (floor_modulo(at.base - key.second, common) == 0)
      result.merge(entry.evidence);
  }
  return result;
}

/// An array of floats of which the first place holds a pointer, or the other way round: structs and arrays are in this
/// memory in turn, and nothing says where the array ends.
bool TypeTree::begins_as_something_else(ArrayKey key, const Strided &array) const {
  const std::int64_t lowest = std::max<std::int64_t>(array.base, 0);
  const Evidence *found = find_exact(lowest + floor_modulo(key.second - lowest, key.first));
  return found != nullptr && found->excludes(array.evidence);
}

namespace {

/// The first of many structs has a float here, and something else was seen in its place: a container's own head, say,
/// which is linked with its nodes.
bool begins_array_of_structs(std::int64_t place, std::uint64_t stride, const TypeTree::Strided &field,
                             const Evidence &seen) {
  constexpr std::uint64_t widest_element = 8;
  return stride > widest_element && field.base == place && !seen.mentions_floating() &&
         field.evidence.mentions_floating();
}

} // namespace

Evidence TypeTree::look_up(OffsetSet at) const {
  constexpr std::size_t small = 8; // what is looked through as fast as it is found again
  if (exact_.size() + strided_.size() <= small)
    return find_out(at);
  Found &found = found_[{at.base, at.stride}];
  if (found.version != version_)
    found = {find_out(at), version_};
  return found.evidence;
}

const Evidence *TypeTree::find_exact(std::int64_t offset) const {
  const auto found = place_of(exact_, offset);
  return found != exact_.end() && found->first == offset ? &found->second : nullptr;
}

/// Of a place of which `known` was seen.
Evidence TypeTree::find_exact_place(std::int64_t offset, const Evidence &known) const {
  Evidence result = known;
  const auto is_element = [&](ArrayKey key, const Strided &array) {
    return array.base <= offset && floor_modulo(offset - key.second, key.first) == 0;
  };
  for (const auto &[key, entry] : strided_) { // a name of integers says less than what the whole array is used as
    if (result.mentions_floating())
      break;
    if (entry.evidence.mentions_floating() && !result.excludes(entry.evidence) &&
        result.is_weaker_than(entry.evidence) && is_element(key, entry))
      result = entry.evidence;
  }
  for (const auto &[key, entry] : strided_) {
    const bool begins_structs = begins_array_of_structs(offset, key.first, entry, result);
    if ((begins_structs || result.excludes(entry.evidence)) && is_element(key, entry) &&
        (begins_structs || begins_as_something_else(key, entry)))
      result = result.together_with(entry.evidence);
  }
  return result;
}

Evidence TypeTree::find_out(OffsetSet at) const {
  if (at.stride == 0)
    if (const Evidence *known = find_exact(at.base))
      return find_exact_place(at.base, *known);
  // A struct may end in an array: k >= 0 is meant, so that nothing is strided before where it was first seen.
  // Divisions take most of the time of large trees, so they come last: of entries that would change something.
  Evidence result;
  std::uint64_t stride = 0, common = 0;
  for (const auto &[key, entry] : strided_) {
    const bool is_excluded = result.excludes(entry.evidence);
    if ((entry.base > at.base && at.stride == 0) || (!is_excluded && result.includes(entry.evidence)))
      continue;
    if (key.first != stride)
      stride = key.first, common = std::gcd(stride, at.stride);
    if (floor_modulo(at.base - key.second, common) != 0)
      continue;
    // Other places than this one, all of which may be meant: a rank decides between names of the same place alone.
    if (common < key.first && is_excluded)
      result = result.together_with(entry.evidence);
    else
      result.merge(entry.evidence);
  }
  return at.stride == 0 ? result : with_elements(at, result);
}

/// `result` was found in arrays.
Evidence TypeTree::with_elements(OffsetSet at, Evidence result) const {
  const bool is_open = result == result.only(Rank::hint); // names of integer types do not speak against what is there
  if (is_open) {
    for (auto element = exact_.begin(); element != exact_.end() && !result.includes(mentioned_); ++element)
      if (!result.includes(element->second) && floor_modulo(element->first - at.base, at.stride) == 0)
        result.merge(element->second);
  } else if (at.stride % pointer_bytes == 0 && result.may_exclude() && mentioned_.mentions_pointers() &&
             mentioned_.mentions_floating()) {
    for (auto element = place_of(exact_, at.base); element != exact_.end(); ++element)
      if (result.excludes(element->second) && floor_modulo(element->first - at.base, at.stride) == 0)
        result = result.together_with(element->second);
  }
  return result;
}

Evidence TypeTree::look_up_anywhere(OffsetSet at) const {
  Evidence result = look_up(at);
  return result.empty() ? look_up_strided(at) : result;
}

Evidence TypeTree::everything(OffsetSet at) const {
  Evidence result;
  for (const auto &[offset, evidence] : exact_)
    if (at.stride != 0 || offset >= at.base)
      result.merge(evidence);
  for (const auto &[key, entry] : strided_)
    result.merge(entry.evidence);
  return result;
}

BasicType integer_type() {
  return {ByteKind::integer, nullptr};
}
BasicType pointer_type() {
  return {ByteKind::pointer, nullptr};
}

BasicType basic_type(llvm::Type *scalar) {
  if (scalar->isFloatingPointTy())
    return {ByteKind::floating, scalar};
  if (scalar->isPointerTy())
    return pointer_type();
  if (scalar->isIntegerTy())
    return integer_type();
  return {};
}

std::uint64_t byte_size(BasicType type, const llvm::DataLayout &layout) {
  switch (type.kind) {
  case ByteKind::floating:
    return layout.getTypeAllocSize(type.floating).getFixedValue();
  case ByteKind::pointer:
    return layout.getPointerSize();
  default:
    return word_bytes;
  }
}

void for_each_scalar(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                     llvm::function_ref<void(OffsetSet, llvm::Type *)> visit) {
  if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
    if (record->isOpaque() || !record->isSized() || record->isScalableTy())
      return;
    const llvm::StructLayout *offsets = layout.getStructLayout(record);
    for (unsigned index = 0; index < record->getNumElements(); ++index) {
      auto offset = static_cast<std::int64_t>(offsets->getElementOffset(index).getFixedValue());
      for_each_scalar(record->getElementType(index), at.plus({offset, 0}), layout, visit);
    }
    return;
  }
  if (llvm::isa<llvm::ArrayType, llvm::FixedVectorType>(type)) {
    llvm::Type *element = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
    std::uint64_t count =
        type->isArrayTy() ? type->getArrayNumElements() : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    std::uint64_t stride = layout.getTypeAllocSize(element).getFixedValue();
    if (count == 1 || stride == 0)
      for_each_scalar(element, at, layout, visit);
    else
      for_each_scalar(element, at.plus({0, stride}), layout, visit);
    return;
  }
  if (type->isSized() && !type->isScalableTy())
    visit(at, type);
}

namespace {

Rank rank_in(const llvm::StructType *owner, llvm::Type *scalar) {
  bool is_union = owner != nullptr && owner->hasName() && owner->getName().starts_with("union.");
  if (is_union)
    return Rank::hint;
  bool is_named = owner != nullptr && owner->hasName();
  return scalar->isIntegerTy() && !is_named ? Rank::hint : Rank::layout;
}

/// Arrays in structs with at most so many elements are taken element by element.
constexpr std::uint64_t most_enumerated = 64;

void visit_layout(llvm::Type *type, const llvm::StructType *owner, OffsetSet at, const llvm::DataLayout &layout,
                  llvm::function_ref<void(OffsetSet, Evidence)> visit) {
  if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
    if (record->isOpaque() || !record->isSized() || record->isScalableTy())
      return;
    const llvm::StructLayout *offsets = layout.getStructLayout(record);
    for (unsigned index = 0; index < record->getNumElements(); ++index) {
      llvm::Type *element = record->getElementType(index);
      std::uint64_t offset = offsets->getElementOffset(index).getFixedValue();
      visit_layout(element, record, at.plus({static_cast<std::int64_t>(offset), 0}), layout, visit);
      std::uint64_t end = offset + layout.getTypeStoreSize(element).getFixedValue();
      std::uint64_t next = index + 1 < record->getNumElements() ? offsets->getElementOffset(index + 1).getFixedValue()
                                                                : offsets->getSizeInBytes().getFixedValue();
      for (std::uint64_t padding = (end + word_bytes - 1) / word_bytes * word_bytes; padding < next;
           padding += word_bytes)
        visit(at.plus({static_cast<std::int64_t>(padding), 0}), Evidence::of(integer_type(), Rank::layout));
    }
    return;
  }
  if (llvm::isa<llvm::ArrayType, llvm::FixedVectorType>(type)) {
    llvm::Type *element = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
    std::uint64_t count =
        type->isArrayTy() ? type->getArrayNumElements() : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    std::uint64_t stride = layout.getTypeAllocSize(element).getFixedValue();
    if (element->isIntegerTy(8)) { // Padding when small, storage for anything when not.
      if (count < smallest_storage)
        visit(at, Evidence::of(integer_type(), rank_in(owner, element)));
      return;
    }
    if (owner != nullptr && count <= most_enumerated) { // within its struct only: other fields follow
      for (std::uint64_t index = 0; index < count; ++index)
        visit_layout(element, owner, at.plus({static_cast<std::int64_t>(index * stride), 0}), layout, visit);
      return;
    }
    if (count != 0)
      visit_layout(element, owner, count == 1 || stride == 0 ? at : at.plus({0, stride}), layout, visit);
    return;
  }
  if (!type->isSized() || type->isScalableTy())
    return;
  std::uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  Evidence evidence = Evidence::of(basic_type(type), rank_in(owner, type));
  visit(at, evidence);
  for (std::uint64_t rest = word_bytes; type->isIntegerTy() && rest < size; rest += word_bytes)
    visit(at.plus({static_cast<std::int64_t>(rest), 0}), evidence);
}

} // namespace

void for_each_layout_evidence(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                              llvm::function_ref<void(OffsetSet, Evidence)> visit) {
  visit_layout(type, nullptr, at, layout, visit);
}

} // namespace assay::engine
