#include "core/engine/prepare/joined_pieces.hpp"
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

constexpr unsigned word_bytes = 8, byte_bits = 8, most_steps = 8;

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

/// The word as it comes along one edge, or null.
Value *word_of_edge(IRBuilderBase &builder, const Bytes &bytes) {
  const WholeWord word = whole_word(bytes);
  Type *type = builder.getInt64Ty();
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
    if (!found.value && any_of(edges.back(), [](const ByteOrigin &byte) { return byte.value; }))
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

} // namespace

void join_pieces(Function &function) {
  SmallVector<WeakVH, 8> words; // themselves, not what takes their place
  for (Instruction &instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::Or && instruction.getType()->isIntegerTy(word_bytes * byte_bits))
      words.emplace_back(&instruction);
  for (const WeakVH &word : words)
    if (auto *instruction = dyn_cast_or_null<Instruction>(word))
      join_pieces_of(*instruction);
  for (const WeakVH &word : words)
    if (auto *instruction = dyn_cast_or_null<Instruction>(word))
      RecursivelyDeleteTriviallyDeadInstructions(instruction);
}

} // namespace assay::engine
