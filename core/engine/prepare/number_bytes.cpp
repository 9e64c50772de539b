#include "core/engine/prepare/number_bytes.hpp"
#include "core/engine/prepare/byte_calls.hpp"
#include "core/engine/prepare/byte_runs.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned byte_bits = 8;
using Kind = BytePiece::Kind;

bool is_scalar_number(const Type &type) {
  return type.isFloatTy() || type.isDoubleTy();
}

/// A store of bytes of which some are those of numbers.
struct Cut {
  StoreInst *store;
  BytePieces pieces;
  std::optional<ChosenByte> chosen; ///< In place of the pieces.
};

/// An integer that becomes a number.
struct Joined {
  BitCastInst *root;
  BytePieces pieces;
};

std::optional<Cut> cut_by(Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (!store || !store->isSimple() || !store->getValueOperand()->getType()->isIntegerTy())
    return std::nullopt;
  Value &stored = *store->getValueOperand();
  if (const auto chosen = chosen_byte(stored))
    return Cut{store, {}, chosen};
  BytePieces pieces = byte_pieces(stored);
  return has_bytes_of_number(pieces) ? std::optional(Cut{store, std::move(pieces), std::nullopt}) : std::nullopt;
}

/// Every byte is known, and some have another place than where they come from. A number of which some bytes are kept
/// in their places and others are cleared is left to those who know its slope.
std::optional<Joined> joined_by(Instruction &instruction, const LoopInfo &loops) {
  auto *root = dyn_cast<BitCastInst>(&instruction);
  if (!root || root->use_empty() || !is_scalar_number(*root->getType()) ||
      !root->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  BytePieces pieces = byte_pieces(*root->getOperand(0));
  const auto is_moved = [&](const auto &entry) {
    const BytePiece &piece = entry.value();
    return piece.source && (piece.byte != entry.index() || bytes_of(*piece.source) != pieces.size());
  };
  const auto is_usable = [&](const BytePiece &piece) {
    const auto *source = dyn_cast_or_null<Instruction>(piece.source);
    return piece.kind != Kind::unknown &&
           (piece.kind != Kind::memory || loops.getLoopFor(source->getParent()) == loops.getLoopFor(root->getParent()));
  };
  if (!all_of(pieces, is_usable) || !any_of(enumerate(pieces), is_moved) ||
      (pieces.front().source && is_whole(pieces, *pieces.front().source)))
    return std::nullopt;
  return Joined{root, std::move(pieces)};
}

/// The value whose bytes an integer has, all and in their order; null for the integer itself or none.
Value *whole_behind(Value &integer) {
  const BytePieces pieces = byte_pieces(integer);
  Value *source = pieces.empty() ? nullptr : pieces.front().source;
  return source && source != &integer && is_whole(pieces, *source) ? source : nullptr;
}

/// A number that is cut and put together in the same order is itself, as after two changes of the order.
bool restore_whole_numbers(Function &function) {
  SmallVector<WeakTrackingVH, 8> replaced;
  for (Instruction &instruction : instructions(function)) {
    const auto *store = dyn_cast<StoreInst>(&instruction);
    const bool is_root = isa<BitCastInst>(instruction) && instruction.getType()->isFloatingPointTy();
    if (!(store && store->isSimple()) && !is_root)
      continue;
    Value *integer = instruction.getOperand(0);
    if (!isa<Instruction>(integer) || !integer->getType()->isIntegerTy() || isa<BitCastInst>(integer))
      continue;
    Value *whole = whole_behind(*integer);
    if (!whole)
      continue;
    instruction.setOperand(0, IRBuilder<>(&instruction).CreateBitCast(whole, integer->getType()));
    replaced.emplace_back(integer);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return !replaced.empty();
}

/// No byte is a number's or a whole word's of memory, which may be one.
bool is_integer_alone(Value &value) {
  constexpr unsigned bytes_of_float = 4;
  return none_of(byte_pieces(value), [](const BytePiece &piece) {
    return piece.kind == Kind::number || (piece.kind == Kind::memory && bytes_of(*piece.source) >= bytes_of_float);
  });
}

/// The operand that is combined with an integer, a flag in the lowest bits for instance; null where it is with bits of
/// another number.
Value *combined_with_integer(Value &integer) {
  using namespace PatternMatch;
  Value *one = nullptr, *other = nullptr;
  const APInt *mask = nullptr;
  if (match(&integer, m_And(m_Value(one), m_APInt(mask))))
    return mask->countl_zero() < byte_bits ? one : nullptr;
  if (!match(&integer, m_Or(m_Value(one), m_Value(other))) && !match(&integer, m_Xor(m_Value(one), m_Value(other))))
    return nullptr;
  if (is_integer_alone(*one))
    std::swap(one, other);
  return is_integer_alone(*other) ? one : nullptr;
}

/// The number whose bits, some of the highest byte's among them, `integer` has but for some that are set, cleared or
/// changed.
Value *changed_number(Value &integer) {
  Value *changed = combined_with_integer(integer), *number = nullptr;
  while (Value *inner = changed ? combined_with_integer(*changed) : nullptr)
    changed = inner;
  return changed && match(changed, PatternMatch::m_BitCast(PatternMatch::m_Value(number))) &&
                 is_scalar_number(*number->getType())
             ? number
             : nullptr;
}

/// What is computed of a number's bits is stored as the number that it is: its tangent is no part of the first one's.
bool store_changed_numbers(Function &function) {
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!store || !store->isSimple() || !store->getValueOperand()->getType()->isIntegerTy())
      continue;
    Value *integer = store->getValueOperand();
    const Value *number = changed_number(*integer);
    if (!number)
      continue;
    store->setOperand(0, IRBuilder<>(store).CreateBitCast(integer, number->getType()));
    changed = true;
  }
  return changed;
}

class Rewriter {
public:
  Rewriter(Function &function, const LoopInfo &loops, const DominatorTree &dominators)
      : function_(function), loops_(loops), dominators_(dominators) {}

  /// A number that is cut once in each iteration of a loop gets its place there: bytes that are copied twice from one
  /// place would have adjoints to be added.
  void note(const Cut &cut) {
    for (const BytePiece &piece : cut.pieces)
      if (piece.kind == Kind::number)
        note_use(*piece.source, scope(*cut.store), *cut.store);
    if (cut.chosen) {
      const Loop *inner = scope(*cut.store);
      note_use(*cut.chosen->number, inner ? inner->getParentLoop() : nullptr, *cut.store);
    }
  }

  void note(const Joined &joined) {
    for (const BytePiece &piece : joined.pieces)
      if (piece.kind == Kind::number)
        note_use(*piece.source, scope(*joined.root), *joined.root);
  }

  void make_places() {
    for (auto &[key, use] : uses_) {
      auto [number, loop] = key;
      Instruction *before = use.first;
      for (const Loop *inner = scope(*before); inner && inner != loop; inner = inner->getParentLoop())
        before = inner->getLoopPredecessor() ? inner->getLoopPredecessor()->getTerminator() : first_in_entry();
      if (auto *definition = dyn_cast<Instruction>(number); definition && !dominators_.dominates(definition, before))
        before = &**definition->getInsertionPointAfterDef();
      use.place = new_place(*number->getType());
      IRBuilder<>(before).CreateStore(number, use.place);
    }
  }

  void rewrite(const Cut &cut) {
    StoreInst &store = *cut.store;
    IRBuilder<> builder(&store);
    Value *target = store.getPointerOperand();
    if (cut.chosen) {
      const Loop *inner = scope(store);
      Value *place = uses_[{cut.chosen->number, inner ? inner->getParentLoop() : nullptr}].place;
      Value *offset = builder.CreateLShr(builder.CreateZExtOrTrunc(cut.chosen->shift, builder.getInt64Ty()), 3);
      copy(builder, target, store.getAlign(), builder.CreatePtrAdd(place, offset));
    }
    for (const auto &[index, piece] : enumerate(cut.pieces)) {
      Value *to = offset_by(builder, target, index);
      const Align align = commonAlignment(store.getAlign(), index);
      if (piece.kind == Kind::number)
        copy(builder, to, align, offset_by(builder, uses_[{piece.source, scope(store)}].place, piece.byte));
      else
        builder.CreateAlignedStore(byte_of(builder, *store.getValueOperand(), index), to, align);
    }
    replaced_.emplace_back(store.getValueOperand());
    store.eraseFromParent();
  }

  void rewrite(const Joined &joined) {
    if (const auto run = run_of(joined.pieces))
      return load_run(joined, *run);
    AllocaInst *place = new_place(*joined.root->getType());
    for (const auto &[index, piece] : enumerate(joined.pieces)) {
      auto *load = dyn_cast_or_null<LoadInst>(piece.source);
      IRBuilder<> builder(piece.kind == Kind::memory ? static_cast<Instruction *>(load) : joined.root);
      Value *to = offset_by(builder, place, index);
      if (piece.kind == Kind::memory)
        copy(builder, to, Align(1), offset_by(builder, load->getPointerOperand(), piece.byte));
      else if (piece.kind == Kind::number)
        copy(builder, to, Align(1), offset_by(builder, uses_[{piece.source, scope(*joined.root)}].place, piece.byte));
      else
        builder.CreateStore(byte_of(builder, *joined.root->getOperand(0), index), to);
    }
    IRBuilder<> builder(joined.root);
    replace(joined, *builder.CreateLoad(joined.root->getType(), place));
  }

  void remove_replaced() { RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced_); }

private:
  /// A number of which all bytes lie one behind the other, in this order or in the reversed one: as one piece it has an
  /// adjoint that can be added.
  void load_run(const Joined &joined, const ByteRun &run) {
    Type *type = joined.root->getType();
    IRBuilder<> builder(run.last);
    Value *whole = nullptr;
    if (run.is_reversed) {
      AllocaInst *place = new_place(*type);
      auto *move = builder.CreateMemCpy(place, place->getAlign(), run.first_byte, Align(1), joined.pieces.size());
      set_memory_kind(*cast<MemIntrinsic>(move), {MemoryContent::reversed, type});
      AllocaInst *ordered = new_place(*type);
      builder.SetInsertPoint(joined.root);
      for (unsigned index = 0; index < joined.pieces.size(); ++index)
        copy(builder, offset_by(builder, ordered, index), Align(1),
             offset_by(builder, place, joined.pieces.size() - 1 - index));
      whole = builder.CreateLoad(type, ordered);
    } else {
      whole = builder.CreateAlignedLoad(type, run.first_byte, Align(1));
    }
    replace(joined, *whole);
  }

  void replace(const Joined &joined, Value &number) {
    joined.root->replaceAllUsesWith(&number);
    replaced_.emplace_back(joined.root); // which would follow it
  }

  struct Use {
    Instruction *first = nullptr; ///< Nothing that needs the place comes before it.
    AllocaInst *place = nullptr;
  };

  const Loop *scope(const Instruction &instruction) const { return loops_.getLoopFor(instruction.getParent()); }
  Instruction *first_in_entry() const { return &*function_.getEntryBlock().getFirstInsertionPt(); }

  void note_use(Value &number, const Loop *loop, Instruction &user) {
    Use &use = uses_[{&number, loop}];
    use.first = !use.first ? &user : dominators_.findNearestCommonDominator(use.first, &user);
  }

  AllocaInst *new_place(Type &type) const {
    IRBuilder<> builder(first_in_entry());
    return builder.CreateAlloca(&type, nullptr, "bytes");
  }

  static Value *offset_by(IRBuilder<> &builder, Value *pointer, std::uint64_t bytes) {
    return bytes == 0 ? pointer : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, bytes);
  }

  static Value *byte_of(IRBuilder<> &builder, Value &integer, unsigned index) {
    return builder.CreateTrunc(builder.CreateLShr(&integer, index * byte_bits), builder.getInt8Ty());
  }

  static void copy(IRBuilder<> &builder, Value *target, Align align, Value *source) {
    set_memory_kind(*cast<MemIntrinsic>(builder.CreateMemCpy(target, align, source, Align(1), 1)),
                    {MemoryContent::bytes});
  }

  Function &function_;
  const LoopInfo &loops_;
  const DominatorTree &dominators_;
  MapVector<std::pair<Value *, const Loop *>, Use> uses_;
  SmallVector<WeakTrackingVH, 16> replaced_;
};

/// A byte that comes from one place or another: a copy has no phi, memory that each copies to has.
bool is_byte_of_several(const PHINode &phi) {
  return is_part_of_number(*phi.getType()) &&
         any_of(phi.incoming_values(), [](const Use &use) { return isa<LoadInst>(use); }) &&
         any_of(phi.users(), [](const User *user) { return isa<StoreInst, ZExtInst, PHINode>(user); });
}

bool keep_bytes_in_memory(Function &function) {
  SmallVector<PHINode *, 8> phis;
  for (Instruction &instruction : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&instruction); phi && is_byte_of_several(*phi))
      phis.push_back(phi);
  if (phis.empty() || !handles_bytes_of_numbers(function))
    return false;
  for (PHINode *phi : phis)
    DemotePHIToStack(phi, function.getEntryBlock().getFirstInsertionPt());
  return true;
}

} // namespace

bool move_bytes_of_numbers(Function &function) {
  if (!function.getDataLayout().isLittleEndian() || is_device_code(*function.getParent()))
    return false;
  const bool has_whole = restore_whole_numbers(function), has_changed = store_changed_numbers(function);
  const bool has_phis = keep_bytes_in_memory(function);
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  SmallVector<Cut, 16> cuts;
  SmallVector<Joined, 4> all_joined;
  for (Instruction &instruction : instructions(function))
    if (auto cut = cut_by(instruction))
      cuts.push_back(std::move(*cut));
    else if (auto joined = joined_by(instruction, loops))
      all_joined.push_back(std::move(*joined));
  if (cuts.empty() && all_joined.empty())
    return has_whole || has_changed || has_phis;
  Rewriter rewriter(function, loops, dominators);
  for (const Cut &cut : cuts)
    rewriter.note(cut);
  for (const Joined &joined : all_joined)
    rewriter.note(joined);
  rewriter.make_places();
  for (const Cut &cut : cuts)
    rewriter.rewrite(cut);
  for (const Joined &joined : all_joined)
    rewriter.rewrite(joined);
  rewriter.remove_replaced();
  return true;
}

} // namespace assay::engine
