#include "core/engine/prepare/split_joins.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_join(const Value &value) {
  return isa<PHINode, SelectInst>(value);
}

bool is_scalar_float(const Value &value) {
  return value.getType()->isFloatingPointTy();
}

/// True where a cast only gives the same bits another name.
bool keeps_bits(const CastInst &cast) {
  return isa<PtrToIntInst, IntToPtrInst, BitCastInst>(cast) && !cast.getType()->isVectorTy() &&
         !cast.getSrcTy()->isVectorTy() &&
         cast.getDataLayout().getTypeSizeInBits(cast.getSrcTy()) ==
             cast.getDataLayout().getTypeSizeInBits(cast.getDestTy());
}

/// What has the same bits, or has them at some times; none where they come from somewhere else.
SmallVector<Value *, 4> sources_of(Value &word) {
  if (auto *phi = dyn_cast<PHINode>(&word))
    return SmallVector<Value *, 4>(phi->incoming_values());
  if (auto *select = dyn_cast<SelectInst>(&word))
    return {select->getTrueValue(), select->getFalseValue()};
  if (auto *freeze = dyn_cast<FreezeInst>(&word))
    return {freeze->getOperand(0)};
  auto *cast = dyn_cast<CastInst>(&word);
  return cast && keeps_bits(*cast) ? SmallVector<Value *, 4>{cast->getOperand(0)} : SmallVector<Value *, 4>{};
}

/// True where one of the words that `word` has its bits from, or itself, is such.
bool any_source(Value &word, function_ref<bool(const Value &)> is_such) {
  SmallSetVector<Value *, 8> seen;
  seen.insert(&word);
  for (unsigned next = 0; next < seen.size(); ++next) {
    if (is_such(*seen[next]))
      return true;
    for (Value *source : sources_of(*seen[next]))
      if (!isa<Constant>(source))
        seen.insert(source);
  }
  return false;
}

bool is_joined_address(const Value &word) {
  return is_join(word) && (word.getType()->isPointerTy() ||
                           any_of(word.users(), [](const User *user) { return isa<IntToPtrInst>(user); }));
}

bool is_loaded_or_joined_number(const Value &word) {
  return is_scalar_float(word) && (is_join(word) || isa<LoadInst>(word));
}

/// A number that has the bits of a word which is an address at other times, or the other way round.
bool names_bits_anew(const Instruction &instruction) {
  const auto *cast = dyn_cast<CastInst>(&instruction);
  if (!cast || !keeps_bits(*cast) || !cast->getSrcTy()->isIntegerTy())
    return false;
  if (isa<IntToPtrInst>(cast))
    return any_source(*cast->getOperand(0), is_loaded_or_joined_number);
  return is_scalar_float(*cast) && any_source(*cast->getOperand(0), is_joined_address);
}

/// Makes values of one type beside words that have their bits.
class Views {
public:
  explicit Views(Type *type) : type_(type) {}

  /// `word` as a value of the type that is there before `use`.
  Value *of(Value &word, Instruction &use) {
    if (word.getType() == type_)
      return &word;
    if (auto *constant = dyn_cast<Constant>(&word))
      return of_constant(*constant, use);
    if (Value *known = known_.lookup(&word))
      return known;
    if (auto *phi = dyn_cast<PHINode>(&word))
      return of_phi(*phi);
    if (auto *select = dyn_cast<SelectInst>(&word))
      return of_select(*select);
    if (const SmallVector<Value *, 4> sources = sources_of(word); sources.size() == 1)
      return of(*sources.front(), use); // also of a frozen word: its bits are none where it was poison
    auto *load = dyn_cast<LoadInst>(&word);
    if (load && load->isSimple())
      return known_[load] =
                 IRBuilder<>(load).CreateAlignedLoad(type_, load->getPointerOperand(), load->getAlign(), "view");
    return bits_of(word, use);
  }

private:
  Value *bits_of(Value &word, Instruction &use) const {
    IRBuilder<> builder(&use);
    return builder.CreateBitOrPointerCast(
        builder.CreateBitOrPointerCast(&word, builder.getIntNTy(use.getDataLayout().getTypeSizeInBits(word.getType()))),
        type_);
  }

  Value *of_constant(Constant &word, Instruction &use) const {
    if (word.isNullValue())
      return Constant::getNullValue(type_);
    if (isa<PoisonValue>(word))
      return PoisonValue::get(type_);
    return isa<UndefValue>(word) ? UndefValue::get(type_) : bits_of(word, use);
  }

  Value *of_phi(PHINode &phi) {
    PHINode *view = IRBuilder<>(&phi).CreatePHI(type_, phi.getNumIncomingValues(), "views");
    known_[&phi] = view;
    for (auto [block, word] : zip(phi.blocks(), phi.incoming_values())) {
      const int index = view->getBasicBlockIndex(block); // a block that comes twice has to bring the same twice
      view->addIncoming(index >= 0 ? view->getIncomingValue(index) : of(*word, *block->getTerminator()), block);
    }
    return view;
  }

  Value *of_select(SelectInst &select) {
    Value *one = of(*select.getTrueValue(), select), *other = of(*select.getFalseValue(), select);
    return known_[&select] = IRBuilder<>(&select).CreateSelect(select.getCondition(), one, other, "views");
  }

  Type *type_;
  DenseMap<Value *, Value *> known_;
};

} // namespace

bool split_joins(Function &function) {
  SmallVector<CastInst *, 8> casts;
  for (Instruction &instruction : instructions(function))
    if (names_bits_anew(instruction))
      casts.push_back(cast<CastInst>(&instruction));
  DenseMap<Type *, Views> views;
  SmallVector<WeakTrackingVH, 8> replaced;
  for (CastInst *cast : casts) {
    Views &other = views.try_emplace(cast->getType(), cast->getType()).first->second;
    cast->replaceAllUsesWith(other.of(*cast->getOperand(0), *cast));
    replaced.emplace_back(cast);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return !casts.empty();
}

} // namespace assay::engine
