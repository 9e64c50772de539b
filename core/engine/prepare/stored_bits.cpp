#include "core/engine/prepare/stored_bits.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
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
struct StoredPart {
  Value *value;
  unsigned first;       ///< bit
  unsigned end;         ///< the bit behind it
  unsigned dropped = 0; ///< Bits of the value below these.
};

using Parts = SmallVector<StoredPart, 4>;

Parts parts_of_joined(Value &word, const DataLayout &layout, unsigned joins);

/// What the bits of a word are put together from, of which some may be joined before.
class Word {
public:
  Word(const Value &stored, const DataLayout &layout, unsigned joins)
      : layout_(layout), joins_(joins), constant_(bits_of(stored, layout), 0) {}

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
    if (depth > 0 && match(value, m_CombineOr(m_ZExt(m_Value(inner)), m_Trunc(m_Value(inner)))) &&
        inner->getType()->isIntegerTy())
      return collect(inner, first, depth - 1);
    if (depth > 0 && match(value, m_Or(m_Value(inner), m_Value(other))))
      return collect(inner, first, depth - 1) && collect(other, first, depth - 1);
    if (depth > 0 && match(value, m_Shl(m_Value(inner), m_APInt(known))))
      return collect(inner, first + static_cast<unsigned>(known->getLimitedValue(constant_.getBitWidth())), depth - 1);
    return value->getType()->isIntegerTy() && (add_joined(*value, first) || add(*value, first));
  }

  /// All parts from first to last, constants between them included; none where a float is not among them, or where one
  /// lies over another.
  Parts parts() const {
    if (none_of(parts_, [](const StoredPart &part) { return part.value->getType()->isFloatingPointTy(); }))
      return {};
    Parts ordered = parts_, all;
    sort(ordered, [](const StoredPart &one, const StoredPart &other) { return one.first < other.first; });
    unsigned end = 0;
    for (StoredPart &part : ordered) {
      if (part.first < end || !constant_.extractBits(part.end - part.first, part.first).isZero())
        return {};
      add_constant_between(end, part.first, all);
      materialise(part);
      all.push_back(part);
      end = part.end;
    }
    add_constant_between(end, constant_.getBitWidth(), all);
    return all;
  }

private:
  bool add_joined(Value &value, unsigned first) {
    const Parts parts = parts_of_joined(value, layout_, joins_);
    return !parts.empty() &&
           all_of(parts, [&](const StoredPart &part) { return add(*part.value, first + part.first); });
  }

  /// Of an integer that is wider than a number only the halves count that are not known to be zero, and in the word.
  bool add(Value &value, unsigned first) {
    constexpr unsigned number_bits = 32;
    unsigned begin = 0, end = bits_of(value, layout_);
    if (isa<Instruction>(value) && value.getType()->isIntegerTy() && end > number_bits) {
      const KnownBits known = computeKnownBits(&value, layout_);
      begin = static_cast<unsigned>(alignDown(known.countMinTrailingZeros(), number_bits));
      end = std::min(static_cast<unsigned>(alignTo(known.countMaxActiveBits(), number_bits)),
                     constant_.getBitWidth() - std::min(first, constant_.getBitWidth()));
    }
    if (begin >= end)
      return true;
    parts_.push_back({&value, first + begin, first + end, begin});
    return first + end <= constant_.getBitWidth() && first % byte_bits == 0 && end % byte_bits == 0;
  }

  /// The bits of a part alone.
  void materialise(StoredPart &part) const {
    const unsigned bits = part.end - part.first;
    auto *word = dyn_cast<Instruction>(part.value);
    if (!word || bits == bits_of(*word, layout_))
      return;
    IRBuilder<> builder(&*word->getInsertionPointAfterDef().value());
    Value *shifted = part.dropped == 0 ? word : builder.CreateLShr(word, part.dropped);
    part = {builder.CreateTrunc(shifted, builder.getIntNTy(bits)), part.first, part.end};
  }

  bool add_constant(const APInt &known, unsigned first) {
    constant_ |= known.zextOrTrunc(constant_.getBitWidth()).shl(first);
    return true;
  }

  void add_constant_between(unsigned first, unsigned end, SmallVectorImpl<StoredPart> &all) const {
    LLVMContext &context = parts_.front().value->getContext();
    if (first < end)
      all.push_back({ConstantInt::get(context, constant_.extractBits(end - first, first)), first, end});
  }

  const DataLayout &layout_;
  unsigned joins_;
  APInt constant_;
  Parts parts_;
};

Parts parts_of(Value &stored, const DataLayout &layout, unsigned joins);

/// True of an integer that was computed: no word of memory and no address, which may be something else.
bool is_computed(const Value &word) {
  return isa<BinaryOperator, ZExtInst, SExtInst, TruncInst>(word);
}

/// A word that is computed, or constant, in the same parts as another; none of what is neither.
Parts cut_like(const Parts &other, Value &word) {
  if (!isa<ConstantInt>(word) && !is_computed(word))
    return {};
  Parts parts;
  IRBuilder<> builder(word.getContext());
  if (auto *computed = dyn_cast<Instruction>(&word))
    builder.SetInsertPoint(*computed->getInsertionPointAfterDef());
  for (const StoredPart &part : other) {
    Value *shifted = part.first == 0 ? &word : builder.CreateLShr(&word, part.first);
    parts.push_back({builder.CreateTrunc(shifted, builder.getIntNTy(part.end - part.first)), part.first, part.end});
  }
  return parts;
}

/// Of words that meet, those that are put together from floats say where parts begin; none where others disagree.
SmallVector<Parts, 2> parts_of_each(ArrayRef<Value *> words, const DataLayout &layout, unsigned joins) {
  SmallVector<Parts, 2> all;
  for (Value *word : words)
    all.push_back(isa<ConstantInt>(word) ? Parts() : parts_of(*word, layout, joins - 1));
  const auto *known = find_if(all, [](const Parts &parts) { return !parts.empty(); });
  if (known == all.end())
    return {};
  const Parts like = *known;
  for (auto [word, parts] : zip(words, all)) {
    if (parts.empty())
      parts = cut_like(like, *word);
    const auto same = [](const StoredPart &one, const StoredPart &other) {
      return one.first == other.first && one.end == other.end;
    };
    if (!equal(like, parts, same))
      return {};
  }
  return all;
}

/// The type in which the parts at one place meet: the float's, if there is one, of which integers may have the bits;
/// null where another number meets it.
Type *type_of_parts(ArrayRef<Value *> parts) {
  const auto *number = find_if(parts, [](const Value *part) { return part->getType()->isFloatingPointTy(); });
  if (number == parts.end())
    return parts.front()->getType();
  Type *type = (*number)->getType();
  const bool fit = all_of(parts, [&](const Value *part) {
    return part->getType() == type || part->getType()->isIntegerTy(type->getPrimitiveSizeInBits());
  });
  return fit ? type : nullptr;
}

/// `join`, a phi or a select of the words whose parts are given, for one part of them.
Value *joined_part(Instruction &join, ArrayRef<Value *> parts, Type &type) {
  const auto as_type = [&](Value *part, Instruction &use) { return IRBuilder<>(&use).CreateBitCast(part, &type); };
  if (auto *select = dyn_cast<SelectInst>(&join))
    return IRBuilder<>(select).CreateSelect(select->getCondition(), as_type(parts[0], join), as_type(parts[1], join));
  PHINode *phi = IRBuilder<>(&join).CreatePHI(&type, parts.size());
  for (auto [block, part] : zip(cast<PHINode>(join).blocks(), parts)) {
    const int index = phi->getBasicBlockIndex(block); // a block that comes twice has to bring the same twice
    phi->addIncoming(index >= 0 ? phi->getIncomingValue(index) : as_type(part, *block->getTerminator()), block);
  }
  return phi;
}

/// Words that are put together before control meets.
Parts parts_of_join(Instruction &join, ArrayRef<Value *> words, const DataLayout &layout, unsigned joins) {
  const SmallVector<Parts, 2> all = parts_of_each(words, layout, joins);
  SmallVector<SmallVector<Value *, 2>, 4> columns;
  SmallVector<Type *, 4> types;
  for (unsigned index = 0; index < (all.empty() ? 0 : all.front().size()); ++index) {
    columns.emplace_back(map_range(all, [&](const Parts &parts) { return parts[index].value; }));
    types.push_back(type_of_parts(columns.back()));
  }
  if (is_contained(types, nullptr))
    return {};
  Parts joined;
  for (unsigned index = 0; index < types.size(); ++index)
    joined.push_back(
        {joined_part(join, columns[index], *types[index]), all.front()[index].first, all.front()[index].end});
  return joined;
}

/// The parts of a phi or a select; none of what is neither.
Parts parts_of_joined(Value &word, const DataLayout &layout, unsigned joins) {
  if (joins == 0)
    return {};
  if (auto *phi = dyn_cast<PHINode>(&word))
    return parts_of_join(*phi, SmallVector<Value *, 4>(phi->incoming_values()), layout, joins);
  if (auto *select = dyn_cast<SelectInst>(&word); select && !select->getCondition()->getType()->isVectorTy())
    return parts_of_join(*select, {select->getTrueValue(), select->getFalseValue()}, layout, joins);
  return {};
}

/// What fills the bits of `stored`, from first to last; nothing where they are not those of floats.
Parts parts_of(Value &stored, const DataLayout &layout, unsigned joins) {
  constexpr unsigned most_operations = 6;
  Word word(stored, layout, joins);
  return word.collect(&stored, 0, most_operations) ? word.parts() : Parts();
}

Parts parts_filling(StoreInst &store) {
  constexpr unsigned most_joins = 3;
  Value *stored = store.getValueOperand(), *word = nullptr;
  if (match(stored, m_BitCast(m_Value(word))) && word->getType()->isIntegerTy() && stored->getType()->isVectorTy())
    stored = word; // floats beside one another
  if (!store.isSimple() || !stored->getType()->isIntOrPtrTy())
    return {};
  return parts_of(*stored, store.getDataLayout(), most_joins);
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
    const Parts parts = parts_filling(*store);
    if (parts.empty())
      continue;
    IRBuilder<> builder(store);
    for (const StoredPart &part : parts) {
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
