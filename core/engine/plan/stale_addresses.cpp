#include "core/engine/plan/stale_addresses.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/MathExtras.h"

namespace assay::engine {

namespace {

constexpr std::uint64_t word_size = 8;

bool is_mixed_word(const TypedField &field) {
  return field.is_mixed && static_cast<std::uint64_t>(field.offset) % word_size == 0;
}

bool is_float_in_upper_half(const TypedField &field) {
  return static_cast<std::uint64_t>(field.offset) % word_size == word_size / 2 &&
         (field.type.kind == ByteKind::floating || field.is_mixed || field.may_be_floating);
}

/// Something that is more than padding: with it the word may look like an address.
bool is_integer_in_upper_half(const TypedField &field) {
  return static_cast<std::uint64_t>(field.offset) % word_size == word_size / 2 &&
         field.type.kind == ByteKind::integer && !field.is_only_laid_out;
}

} // namespace

bool may_read_address_as_float(const TypeAnalysis &types, const llvm::Instruction &access, llvm::Type &type) {
  if (!type.isFPOrFPVectorTy() || type.getScalarType()->isDoubleTy() || llvm::isa<llvm::ScalableVectorType>(type))
    return false;
  const llvm::Value &place = *llvm::getLoadStorePointerOperand(&access);
  if (llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(&place)))
    return false; // What callers pass may be padded with anything.
  const std::uint64_t bytes = llvm::alignTo(types.layout().getTypeStoreSize(&type).getFixedValue(), word_size);
  const auto fields = types.fields(place, bytes);
  return llvm::any_of(fields, is_mixed_word) &&
         (llvm::any_of(fields, is_float_in_upper_half) || llvm::none_of(fields, is_integer_in_upper_half));
}

} // namespace assay::engine
