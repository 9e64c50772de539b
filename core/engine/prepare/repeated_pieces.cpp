#include "core/engine/prepare/repeated_pieces.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// Sizes of numbers that fit more than once into an integer which is stored as a whole.
bool may_be_number(const Type &type) {
  return type.isIntegerTy(16) || type.isIntegerTy(32) || type.isIntegerTy(64);
}

/// Where the copies of a piece of `size` bits begin which multiplication with `factor` makes; none where they are not
/// apart from each other.
SmallVector<unsigned, 4> places_of_copies(APInt factor, unsigned size) {
  SmallVector<unsigned, 4> places;
  for (; !factor.isZero(); factor.clearBit(places.back())) {
    const unsigned place = factor.countr_zero();
    if (place % size != 0 || place + size > factor.getBitWidth())
      return {};
    places.push_back(place);
  }
  return places;
}

Value *piece_at(IRBuilderBase &builder, Value &piece, unsigned place) {
  return place == 0 ? &piece : builder.CreateShl(&piece, place);
}

} // namespace

bool place_repeated_pieces(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Value *piece = nullptr, *wide = nullptr;
    const APInt *factor = nullptr;
    if (!match(&instruction, m_c_Mul(m_CombineAnd(m_ZExt(m_Value(piece)), m_Value(wide)), m_APInt(factor))) ||
        !may_be_number(*piece->getType()))
      continue;
    const SmallVector<unsigned, 4> places = places_of_copies(*factor, piece->getType()->getIntegerBitWidth());
    if (places.size() < 2)
      continue;
    IRBuilder<> builder(&instruction);
    Value *word = piece_at(builder, *wide, places.front());
    for (const unsigned place : drop_begin(places))
      word = builder.CreateOr(word, piece_at(builder, *wide, place), "", /*IsDisjoint=*/true);
    instruction.replaceAllUsesWith(word);
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace assay::engine
