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

constexpr unsigned float_bits = 32;

/// A word, or the part of one that begins so many bits above its lowest one.
using Part = std::pair<Value *, unsigned>;

/// Half of a 64-bit word that was put together of halves, or cut, or of a 32-bit one that was cut off: what it was made
/// of, which is half a word again, or as wide. The half itself where nothing is known.
Part origin_of(Part half) {
  constexpr unsigned most_operations = 8;
  const auto [word, shift] = half;
  const Part none{ConstantInt::get(Type::getInt32Ty(word->getContext()), 0), 0};
  Value *one = nullptr, *other = nullptr;
  const APInt *known = nullptr;
  if (!word->getType()->isIntegerTy(2 * float_bits)) {
    const bool is_cut_off = match(word, m_Trunc(m_Value(one))) && one->getType()->isIntegerTy(2 * float_bits);
    return is_cut_off && word->getType()->isIntegerTy(float_bits) ? Part{one, 0} : half;
  }
  if (match(word, m_ZExt(m_Value(one))) && one->getType()->isIntegerTy(float_bits))
    return shift == 0 ? Part{one, 0} : none;
  if (match(word, m_Shl(m_Value(one), m_SpecificInt(float_bits))))
    return shift == 0 ? none : Part{one, 0};
  if (match(word, m_LShr(m_Value(one), m_SpecificInt(float_bits))))
    return shift == 0 ? Part{one, float_bits} : none;
  if (match(word, m_And(m_Value(one), m_APInt(known)))) {
    const APInt mask = known->extractBits(float_bits, shift);
    return mask.isZero() ? none : mask.isAllOnes() ? Part{one, shift} : half;
  }
  if (match(word, m_Or(m_Value(one), m_Value(other)))) {
    const auto is_none = [&, shift = shift](Value *side) {
      Part part{side, shift};
      for (unsigned steps = 0; steps < most_operations; ++steps)
        part = origin_of(part);
      const auto *constant = dyn_cast<ConstantInt>(part.first);
      return constant && constant->getValue().extractBits(float_bits, part.second).isZero();
    };
    return is_none(one) ? Part{other, shift} : is_none(other) ? Part{one, shift} : half;
  }
  return half;
}

/// True where one of the words that `number` has its bits from is such.
bool any_source(const CastInst &number, function_ref<bool(const Value &)> is_such) {
  SmallSetVector<Part, 8> seen;
  seen.insert({number.getOperand(0), 0});
  for (unsigned next = 0; next < seen.size(); ++next) {
    const auto [word, shift] = seen[next];
    if (is_such(*word))
      return true;
    const SmallVector<Value *, 4> sources = sources_of(*word);
    if (sources.empty() && number.getType()->isFloatTy())
      seen.insert(origin_of({word, shift}));
    for (Value *source : sources)
      if (!isa<Constant>(source))
        seen.insert({source, shift});
  }
  return false;
}

/// A word that has the name of an address: it was loaded or joined as one, perhaps only to be copied, or its bits
/// become one elsewhere.
bool is_named_address(const Value &word) {
  return word.getType()->isPointerTy() ||
         (is_join(word) && any_of(word.users(), [](const User *user) { return isa<IntToPtrInst>(user); }));
}

bool is_loaded_or_joined_number(const Value &word) {
  return is_scalar_float(word) && (is_join(word) || isa<LoadInst>(word));
}

/// A word in memory that becomes an address elsewhere, or is joined there with words that do: no number may be made of
/// its bits but by a load of its own.
bool is_loaded_address(const Value &word) {
  const auto *load = dyn_cast<LoadInst>(&word);
  if (!load || !load->isSimple())
    return false;
  SmallSetVector<const Value *, 8> words;
  words.insert(load);
  for (unsigned next = 0; next < words.size(); ++next)
    for (const User *user : words[next]->users()) {
      if (isa<IntToPtrInst>(user))
        return true;
      if (is_join(*user) && user->getType()->isIntegerTy())
        words.insert(user);
    }
  return false;
}

/// A word in memory that the program does not call an address.
bool is_loaded_unnamed(const Value &word) {
  const auto *load = dyn_cast<LoadInst>(&word);
  return load && load->isSimple() && (load->getType()->isIntegerTy() || !load->hasMetadata(LLVMContext::MD_tbaa));
}

bool is_only_moved(const Instruction &word) {
  return all_of(word.uses(), [](const Use &use) {
    return isa<PHINode>(use.getUser()) || (isa<StoreInst>(use.getUser()) && use.getOperandNo() == 0);
  });
}

/// A number that has the bits of a word which is an address or an integer at other times, or the other way round. A
/// word that was loaded as an address and is only moved may be two floats.
bool names_bits_anew(const Instruction &instruction) {
  const auto *cast = dyn_cast<CastInst>(&instruction);
  if (!cast || !keeps_bits(*cast))
    return false;
  if (isa<PtrToIntInst>(cast))
    return is_only_moved(*cast) && any_source(*cast, is_loaded_unnamed);
  if (!cast->getSrcTy()->isIntegerTy())
    return false;
  if (isa<IntToPtrInst>(cast))
    return any_source(*cast, is_loaded_or_joined_number);
  return is_scalar_float(*cast) && any_source(*cast, [](const Value &word) {
           return is_scalar_float(word) || is_named_address(word) || is_loaded_address(word);
         });
}

unsigned bits_in(const Value &value, const DataLayout &layout) {
  return static_cast<unsigned>(layout.getTypeSizeInBits(value.getType()).getFixedValue());
}

/// Makes values of one type beside words that have their bits, or in whose halves these are.
class Views {
public:
  Views(Type *type, const DataLayout &layout) : type_(type), layout_(layout) {}

  /// What `part` holds as a value of the type, that is there before `use`.
  Value *of(Part part, Instruction &use) {
    Value &word = *part.first;
    if (word.getType() == type_)
      return &word;
    if (auto *constant = dyn_cast<Constant>(&word))
      return of_constant(*constant, part.second, use);
    if (Value *known = known_.lookup(part))
      return known;
    if (auto *phi = dyn_cast<PHINode>(&word))
      return of_phi(*phi, part);
    if (auto *select = dyn_cast<SelectInst>(&word))
      return of_select(*select, part);
    if (const SmallVector<Value *, 4> sources = sources_of(word); sources.size() == 1)
      return of({sources.front(), part.second}, use); // also of a frozen word: its bits are none where it was poison
    if (const Part origin = type_->isFloatTy() ? origin_of(part) : part; origin != part)
      return of(origin, use);
    auto *load = dyn_cast<LoadInst>(&word);
    if (load && load->isSimple())
      return known_[part] = of_load(*load, part.second);
    return bits_of(part, use);
  }

private:
  Value *of_load(LoadInst &load, unsigned shift) const {
    const unsigned bytes = shift / 8;
    IRBuilder<> builder(&load);
    Value *place = bytes == 0 ? load.getPointerOperand()
                              : builder.CreateConstGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), bytes);
    return builder.CreateAlignedLoad(type_, place, commonAlignment(load.getAlign(), bytes), "view");
  }

  Value *bits_of(Part part, Instruction &use) const {
    IRBuilder<> builder(&use);
    Value *bits = builder.CreateBitOrPointerCast(part.first, builder.getIntNTy(bits_in(*part.first, layout_)));
    if (part.second != 0)
      bits = builder.CreateLShr(bits, part.second);
    if (type_->isFloatTy())
      bits = builder.CreateZExtOrTrunc(bits, builder.getInt32Ty());
    return builder.CreateBitOrPointerCast(bits, type_);
  }

  Value *of_constant(Constant &word, unsigned shift, Instruction &use) const {
    if (word.isNullValue())
      return Constant::getNullValue(type_);
    if (isa<PoisonValue>(word))
      return PoisonValue::get(type_);
    return isa<UndefValue>(word) ? UndefValue::get(type_) : bits_of({&word, shift}, use);
  }

  Value *of_phi(PHINode &phi, Part part) {
    PHINode *view = IRBuilder<>(&phi).CreatePHI(type_, phi.getNumIncomingValues(), "views");
    known_[part] = view;
    for (auto [block, word] : zip(phi.blocks(), phi.incoming_values())) {
      const int index = view->getBasicBlockIndex(block); // a block that comes twice has to bring the same twice
      view->addIncoming(index >= 0 ? view->getIncomingValue(index) : of({word, part.second}, *block->getTerminator()),
                        block);
    }
    return view;
  }

  Value *of_select(SelectInst &select, Part part) {
    Value *one = of({select.getTrueValue(), part.second}, select);
    Value *other = of({select.getFalseValue(), part.second}, select);
    return known_[part] = IRBuilder<>(&select).CreateSelect(select.getCondition(), one, other, "views");
  }

  Type *type_;
  const DataLayout &layout_;
  DenseMap<Part, Value *> known_;
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
    Views &other = views.try_emplace(cast->getType(), cast->getType(), cast->getDataLayout()).first->second;
    cast->replaceAllUsesWith(other.of({cast->getOperand(0), 0}, *cast));
    replaced.emplace_back(cast);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return !casts.empty();
}

} // namespace assay::engine
