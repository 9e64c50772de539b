#include "core/engine/prepare/joined_words.hpp"
#include "core/engine/prepare/retype_words.hpp"
#include "core/engine/prepare/words.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr const char *joined_metadata = "assay.joined";

using Joins = SmallSetVector<PHINode *, 8>;

bool is_row_of_words(const PHINode &phi, const DataLayout &layout) {
  const Type &type = *phi.getType();
  if (type.isPointerTy())
    return size_of(phi, layout) == word_size;
  return type.isIntOrIntVectorTy() && !type.isScalableTy() && size_of(phi, layout) % word_size == 0;
}

/// True of a number that has the bits of an address where control comes from one of the blocks: the variable of a union
/// is promoted to a value of the number's type.
bool is_named_number(const PHINode &phi, const DataLayout &layout) {
  if (!phi.getType()->isFloatingPointTy() || size_of(phi, layout) != word_size)
    return false;
  SmallSetVector<const Value *, 8> words;
  words.insert(&phi);
  for (unsigned next = 0; next < words.size(); ++next) {
    if (isa<PtrToIntInst>(words[next]))
      return true;
    if (const auto *join = dyn_cast<PHINode>(words[next]))
      words.insert(join->value_op_begin(), join->value_op_end());
    else if (const auto *renamed = dyn_cast<BitCastInst>(words[next]))
      words.insert(renamed->getOperand(0));
  }
  return false;
}

/// Words, not known to be floats, of which one was loaded or was joined before.
Joins joined_words(Function &function, const TypeAnalysis &types) {
  const auto is_word = [&](const PHINode &phi) {
    return is_named_number(phi, types.layout()) ||
           (is_row_of_words(phi, types.layout()) && types.of(phi).kind != ByteKind::floating);
  };
  Joins joined;
  for (Instruction &instruction : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&instruction);
        phi && is_word(*phi) && any_of(phi->incoming_values(), [&](const Use &value) {
          return isa<LoadInst, PHINode, PtrToIntInst, IntToPtrInst, BitCastInst>(value.get());
        }))
      joined.insert(phi);
  return joined;
}

bool is_stored_by(const Use &use) {
  return isa<StoreInst>(use.getUser()) && use.getOperandNo() == 0;
}

/// What a word was made of: an address or a number, or the integer that was taken for an address. Null where it is an
/// integer itself.
Value *origin_of_word(Value &word, const DataLayout &layout) {
  const auto *cast = dyn_cast<CastInst>(&word);
  if (!cast || !isa<PtrToIntInst, IntToPtrInst, BitCastInst>(cast))
    return nullptr;
  Value *origin = cast->getOperand(0);
  if (word.getType()->isFloatingPointTy())
    return origin_of_word(*origin, layout); // of an address whose bits were taken for a number
  const bool is_renamed = isa<IntToPtrInst>(cast) || !origin->getType()->isIntOrIntVectorTy();
  if (!is_renamed || layout.getTypeStoreSize(origin->getType()) != word_size)
    return nullptr;
  Value *before = origin_of_word(*origin, layout); // of a number whose bits were taken for an address
  return before ? before : origin;
}

/// Where `word` was loaded from, perhaps as an integer that was taken for an address.
const Value *place_of_word(const Value &word) {
  const auto *address = dyn_cast<IntToPtrInst>(&word);
  const auto *load = dyn_cast<LoadInst>(address ? address->getOperand(0) : &word);
  return load ? load->getPointerOperand() : nullptr;
}

/// Addresses and numbers that are joined with words are stored as what they were.
void store_origins(AllocaInst &place) {
  for (User *user : make_early_inc_range(place.users()))
    if (auto *store = dyn_cast<StoreInst>(user))
      if (Value *origin = origin_of_word(*store->getValueOperand(), place.getDataLayout())) {
        IRBuilder<>(store).CreateAlignedStore(origin, &place, store->getAlign());
        store->eraseFromParent();
      }
}

/// True of a word that was put together of numbers.
bool is_made_of_numbers(const Value &word, unsigned operations = 4) {
  const auto *made = dyn_cast<Instruction>(&word);
  if (!made || operations == 0)
    return false;
  if (isa<BitCastInst>(made))
    return made->getOperand(0)->getType()->isFPOrFPVectorTy();
  const bool is_put_together =
      isa<ZExtInst>(made) || made->getOpcode() == Instruction::Or || made->getOpcode() == Instruction::Shl;
  return is_put_together &&
         any_of(made->operand_values(), [&](const Value *part) { return is_made_of_numbers(*part, operations - 1); });
}

/// True of a word that is moved, where no type of the program's says that it is an address.
bool may_load_number(const LoadInst &load, const TypeAnalysis &types) {
  return (load.getType()->isIntegerTy() || !load.hasMetadata(LLVMContext::MD_tbaa)) &&
         holds_numbers(types.words(*load.getPointerOperand(), word_size));
}

/// True where one of the words that `phi` joins, perhaps after others were joined, may be a number: it was made of one,
/// or it comes from memory that holds numbers. In programs with floats nothing more is known of it.
bool joins_number(const PHINode &phi, const TypeAnalysis &types) {
  SmallSetVector<const Value *, 8> words;
  words.insert(&phi);
  for (unsigned next = 0; next < words.size(); ++next) {
    const Value &word = *words[next];
    if (const auto *join = dyn_cast<PHINode>(&word))
      words.insert(join->value_op_begin(), join->value_op_end());
    else if (isa<IntToPtrInst, PtrToIntInst>(word))
      words.insert(cast<CastInst>(word).getOperand(0));
    const auto *load = dyn_cast<LoadInst>(&word);
    if (load && may_load_number(*load, types))
      return true;
    if (is_made_of_numbers(word))
      return true;
  }
  return false;
}

/// True where `phi` goes to, or comes from, places that were seen to hold numbers and addresses in turn.
bool is_number_or_address(const PHINode &phi, const TypeAnalysis &types) {
  return any_of(phi.users(),
                [&](const User *user) {
                  const auto *store = dyn_cast<StoreInst>(user);
                  if (!store || store->getValueOperand() != &phi)
                    return false;
                  const Value &place = *store->getPointerOperand();
                  return types.is_number_or_address(place) || is_named_number(phi, types.layout()) ||
                         (holds_numbers(types.words(place, word_size)) && joins_number(phi, types));
                }) &&
         size_of(phi, types.layout()) == word_size;
}

/// All of `joined` that the bits of `words` come from, these among them.
Joins sources_among(const Joins &joined, Joins words) {
  for (unsigned next = 0; next < words.size(); ++next)
    for (Value *incoming : words[next]->incoming_values())
      if (auto *phi = dyn_cast<PHINode>(incoming); phi && joined.contains(phi))
        words.insert(phi);
  return words;
}

/// Words that are stored where numbers and addresses are in turn, and used as addresses as well, get a second self that
/// is only stored. True where there were some.
bool store_apart(const Joins &joined, const TypeAnalysis &types) {
  Joins stored;
  for (PHINode *phi : joined)
    if (is_number_or_address(*phi, types))
      stored.insert(phi);
  const Joins all = sources_among(joined, stored);
  const auto is_only_moved = [&](const PHINode *phi) {
    return all_of(phi->uses(), [&](const Use &use) {
      auto *next = dyn_cast<PHINode>(use.getUser());
      return is_stored_by(use) || (next && all.contains(next));
    });
  };
  if (all_of(all, is_only_moved))
    return false;
  DenseMap<Value *, PHINode *> selves;
  for (PHINode *phi : all) {
    selves[phi] = cast<PHINode>(phi->clone());
    selves[phi]->insertBefore(phi->getIterator());
  }
  for (PHINode *phi : all) {
    for (Use &incoming : selves[phi]->incoming_values())
      if (PHINode *self = selves.lookup(incoming))
        incoming.set(self);
    if (stored.contains(phi))
      phi->replaceUsesWithIf(selves[phi], is_stored_by);
  }
  return true;
}

} // namespace

bool stands_for_joined_word(const Value &place) {
  const auto *variable = dyn_cast<AllocaInst>(&place);
  return variable && variable->hasMetadata(joined_metadata);
}

bool keep_joined_words_in_memory(Function &function, const TypeAnalysis &types) {
  Joins joined = joined_words(function, types);
  if (store_apart(joined, types))
    return true;
  const auto is_used_otherwise = [&](const PHINode *phi) {
    return !all_of(phi->uses(), [&](const Use &use) {
      auto *next = dyn_cast<PHINode>(use.getUser());
      if (isa<IntToPtrInst>(use.getUser()))
        return types.of(*phi).kind == ByteKind::unknown;
      return (next && joined.contains(next)) || is_stored_by(use);
    });
  };
  while (joined.remove_if(is_used_otherwise)) {
  }
  Joins mixed;
  const auto is_told_by_bits = [&](const StoreInst &store, const PHINode &phi) {
    if (is_named_number(phi, types.layout()))
      return true;
    const std::uint64_t size = size_of(phi, types.layout());
    SmallVector<const Value *, 4> places{store.getPointerOperand()};
    if (holds_numbers(types.words(*places.front(), size)))
      return true;
    for (const Value *incoming : phi.incoming_values())
      if (const Value *place = place_of_word(*incoming))
        places.push_back(place);
    if (phi.getType()->isPointerTy())
      return any_of(places, [&](const Value *place) { return holds_numbers(types.words(*place, size)); });
    return types.of(phi).kind == ByteKind::unknown && words_behind(types, places, size, *function.getParent());
  };
  const auto is_mixed = [&](PHINode *phi) {
    return !mixed.contains(phi) && any_of(phi->users(), [&](const User *user) {
      const auto *store = dyn_cast<StoreInst>(user);
      const auto *next = dyn_cast<PHINode>(user);
      return store ? is_told_by_bits(*store, *phi) : next && mixed.contains(next);
    });
  };
  for (auto found = find_if(joined, is_mixed); found != joined.end(); found = find_if(joined, is_mixed))
    mixed.insert(*found);
  for (PHINode *phi : mixed) {
    AllocaInst *place = DemotePHIToStack(phi);
    place->setMetadata(joined_metadata, MDNode::get(function.getContext(), {}));
    store_origins(*place);
  }
  return !mixed.empty();
}

} // namespace assay::engine
