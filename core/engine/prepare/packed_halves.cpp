#include "core/engine/prepare/packed_halves.hpp"
#include "core/engine/prepare/half_memory.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned half_bits = 16;
constexpr unsigned most_steps_forward = 3;
constexpr unsigned most_choices_in_a_row = 4;

/// How many times 16 bits a type has; zero where these are not told apart by lanes.
unsigned half_lanes(const Type *type) {
  const Type *scalar = type->getScalarType();
  const unsigned bits = scalar->getPrimitiveSizeInBits();
  if (!(scalar->isIntegerTy() || scalar->is16bitFPTy()) || isa<ScalableVectorType>(type) || bits % half_bits != 0)
    return 0;
  return static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue() / half_bits);
}

HalfLane known(Value *value, std::uint64_t bits) {
  return {ConstantInt::get(Type::getInt16Ty(value->getContext()), bits), 0};
}
HalfLane any_bits(Value *value) {
  return {PoisonValue::get(Type::getInt16Ty(value->getContext())), 0};
}
/// Those of which one is chosen, for all lanes alike.
SmallVector<HalfLane, 2> chosen_from(HalfLane bits) {
  auto *choice = dyn_cast<Instruction>(bits.value);
  if (!choice || !choice->getType()->isIntOrIntVectorTy())
    return {};
  SmallVector<HalfLane, 2> parts;
  if (auto *select = dyn_cast<SelectInst>(choice); select && !select->getCondition()->getType()->isVectorTy())
    for (Value *value : {select->getTrueValue(), select->getFalseValue()})
      parts.push_back(origin_of({value, bits.lane}));
  if (const auto *phi = dyn_cast<PHINode>(choice))
    for (Value *value : phi->incoming_values())
      parts.push_back(origin_of({value, bits.lane}));
  return parts;
}

bool is_zero(HalfLane bits, unsigned most_choices = most_choices_in_a_row) {
  const SmallVector<HalfLane, 2> parts = chosen_from(bits);
  if (!parts.empty())
    return most_choices > 0 && all_of(parts, [&](HalfLane part) { return is_zero(part, most_choices - 1); });
  const auto *constant = dyn_cast<ConstantInt>(bits.value);
  return constant && constant->isZero();
}

HalfLane before_shift(BinaryOperator &shift, unsigned lane) {
  const auto *amount = dyn_cast<ConstantInt>(shift.getOperand(1));
  if (!amount || shift.getType()->isVectorTy() || amount->getValue().urem(half_bits) != 0 ||
      amount->getValue().uge(shift.getType()->getIntegerBitWidth()))
    return {&shift, lane};
  const unsigned lanes = static_cast<unsigned>(amount->getZExtValue() / half_bits);
  if (shift.getOpcode() == Instruction::Shl)
    return lane >= lanes ? HalfLane{shift.getOperand(0), lane - lanes} : known(&shift, 0);
  return lane + lanes < half_lanes(shift.getType()) ? HalfLane{shift.getOperand(0), lane + lanes} : known(&shift, 0);
}

/// Joins behind joins are followed so far: there are twice as many ways at each, and a loop leads back to the first.
constexpr unsigned most_joins_in_a_row = 4;
thread_local unsigned joins_in_a_row = 0;

/// Bits that are joined to zeros.
HalfLane before_join(BinaryOperator &join, unsigned lane) {
  if (joins_in_a_row == most_joins_in_a_row)
    return {&join, lane};
  const SaveAndRestore counted(joins_in_a_row, joins_in_a_row + 1);
  for (const unsigned side : {0U, 1U})
    if (is_zero(origin_of({join.getOperand(side), lane})))
      return {join.getOperand(1 - side), lane};
  return {&join, lane};
}

/// All bits, or none.
HalfLane before_mask(BinaryOperator &mask, unsigned lane) {
  const auto *kept = dyn_cast<ConstantInt>(mask.getOperand(1));
  if (!kept)
    return {&mask, lane};
  const APInt bits = kept->getValue().extractBits(half_bits, lane * half_bits);
  return bits.isAllOnes() ? HalfLane{mask.getOperand(0), lane}
         : bits.isZero()  ? known(&mask, 0)
                          : HalfLane{&mask, lane};
}

HalfLane before_insertion(InsertElementInst &insert, unsigned lane) {
  const auto *index = dyn_cast<ConstantInt>(insert.getOperand(2));
  const unsigned lanes = half_lanes(insert.getOperand(1)->getType());
  if (!index || lanes == 0)
    return {&insert, lane};
  const std::uint64_t first = index->getZExtValue() * lanes;
  return lane >= first && lane < first + lanes ? HalfLane{insert.getOperand(1), static_cast<unsigned>(lane - first)}
                                               : HalfLane{insert.getOperand(0), lane};
}

HalfLane before_shuffle(ShuffleVectorInst &shuffle, unsigned lane) {
  auto *source = dyn_cast<FixedVectorType>(shuffle.getOperand(0)->getType());
  const unsigned lanes = source ? half_lanes(source->getElementType()) : 0;
  if (lanes == 0)
    return {&shuffle, lane};
  const int element = shuffle.getMaskValue(lane / lanes);
  if (element < 0)
    return any_bits(&shuffle);
  const unsigned count = source->getNumElements(), number = static_cast<unsigned>(element);
  return {shuffle.getOperand(number < count ? 0 : 1), number % count * lanes + lane % lanes};
}

HalfLane before_extraction(ExtractElementInst &extract, unsigned lane) {
  const auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  if (!index)
    return {&extract, lane};
  return {extract.getVectorOperand(),
          static_cast<unsigned>(index->getZExtValue()) * half_lanes(extract.getType()) + lane};
}

HalfLane before_cast(CastInst &cast, unsigned lane) {
  const unsigned lanes = half_lanes(cast.getSrcTy());
  const bool is_move = isa<BitCastInst>(cast) || (isa<TruncInst, ZExtInst>(cast) && !cast.getType()->isVectorTy());
  if (lanes == 0 || !is_move)
    return {&cast, lane};
  return lane < lanes ? HalfLane{cast.getOperand(0), lane} : known(&cast, 0);
}

/// One move back; the same where there is none.
HalfLane before_move(HalfLane bits) {
  Value *value = bits.value;
  if (isa<PoisonValue>(value))
    return any_bits(value);
  if (const auto *constant = dyn_cast<ConstantInt>(value))
    return known(value, constant->getValue().extractBitsAsZExtValue(half_bits, bits.lane * half_bits));
  if (auto *cast = dyn_cast<CastInst>(value))
    return before_cast(*cast, bits.lane);
  if (auto *insert = dyn_cast<InsertElementInst>(value))
    return before_insertion(*insert, bits.lane);
  if (auto *extract = dyn_cast<ExtractElementInst>(value))
    return before_extraction(*extract, bits.lane);
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(value))
    return before_shuffle(*shuffle, bits.lane);
  if (auto *operation = dyn_cast<BinaryOperator>(value)) {
    if (operation->getOpcode() == Instruction::Shl || operation->getOpcode() == Instruction::LShr)
      return before_shift(*operation, bits.lane);
    if (operation->getOpcode() == Instruction::Or)
      return before_join(*operation, bits.lane);
    if (operation->getOpcode() == Instruction::And)
      return before_mask(*operation, bits.lane);
  }
  return bits;
}

Type *type_in_uses(HalfLane bits, unsigned steps) {
  if (bits.value->getType()->getScalarType()->is16bitFPTy())
    return bits.value->getType()->getScalarType();
  if (steps == 0 || isa<Constant>(bits.value))
    return nullptr;
  for (User *user : bits.value->users()) {
    if (auto *store = dyn_cast<StoreInst>(user))
      if (Type *type = store->getValueOperand() == bits.value ? half_behind(*store->getPointerOperand()) : nullptr)
        return type;
    for (unsigned lane = 0; isa<Instruction>(user) && lane < half_lanes(user->getType()); ++lane)
      if (const HalfLane after{user, lane}; before_move(after) == bits)
        if (Type *type = type_in_uses(after, steps - 1))
          return type;
  }
  return nullptr;
}

Type *type_of_chosen(HalfLane bits, unsigned most_choices) {
  if (Type *type = type_in_uses(bits, most_steps_forward))
    return type;
  if (const auto *load = dyn_cast<LoadInst>(bits.value))
    return half_behind(*load->getPointerOperand());
  if (most_choices > 0)
    for (const HalfLane part : chosen_from(bits))
      if (Type *type = type_of_chosen(part, most_choices - 1))
        return type;
  return nullptr;
}

/// Makes numbers of bits; what is chosen among integers is chosen among numbers.
class HalfEmitter {
public:
  explicit HalfEmitter(Type *type) : type_(type) {}

  Value *emit(IRBuilderBase &builder, HalfLane bits) {
    if (const SmallVector<HalfLane, 2> parts = chosen_from(bits); !parts.empty()) {
      if (auto *phi = dyn_cast<PHINode>(bits.value))
        return joined(*phi, bits.lane, parts);
      Value *first = emit(builder, parts[0]), *second = emit(builder, parts[1]);
      return builder.CreateSelect(cast<SelectInst>(bits.value)->getCondition(), first, second);
    }
    const unsigned lanes = half_lanes(bits.value->getType());
    if (lanes == 1 && !bits.value->getType()->isVectorTy())
      return builder.CreateBitCast(bits.value, type_);
    Value *numbers = builder.CreateBitCast(bits.value, FixedVectorType::get(type_, lanes));
    return builder.CreateExtractElement(numbers, bits.lane);
  }

private:
  Value *joined(PHINode &bits, unsigned lane, ArrayRef<HalfLane> parts) {
    PHINode *&known = joined_[{&bits, lane}];
    if (known)
      return known;
    PHINode *number = known = PHINode::Create(type_, parts.size(), "", bits.getIterator());
    for (auto [index, part] : enumerate(parts)) {
      BasicBlock *from = bits.getIncomingBlock(index);
      IRBuilder<> builder(from->getTerminator());
      const int before = number->getBasicBlockIndex(from);
      number->addIncoming(before < 0 ? emit(builder, part) : number->getIncomingValue(before), from);
    }
    return number;
  }

  Type *type_;
  DenseMap<std::pair<PHINode *, unsigned>, PHINode *> joined_;
};

/// All lanes of `bits`, from where they come from.
Value *from_origins(IRBuilder<> &builder, Value *bits, Type *type) {
  if (!type->isVectorTy())
    return emit_half(builder, origin_of({bits, 0}), type);
  Value *numbers = PoisonValue::get(type);
  for (unsigned lane = 0; lane < half_lanes(type); ++lane)
    numbers =
        builder.CreateInsertElement(numbers, emit_half(builder, origin_of({bits, lane}), type->getScalarType()), lane);
  return numbers;
}

/// Whether other moves have put these bits together.
bool is_moved(Value *bits) {
  return !isa<Constant>(bits) && any_of(seq(half_lanes(bits->getType())), [&](unsigned lane) {
    const HalfLane source{bits, lane};
    return before_move(source) != source;
  });
}

void rewrite_cast(BitCastInst &cast) {
  if (!cast.getType()->getScalarType()->is16bitFPTy() || !is_moved(cast.getOperand(0)))
    return;
  IRBuilder<> builder(&cast);
  cast.replaceAllUsesWith(from_origins(builder, cast.getOperand(0), cast.getType()));
  cast.eraseFromParent();
}

/// The bits of a number that are taken out of a word of numbers are taken from the number itself.
void rewrite_taken_bits(Instruction &taken) {
  if (!taken.getType()->isIntegerTy(half_bits) || !isa<TruncInst, ExtractElementInst>(taken))
    return;
  const HalfLane origin = origin_of({&taken, 0});
  Type *type = origin.value->getType()->getScalarType();
  if (!type->is16bitFPTy())
    return;
  IRBuilder<> builder(&taken);
  taken.replaceAllUsesWith(builder.CreateBitCast(emit_half(builder, origin, type), taken.getType()));
  taken.eraseFromParent();
}

/// The floating type of all these bits, or null.
Type *type_of_all(Value *bits) {
  Type *type = nullptr;
  for (const unsigned lane : seq(half_lanes(bits->getType()))) {
    const HalfLane origin = origin_of({bits, lane});
    if (isa<Constant>(origin.value))
      continue;
    Type *own = half_type(origin);
    if (!own || (type && own != type))
      return nullptr;
    type = own;
  }
  return type;
}

/// Numbers that were put together to a word are stored as numbers.
void rewrite_store(StoreInst &store) {
  Value *bits = store.getValueOperand();
  if (!store.isSimple() || !bits->getType()->isIntOrIntVectorTy() || half_lanes(bits->getType()) < 2 || !is_moved(bits))
    return;
  Type *type = type_of_all(bits);
  if (!type)
    return;
  IRBuilder<> builder(&store);
  store.setOperand(0, from_origins(builder, bits, FixedVectorType::get(type, half_lanes(bits->getType()))));
}

} // namespace

HalfLane origin_of(HalfLane bits) {
  for (HalfLane before = before_move(bits); before != bits; before = before_move(bits))
    bits = before;
  return bits;
}

Type *half_type(HalfLane bits) {
  return type_of_chosen(bits, most_choices_in_a_row);
}

Value *emit_half(IRBuilderBase &builder, HalfLane bits, Type *type) {
  return HalfEmitter(type).emit(builder, bits);
}

void rewrite_packed_halves(Function &function) {
  if (!is_device_code(*function.getParent()))
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *cast = dyn_cast<BitCastInst>(&instruction))
      rewrite_cast(*cast);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      rewrite_store(*store);
    else
      rewrite_taken_bits(instruction);
}

} // namespace assay::engine
