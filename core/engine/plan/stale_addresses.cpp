#include "core/engine/plan/stale_addresses.hpp"
#include "core/engine/prepare/joined_words.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/MathExtras.h"

namespace assay::engine {

namespace {

constexpr std::uint64_t word_size = 8, half_word = word_size / 2;

bool may_be_number(const TypedField &field) {
  return field.type.kind == ByteKind::floating || field.may_be_floating;
}

bool begins_word(const TypedField &field) {
  return static_cast<std::uint64_t>(field.offset) % word_size == 0;
}

bool is_mixed_word(const TypedField &field) {
  return field.is_mixed && begins_word(field);
}

/// Words that hold addresses and floats in turn among `fields` of the memory behind `place`.
bool has_mixed_word(const TypeAnalysis &types, const llvm::Value &place, llvm::ArrayRef<TypedField> fields) {
  const bool moves_words = types.moves_words(place);
  return llvm::any_of(fields, [&](const TypedField &field) {
    return is_mixed_word(field) || (moves_words && begins_word(field) && may_be_number(field));
  });
}

bool is_float_in_upper_half(const TypedField &field) {
  return static_cast<std::uint64_t>(field.offset) % word_size == half_word && (field.is_mixed || may_be_number(field));
}

/// Something that is more than padding: with it the word may look like an address.
bool is_integer_in_upper_half(const TypedField &field) {
  return static_cast<std::uint64_t>(field.offset) % word_size == half_word && field.type.kind == ByteKind::integer &&
         !field.is_only_laid_out;
}

/// All of a word is the double's, so nothing else can look like an address there.
std::optional<StaleWords> words_read_as_doubles(const TypeAnalysis &types, const llvm::Value &place,
                                                std::uint64_t bytes) {
  return llvm::any_of(types.seen_fields(place, bytes), is_mixed_word) ? std::optional(StaleWords{bytes, false})
                                                                      : std::nullopt;
}

/// What `place` is counted from, and how far it is from there.
struct Origin {
  const llvm::Value *object;
  std::uint64_t distance;
};

/// The nearest object that `place` lies in the upper half of a word of, counted from its start; else the farthest that
/// it lies behind.
Origin origin_of(const llvm::Value &place, const llvm::DataLayout &layout) {
  llvm::APInt distance(layout.getIndexTypeSizeInBits(place.getType()), 0);
  Origin origin{&place, 0};
  for (const llvm::Value *object = &place;;) {
    const auto *step = llvm::dyn_cast<llvm::GEPOperator>(object);
    if (step == nullptr || !step->accumulateConstantOffset(layout, distance))
      return origin;
    object = step->getPointerOperand();
    if (distance.isNegative())
      continue;
    origin = {object, distance.getZExtValue()};
    if (origin.distance % word_size == half_word)
      return origin;
  }
}

} // namespace

std::optional<StaleWords> words_read_as_floats(const TypeAnalysis &types, const llvm::Instruction &access,
                                               llvm::Type &type) {
  if (!type.isFPOrFPVectorTy() || llvm::isa<llvm::ScalableVectorType>(type))
    return std::nullopt;
  const llvm::Value &place = *llvm::getLoadStorePointerOperand(&access);
  if (type.getScalarType()->isDoubleTy() && stands_for_joined_word(place))
    return StaleWords{types.layout().getTypeStoreSize(&type).getFixedValue(), false};
  if (type.getScalarType()->isDoubleTy())
    return words_read_as_doubles(types, place, types.layout().getTypeStoreSize(&type).getFixedValue());
  const auto [object, distance] = origin_of(place, types.layout());
  const bool is_upper_half = distance % word_size == half_word;
  const std::uint64_t before = is_upper_half ? half_word : 0;
  const std::uint64_t size = types.layout().getTypeStoreSize(&type).getFixedValue();
  const std::uint64_t bytes = llvm::alignTo(before + size, word_size);
  const std::uint64_t first = is_upper_half ? distance - half_word : 0;
  auto fields = types.seen_fields(is_upper_half ? *object : place, first + bytes);
  llvm::erase_if(fields, [&](const TypedField &field) { return static_cast<std::uint64_t>(field.offset) < first; });
  if (stands_for_joined_word(*object))
    return StaleWords{bytes, true}; // whatever was seen there
  const bool are_pairs = llvm::any_of(fields, is_float_in_upper_half);
  const bool may_be_address =
      has_mixed_word(types, place, fields) && (are_pairs || llvm::none_of(fields, is_integer_in_upper_half));
  return may_be_address ? std::optional(StaleWords{bytes, true}) : std::nullopt;
}

} // namespace assay::engine
