#include "core/engine/prepare/joined_pieces.hpp"
#include "core/engine/prepare/word_parts.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

constexpr unsigned byte_bits = 8, most_steps = 8;

/// Where a byte comes from. Without a value it is zero, or anything.
struct ByteOrigin {
  Value *value = nullptr;
  unsigned index = 0;
  bool anything = false;
  bool is_behind = false; ///< Made behind the phis: it is not there yet where control comes from.
};
using Bytes = SmallVector<ByteOrigin, word_bytes>;

unsigned bytes_of(const Value &value) {
  return value.getType()->getIntegerBitWidth() / byte_bits;
}

bool is_row_of_bytes(const Value &value) {
  return value.getType()->isIntegerTy() && value.getType()->getIntegerBitWidth() % byte_bits == 0 &&
         bytes_of(value) <= word_bytes;
}

/// Follows bytes through masks, shifts and extensions, and through the phis of one block as if control came along one
/// of its edges.
class Origins {
public:
  Origins(const BasicBlock *block, const BasicBlock *from) : block_(block), from_(from) {}
  SmallPtrSet<const BasicBlock *, 2> joins; ///< The blocks of the phis that bytes came from.

  Bytes of(Value &value, unsigned steps = most_steps) {
    Value *inner = nullptr, *other = nullptr;
    const APInt *constant = nullptr;
    if (isa<UndefValue>(value))
      return Bytes(bytes_of(value), ByteOrigin{.anything = true});
    if (match(&value, m_Zero()))
      return Bytes(bytes_of(value));
    if (steps == 0)
      return whole(value);
    if (auto *phi = dyn_cast<PHINode>(&value)) {
      joins.insert(phi->getParent());
      return phi->getParent() == block_ ? Origins(nullptr, nullptr).of(*phi->getIncomingValueForBlock(from_), steps - 1)
                                        : whole(value);
    }
    if (match(&value, m_And(m_Value(inner), m_APInt(constant))))
      return masked(value, of(*inner, steps - 1), *constant);
    if (match(&value, m_Or(m_Value(inner), m_Value(other))))
      return merged(value, of(*inner, steps - 1), of(*other, steps - 1));
    if (match(&value, m_CombineOr(m_ZExt(m_Value(inner)), m_Trunc(m_Value(inner)))) && is_row_of_bytes(*inner)) {
      Bytes bytes = of(*inner, steps - 1);
      bytes.resize(bytes_of(value));
      return bytes;
    }
    if (match(&value, m_Shl(m_Value(inner), m_APInt(constant))) && constant->urem(byte_bits) == 0)
      return shifted(of(*inner, steps - 1), int(constant->getLimitedValue() / byte_bits));
    if (match(&value, m_LShr(m_Value(inner), m_APInt(constant))) && constant->urem(byte_bits) == 0)
      return shifted(of(*inner, steps - 1), -int(constant->getLimitedValue() / byte_bits));
    return whole(value);
  }

private:
  ByteOrigin itself(Value &value, unsigned index) const {
    return {.value = &value, .index = index, .is_behind = block_ != nullptr};
  }

  Bytes whole(Value &value) const {
    Bytes bytes;
    for (unsigned index = 0; index < bytes_of(value); ++index)
      bytes.push_back(itself(value, index));
    return bytes;
  }

  Bytes masked(Value &value, Bytes bytes, const APInt &mask) const {
    for (unsigned index = 0; index < bytes.size(); ++index) {
      const auto kept = mask.extractBitsAsZExtValue(byte_bits, index * byte_bits);
      if (kept == 0)
        bytes[index] = {};
      else if (kept != 0xFF)
        bytes[index] = itself(value, index);
    }
    return bytes;
  }

  Bytes merged(Value &value, Bytes one, const Bytes &other) const {
    for (unsigned index = 0; index < one.size(); ++index)
      if (!one[index].value)
        one[index] = other[index];
      else if (other[index].value)
        one[index] = itself(value, index);
    return one;
  }

  static Bytes shifted(const Bytes &bytes, int up) {
    Bytes result(bytes.size());
    for (int index = 0; index < int(bytes.size()); ++index)
      if (index - up >= 0 && index - up < int(bytes.size()))
        result[index] = bytes[index - up];
    return result;
  }

  const BasicBlock *block_;
  const BasicBlock *from_;
};

/// One value whose first bytes these are, followed by zeros; null where they are of several.
struct WholeWord {
  Value *value = nullptr;
  unsigned bytes = 0;
};

WholeWord whole_word(const Bytes &bytes) {
  WholeWord word;
  for (unsigned index = 0; index < bytes.size(); ++index) {
    const ByteOrigin &byte = bytes[index];
    if (!byte.value)
      continue;
    if (byte.is_behind || byte.index != index || (word.value && word.value != byte.value))
      return {};
    word.value = byte.value;
    word.bytes = index + 1;
  }
  for (unsigned index = 0; index < word.bytes; ++index)
    if (!bytes[index].value && !bytes[index].anything)
      return {}; // zeros in between
  return word;
}

/// Two values of half a word each that a word begins and ends with; null where it is not made of such.
struct WordHalves {
  Value *low = nullptr, *high = nullptr;
};

WordHalves halves_of(const Bytes &bytes) {
  constexpr unsigned half = word_bytes / 2;
  if (bytes.size() != word_bytes)
    return {};
  for (unsigned index = 0; index < word_bytes; ++index) {
    const ByteOrigin &byte = bytes[index];
    if (!byte.value || byte.is_behind || byte.index != index % half ||
        byte.value != bytes[index - index % half].value || bytes_of(*byte.value) != half)
      return {};
  }
  return {bytes[0].value, bytes[half].value};
}

/// The word that two loads of its halves read together, or null.
Value *loaded_word(const WordHalves &halves, Type *type) {
  auto *low = dyn_cast<LoadInst>(halves.low), *high = dyn_cast<LoadInst>(halves.high);
  if (!low || !high || !low->isSimple() || !high->isSimple())
    return nullptr;
  const DataLayout &layout = low->getDataLayout();
  const Place place = place_of(*low->getPointerOperand(), layout), end = place_of(*high->getPointerOperand(), layout);
  const Instruction *first = place.plus(word_bytes / 2) == end ? first_of(*low, *high, may_write) : nullptr;
  if (!first)
    return nullptr;
  return IRBuilder<>(first == low ? high : low)
      .CreateAlignedLoad(type, low->getPointerOperand(), low->getAlign(), "joined");
}

Value *word_of_halves(IRBuilderBase &builder, const WordHalves &halves) {
  Type *type = builder.getInt64Ty();
  if (Value *loaded = loaded_word(halves, type))
    return loaded;
  Value *high = builder.CreateShl(builder.CreateZExt(halves.high, type), word_bytes / 2 * byte_bits);
  return builder.CreateOr(high, builder.CreateZExt(halves.low, type));
}

/// The word as it comes along one edge, or null.
Value *word_of_edge(IRBuilderBase &builder, const Bytes &bytes) {
  const WholeWord word = whole_word(bytes);
  Type *type = builder.getInt64Ty();
  if (const WordHalves halves = halves_of(bytes); halves.low && !word.value)
    return word_of_halves(builder, halves);
  if (!word.value)
    return all_of(bytes, [](const ByteOrigin &byte) { return !byte.value; }) ? Constant::getNullValue(type) : nullptr;
  Value *extended = builder.CreateZExt(word.value, type);
  return word.bytes == bytes_of(*word.value)
             ? extended
             : builder.CreateAnd(extended, maskTrailingOnes<std::uint64_t>(word.bytes * byte_bits));
}

/// The block whose phis the pieces of a word come from.
const BasicBlock *block_of_pieces(Instruction &word) {
  Origins origins(nullptr, nullptr);
  origins.of(word);
  return origins.joins.size() == 1 ? *origins.joins.begin() : nullptr;
}

void join_pieces_of(Instruction &word) {
  const BasicBlock *block = block_of_pieces(word);
  if (!block)
    return;
  auto &first = const_cast<PHINode &>(*block->phis().begin());
  SmallVector<Bytes, 4> edges;
  bool any_whole = false;
  for (const BasicBlock *from : first.blocks()) {
    edges.push_back(Origins(block, from).of(word));
    const WholeWord found = whole_word(edges.back());
    any_whole |= found.value && found.bytes == word_bytes;
    if (!found.value && !halves_of(edges.back()).low &&
        any_of(edges.back(), [](const ByteOrigin &byte) { return byte.value; }))
      return;
  }
  if (!any_whole)
    return;
  PHINode *joined = PHINode::Create(word.getType(), edges.size(), word.getName(), first.getIterator());
  for (unsigned edge = 0; edge < edges.size(); ++edge) {
    BasicBlock *from = first.getIncomingBlock(edge);
    const int known = joined->getBasicBlockIndex(from);
    IRBuilder<> builder(from->getTerminator());
    joined->addIncoming(known < 0 ? word_of_edge(builder, edges[edge]) : joined->getIncomingValue(known), from);
  }
  word.replaceAllUsesWith(joined);
}

/// The word that both halves were cut from, or null.
Value *cut_word(const WordHalves &halves) {
  Value *low = nullptr, *high = nullptr;
  const bool are_cut = match(halves.low, m_Trunc(m_Value(low))) &&
                       match(halves.high, m_Trunc(m_LShr(m_Value(high), m_SpecificInt(word_bytes / 2 * byte_bits))));
  return are_cut && low == high && low->getType()->isIntegerTy(word_bytes * byte_bits) ? low : nullptr;
}

/// Phis of one block, or choices by one condition, of halves: those of the same word on each way. Nothing where they
/// are something else.
SmallVector<WordHalves, 4> joined_halves(const WordHalves &halves) {
  SmallVector<WordHalves, 4> ways;
  auto *low = dyn_cast<PHINode>(halves.low), *high = dyn_cast<PHINode>(halves.high);
  if (low && high && low->getParent() == high->getParent())
    for (auto [from, value] : zip(low->blocks(), low->incoming_values()))
      ways.push_back({value, high->getIncomingValueForBlock(from)});
  auto *one = dyn_cast<SelectInst>(halves.low), *other = dyn_cast<SelectInst>(halves.high);
  if (one && other && one->getParent() == other->getParent() && one->getCondition() == other->getCondition())
    ways.append({WordHalves{one->getTrueValue(), other->getTrueValue()},
                 WordHalves{one->getFalseValue(), other->getFalseValue()}});
  return ways;
}

/// True where a word is whole on one of the ways that its halves come.
bool is_whole_before(const WordHalves &halves) {
  SmallVector<WordHalves, 8> seen{halves};
  for (unsigned next = 0; next < seen.size(); ++next) {
    if (cut_word(seen[next]))
      return true;
    for (const WordHalves &way : joined_halves(WordHalves(seen[next])))
      if (none_of(seen, [&](const WordHalves &known) { return known.low == way.low && known.high == way.high; }))
        seen.push_back(way);
  }
  return false;
}

/// Words in place of two halves that are joined apart from each other, perhaps several times.
class JoinedHalves {
public:
  /// The word of `halves`, there before `use`.
  Value *word(const WordHalves &halves, Instruction &use) {
    if (Value *known = known_.lookup({halves.low, halves.high}))
      return known;
    if (Value *whole = cut_word(halves))
      return whole;
    const SmallVector<WordHalves, 4> ways = joined_halves(halves);
    IRBuilder<> builder(&use);
    if (ways.empty())
      return word_of_halves(builder, halves);
    auto &join = *cast<Instruction>(halves.low);
    if (auto *select = dyn_cast<SelectInst>(&join)) {
      auto &last = select->comesBefore(cast<Instruction>(halves.high)) ? *cast<Instruction>(halves.high) : join;
      Value *one = word(ways[0], last), *other = word(ways[1], last);
      return known_[{halves.low, halves.high}] =
                 IRBuilder<>(&last).CreateSelect(select->getCondition(), one, other, "joined");
    }
    auto *phi = PHINode::Create(builder.getInt64Ty(), ways.size(), "joined", join.getIterator());
    known_[{halves.low, halves.high}] = phi;
    for (auto [from, way] : zip(cast<PHINode>(join).blocks(), ways)) {
      const int known = phi->getBasicBlockIndex(from); // a block that comes twice has to bring the same twice
      phi->addIncoming(known < 0 ? word(way, *from->getTerminator()) : phi->getIncomingValue(known), from);
    }
    return phi;
  }

private:
  DenseMap<std::pair<Value *, Value *>, Value *> known_;
};

void join_halves_of(Instruction &word, JoinedHalves &joined) {
  WordHalves halves;
  const auto shifted = m_Shl(m_ZExt(m_Value(halves.high)), m_SpecificInt(word_bytes / 2 * byte_bits));
  if (!match(&word, m_c_Or(shifted, m_ZExt(m_Value(halves.low)))))
    return;
  Type *half = IntegerType::get(word.getContext(), word_bytes / 2 * byte_bits);
  if (halves.low->getType() == half && halves.high->getType() == half && !cut_word(halves) && is_whole_before(halves))
    word.replaceAllUsesWith(joined.word(halves, word));
}

/// The store that fills the rest of a word, behind the half that another has stored, or null.
StoreInst *store_behind(StoreInst &low) {
  const DataLayout &layout = low.getDataLayout();
  const Place place = place_of(*low.getPointerOperand(), layout);
  for (StoreInst *high : stores_before(*low.getParent(), place.plus(word_bytes)))
    if (high->getValueOperand()->getType() == low.getValueOperand()->getType() &&
        first_of(low, *high, [&](const Instruction &between) { return may_touch(between, place, word_bytes, layout); }))
      return high;
  return nullptr;
}

/// Halves of a word that is whole elsewhere are stored as one.
void store_whole(StoreInst &low, JoinedHalves &joined) {
  if (!low.isSimple() || !low.getValueOperand()->getType()->isIntegerTy(word_bytes / 2 * byte_bits))
    return;
  StoreInst *high = store_behind(low);
  if (!high)
    return;
  const WordHalves halves{low.getValueOperand(), high->getValueOperand()};
  if (!is_whole_before(halves))
    return;
  Instruction &last = low.comesBefore(high) ? *high : low;
  IRBuilder<>(&last).CreateAlignedStore(joined.word(halves, last), low.getPointerOperand(), low.getAlign());
  low.eraseFromParent();
  high->eraseFromParent();
}

} // namespace

void join_pieces(Function &function) {
  SmallVector<WeakVH, 8> words; // themselves, not what takes their place
  for (Instruction &instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::Or && instruction.getType()->isIntegerTy(word_bytes * byte_bits))
      words.emplace_back(&instruction);
  JoinedHalves joined;
  for (const WeakVH &word : words)
    if (auto *instruction = dyn_cast_or_null<Instruction>(word))
      join_halves_of(*instruction, joined);
  SmallVector<WeakVH, 8> stores;
  for (Instruction &instruction : instructions(function))
    if (isa<StoreInst>(instruction))
      stores.emplace_back(&instruction);
  for (const WeakVH &store : stores)
    if (auto *low = dyn_cast_or_null<StoreInst>(store))
      store_whole(*low, joined);
  for (const WeakVH &word : words)
    if (auto *instruction = dyn_cast_or_null<Instruction>(word); instruction && !instruction->use_empty())
      join_pieces_of(*instruction);
  for (const WeakVH &word : words)
    if (auto *instruction = dyn_cast_or_null<Instruction>(word))
      RecursivelyDeleteTriviallyDeadInstructions(instruction);
}

} // namespace assay::engine
