#include "core/engine/prepare/stored_bits.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

constexpr unsigned byte_bits = 8;

unsigned bits_of(const Value &value, const DataLayout &layout) {
  return static_cast<unsigned>(layout.getTypeSizeInBits(value.getType()).getFixedValue());
}

/// A float, or an integer, at an offset within the stored value.
struct Part {
  Value *value;
  unsigned first; ///< bit
  unsigned end;   ///< the bit behind it
};

/// What the bits of a word are put together from.
class Word {
public:
  Word(const Value &stored, const DataLayout &layout) : layout_(layout), constant_(bits_of(stored, layout), 0) {}

  /// False where `value`, so many bits above the lowest one of the word, is not put together from floats and integers.
  bool collect(Value *value, unsigned first, unsigned depth) {
    Value *inner = nullptr, *other = nullptr;
    const APInt *known = nullptr;
    while (isa<IntToPtrInst, PtrToIntInst>(value))
      value = cast<CastInst>(value)->getOperand(0);
    if (match(value, m_APInt(known)))
      return add_constant(*known, first);
    if (match(value, m_BitCast(m_Value(inner))) && inner->getType()->isFloatingPointTy())
      return add(*inner, first);
    if (depth > 0 && match(value, m_ZExt(m_Value(inner))))
      return collect(inner, first, depth - 1);
    if (depth > 0 && match(value, m_Or(m_Value(inner), m_Value(other))))
      return collect(inner, first, depth - 1) && collect(other, first, depth - 1);
    if (depth > 0 && match(value, m_Shl(m_Value(inner), m_APInt(known))))
      return collect(inner, first + static_cast<unsigned>(known->getLimitedValue(constant_.getBitWidth())), depth - 1);
    return value->getType()->isIntegerTy() && add(*value, first);
  }

  /// All parts from first to last, constants between them included; none where a float is not among them, or where one
  /// lies over another.
  SmallVector<Part, 4> parts() const {
    if (none_of(parts_, [](const Part &part) { return part.value->getType()->isFloatingPointTy(); }))
      return {};
    SmallVector<Part, 4> ordered = parts_, all;
    sort(ordered, [](const Part &one, const Part &other) { return one.first < other.first; });
    unsigned end = 0;
    for (const Part &part : ordered) {
      if (part.first < end || !constant_.extractBits(part.end - part.first, part.first).isZero())
        return {};
      add_constant_between(end, part.first, all);
      all.push_back(part);
      end = part.end;
    }
    add_constant_between(end, constant_.getBitWidth(), all);
    return all;
  }

private:
  bool add(Value &value, unsigned first) {
    const unsigned end = first + bits_of(value, layout_);
    parts_.push_back({&value, first, end});
    return end <= constant_.getBitWidth() && first % byte_bits == 0 && end % byte_bits == 0;
  }

  bool add_constant(const APInt &known, unsigned first) {
    constant_ |= known.zextOrTrunc(constant_.getBitWidth()).shl(first);
    return true;
  }

  void add_constant_between(unsigned first, unsigned end, SmallVectorImpl<Part> &all) const {
    LLVMContext &context = parts_.front().value->getContext();
    if (first < end)
      all.push_back({ConstantInt::get(context, constant_.extractBits(end - first, first)), first, end});
  }

  const DataLayout &layout_;
  APInt constant_;
  SmallVector<Part, 4> parts_;
};

/// What fills the bits that `store` writes, from first to last; nothing where they are not those of floats.
SmallVector<Part, 4> parts_filling(StoreInst &store) {
  constexpr unsigned most_operations = 6;
  Value *stored = store.getValueOperand();
  if (!store.isSimple() || !stored->getType()->isIntOrPtrTy())
    return {};
  Word word(*stored, store.getDataLayout());
  return word.collect(stored, 0, most_operations) ? word.parts() : SmallVector<Part, 4>{};
}

} // namespace

void store_floats_as_floats(Function &function) {
  if (!function.getDataLayout().isLittleEndian())
    return;
  SmallVector<WeakTrackingVH, 8> replaced;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!store)
      continue;
    const SmallVector<Part, 4> parts = parts_filling(*store);
    if (parts.empty())
      continue;
    IRBuilder<> builder(store);
    for (const Part &part : parts) {
      const unsigned offset = part.first / byte_bits;
      Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store->getPointerOperand(), offset);
      builder.CreateAlignedStore(part.value, place, commonAlignment(store->getAlign(), offset));
    }
    replaced.emplace_back(store->getValueOperand());
    store->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
}

} // namespace assay::engine
