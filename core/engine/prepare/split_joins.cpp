#include "core/engine/prepare/split_joins.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

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

/// A word in memory that is joined elsewhere with words that become addresses: no number may be made of its bits but by
/// a load of its own.
bool is_loaded_and_joined(const Value &word) {
  const auto *load = dyn_cast<LoadInst>(&word);
  if (!load || !load->isSimple())
    return false;
  SmallSetVector<const Value *, 8> words;
  words.insert(load);
  for (unsigned next = 0; next < words.size(); ++next)
    for (const User *user : words[next]->users()) {
      if (next != 0 && isa<IntToPtrInst>(user))
        return true;
      if (is_join(*user) && user->getType()->isIntegerTy())
        words.insert(user);
    }
  return false;
}

/// A number that has the bits of a word which is an address at other times, or the other way round.
bool names_bits_anew(const Instruction &instruction) {
  const auto *cast = dyn_cast<CastInst>(&instruction);
  if (!cast || !keeps_bits(*cast) || !cast->getSrcTy()->isIntegerTy())
    return false;
  if (isa<IntToPtrInst>(cast))
    return any_source(*cast->getOperand(0), is_loaded_or_joined_number);
  return is_scalar_float(*cast) && any_source(*cast->getOperand(0), [](const Value &word) {
           return is_joined_address(word) || is_loaded_and_joined(word);
         });
}

unsigned bits_in(const Value &value, const DataLayout &layout) {
  return static_cast<unsigned>(layout.getTypeSizeInBits(value.getType()).getFixedValue());
}

constexpr unsigned float_bits = 32;

/// A part of a word, so many bits above its lowest one.
struct Part {
  Value *word;
  unsigned shift;
};

/// Where the bits of a float come from that is half a word; a null word where they are something else.
Part half_of_word(const Instruction &instruction) {
  const auto *cast = dyn_cast<BitCastInst>(&instruction);
  const auto *half = cast && cast->getType()->isFloatTy() ? dyn_cast<TruncInst>(cast->getOperand(0)) : nullptr;
  if (!half || half->getSrcTy()->getPrimitiveSizeInBits() != 2 * float_bits)
    return {nullptr, 0};
  Value *word = half->getOperand(0), *shifted = nullptr;
  return match(word, m_LShr(m_Value(shifted), m_SpecificInt(float_bits))) ? Part{shifted, float_bits} : Part{word, 0};
}

/// A float that is half of a word which is an address at other times, or had the name of one.
bool names_half_anew(const Instruction &instruction) {
  const Part half = half_of_word(instruction);
  return half.word &&
         any_source(*half.word, [](const Value &word) { return isa<IntToPtrInst>(word) || is_joined_address(word); });
}

/// Makes values of one type beside words that have their bits, or that have them so many bits above the lowest one.
class Views {
public:
  Views(Type *type, unsigned shift, const DataLayout &layout) : type_(type), shift_(shift), layout_(layout) {}

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
    if (Value *half = half_in(word))
      return of(*half, use);
    auto *load = dyn_cast<LoadInst>(&word);
    if (load && load->isSimple())
      return known_[load] = of_load(*load);
    return bits_of(word, use);
  }

private:
  unsigned shift_in(const Value &word) const { return bits_in(word, layout_) > float_bits ? shift_ : 0; }

  /// The half of `word` that is looked for, where it was put together of halves.
  Value *half_in(Value &word) const {
    if (!type_->isFloatTy() || !word.getType()->isIntegerTy(2 * float_bits))
      return nullptr;
    const auto of_half = [&](Value *half) { return half->getType()->isIntegerTy(float_bits) ? half : nullptr; };
    Value *low = nullptr, *high = nullptr;
    if (match(&word, m_ZExt(m_Value(low))))
      return shift_ == 0 ? of_half(low) : ConstantInt::get(Type::getInt32Ty(word.getContext()), 0);
    const auto shifted = m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(float_bits));
    return match(&word, m_c_Or(m_ZExt(m_Value(low)), shifted)) ? of_half(shift_ == 0 ? low : high) : nullptr;
  }

  Value *of_load(LoadInst &load) const {
    const unsigned bytes = shift_in(load) / 8;
    IRBuilder<> builder(&load);
    Value *place = bytes == 0 ? load.getPointerOperand()
                              : builder.CreateConstGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), bytes);
    return builder.CreateAlignedLoad(type_, place, commonAlignment(load.getAlign(), bytes), "view");
  }

  Value *bits_of(Value &word, Instruction &use) const {
    IRBuilder<> builder(&use);
    Value *bits = builder.CreateBitOrPointerCast(&word, builder.getIntNTy(bits_in(word, layout_)));
    if (shift_in(word) != 0)
      bits = builder.CreateLShr(bits, shift_in(word));
    if (type_->isFloatTy())
      bits = builder.CreateTrunc(bits, builder.getInt32Ty());
    return builder.CreateBitOrPointerCast(bits, type_);
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
  unsigned shift_; ///< In words that are wider than the type.
  const DataLayout &layout_;
  DenseMap<Value *, Value *> known_;
};

} // namespace

bool split_joins(Function &function) {
  SmallVector<CastInst *, 8> casts;
  for (Instruction &instruction : instructions(function))
    if (names_bits_anew(instruction) || names_half_anew(instruction))
      casts.push_back(cast<CastInst>(&instruction));
  DenseMap<std::pair<Type *, unsigned>, Views> views;
  SmallVector<WeakTrackingVH, 8> replaced;
  for (CastInst *cast : casts) {
    const Part half = half_of_word(*cast);
    const unsigned shift = half.word ? half.shift : 0;
    Views &other =
        views.try_emplace({cast->getType(), shift}, cast->getType(), shift, cast->getDataLayout()).first->second;
    cast->replaceAllUsesWith(other.of(half.word ? *half.word : *cast->getOperand(0), *cast));
    replaced.emplace_back(cast);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return !casts.empty();
}

} // namespace assay::engine
