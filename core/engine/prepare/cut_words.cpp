#include "core/engine/prepare/cut_words.hpp"
#include "core/engine/prepare/word_parts.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// The word that `low` and, above it, `high` are the parts of.
class JoinedParts {
public:
  explicit JoinedParts(const DataLayout &layout) : layout_(layout) {}

  Value *join(Value &low, Value &high, unsigned depth = 4) {
    const unsigned low_bits = low.getType()->getIntegerBitWidth(),
                   bits = low_bits + high.getType()->getIntegerBitWidth();
    if (Value *whole = common_source(low, high, low_bits, bits))
      return whole;
    if (Value *constant = joined_constants(low, high, low_bits, bits))
      return constant;
    if (Value *loaded = joined_loads(low, high, bits))
      return loaded;
    return depth == 0 ? nullptr : joined_choices(low, high, depth);
  }

private:
  static Value *common_source(Value &low, Value &high, unsigned low_bits, unsigned bits) {
    Value *whole = nullptr, *other = nullptr;
    if (match(&low, m_Trunc(m_Value(whole))) &&
        match(&high, m_Trunc(m_LShr(m_Value(other), m_SpecificInt(low_bits)))) && whole == other &&
        whole->getType()->isIntegerTy(bits))
      return whole;
    return nullptr;
  }

  static Value *joined_constants(Value &low, Value &high, unsigned low_bits, unsigned bits) {
    if (isa<UndefValue>(low) && isa<UndefValue>(high)) // poison, too
      return UndefValue::get(IntegerType::get(low.getContext(), bits));
    const auto *one = dyn_cast<ConstantInt>(&low), *other = dyn_cast<ConstantInt>(&high);
    if (!one || !other)
      return nullptr;
    return ConstantInt::get(low.getContext(), (other->getValue().zext(bits) << low_bits) | one->getValue().zext(bits));
  }

  Value *joined_loads(Value &low, Value &high, unsigned bits) {
    auto *one = dyn_cast<LoadInst>(&low), *other = dyn_cast<LoadInst>(&high);
    if (!one || !other || !one->isSimple() || !other->isSimple() ||
        place_of(*one->getPointerOperand(), layout_).plus(bytes_of(*one, layout_)) !=
            place_of(*other->getPointerOperand(), layout_))
      return nullptr;
    const Instruction *first = first_of(*one, *other, may_write);
    if (!first)
      return nullptr;
    Value *&loaded = made_[{one, other}];
    if (!loaded) {
      IRBuilder<> builder(first == one ? static_cast<Instruction *>(other) : one);
      loaded = builder.CreateAlignedLoad(builder.getIntNTy(bits), one->getPointerOperand(), one->getAlign());
    }
    return loaded;
  }

  /// Parts that come from different places, or are chosen, together.
  Value *joined_choices(Value &low, Value &high, unsigned depth) {
    auto *one = dyn_cast<PHINode>(&low), *other = dyn_cast<PHINode>(&high);
    if (!one || !other || one->getParent() != other->getParent())
      return nullptr;
    if (Value *known = made_.lookup({one, other}))
      return known;
    SmallVector<Value *, 4> words;
    for (BasicBlock *from : one->blocks()) {
      Value *word = join(*one->getIncomingValueForBlock(from), *other->getIncomingValueForBlock(from), depth - 1);
      if (!word)
        return nullptr;
      words.push_back(word);
    }
    IRBuilder<> builder(one);
    PHINode *joined = builder.CreatePHI(words.front()->getType(), words.size());
    for (auto [word, from] : zip_equal(words, one->blocks()))
      joined->addIncoming(word, from);
    return made_[{one, other}] = joined;
  }

  const DataLayout &layout_;
  DenseMap<std::pair<Value *, Value *>, Value *> made_;
};

/// Only the optimiser makes integers of 24 or 56 bits.
bool is_odd(const Value &value) {
  return !isPowerOf2_32(value.getType()->getIntegerBitWidth());
}

/// The store of the rest of the word, of a double or a float, that `low` stores the first bytes of.
StoreInst *store_of_rest(StoreInst &low, Instruction *&first) {
  const DataLayout &layout = low.getDataLayout();
  const std::uint64_t low_bytes = bytes_of(*low.getValueOperand(), layout);
  const Place begin = place_of(*low.getPointerOperand(), layout);
  for (const std::uint64_t size : {word_bytes, word_bytes / 2})
    for (StoreInst *high : stores_before(*low.getParent(), begin.plus(size))) {
      const Value &rest = *high->getValueOperand();
      const auto touches = [&](const Instruction &between) { return may_touch(between, begin, size, layout); };
      if (low_bytes + bytes_of(rest, layout) == size && (is_odd(rest) || is_odd(*low.getValueOperand())) &&
          (first = first_of(low, *high, touches)))
        return high;
    }
  return nullptr;
}

} // namespace

bool rejoin_cut_words(Function &function) {
  if (!function.getDataLayout().isLittleEndian())
    return false;
  JoinedParts parts(function.getDataLayout());
  SmallVector<StoreInst *, 16> stores;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction);
        store && store->isSimple() && is_part(*store->getValueOperand()))
      stores.push_back(store);
  SmallPtrSet<StoreInst *, 8> replaced;
  for (StoreInst *low : stores) {
    Instruction *first = nullptr;
    StoreInst *high = replaced.contains(low) ? nullptr : store_of_rest(*low, first);
    Value *word =
        high && !replaced.contains(high) ? parts.join(*low->getValueOperand(), *high->getValueOperand()) : nullptr;
    if (!word)
      continue;
    IRBuilder<> builder(first == low ? high : low);
    builder.CreateAlignedStore(word, low->getPointerOperand(), low->getAlign());
    replaced.insert(low);
    replaced.insert(high);
  }
  SmallVector<WeakTrackingVH, 8> dead;
  for (StoreInst *store : replaced) {
    dead.emplace_back(store->getValueOperand());
    store->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  return !replaced.empty();
}

} // namespace assay::engine
