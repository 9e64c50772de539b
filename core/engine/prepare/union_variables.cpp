#include "core/engine/prepare/union_variables.hpp"
#include "core/engine/prepare/retype_words.hpp"
#include "core/engine/prepare/words.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// True where an address was stored in a variable where a number is loaded.
bool may_be_address(const LoadInst &load, const TypeAnalysis &types) {
  if (!isa<AllocaInst>(getUnderlyingObject(load.getPointerOperand())))
    return false;
  return any_of(types.seen_fields(*load.getPointerOperand(), word_size), [](const TypedField &field) {
    return field.offset == 0 && (field.is_mixed || (field.may_be_pointer && field.may_be_floating));
  });
}

bool is_number_of_word_size(const LoadInst &load, const DataLayout &layout) {
  return load.isSimple() && load.getType()->isFPOrFPVectorTy() && size_of(load, layout) == word_size;
}

} // namespace

bool copy_union_variables_as_words(Function &function, const TypeAnalysis &types) {
  SmallVector<std::pair<LoadInst *, MemoryKind>, 4> copied;
  for (Instruction &instruction : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !is_number_of_word_size(*load, types.layout()) || !may_be_address(*load, types))
      continue;
    const auto words = words_behind(types, {load->getPointerOperand()}, word_size, *function.getParent());
    if (words && !stores_of(*load).empty())
      copied.emplace_back(load, *words);
  }
  for (const auto &[load, words] : copied)
    move_as_words(*load, stores_of(*load), words);
  return !copied.empty();
}

} // namespace assay::engine
