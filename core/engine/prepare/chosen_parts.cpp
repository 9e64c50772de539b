#include "core/engine/prepare/chosen_parts.hpp"

#include "core/engine/prepare/integer_parts.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_choice(const Value &value) {
  return isa<PHINode, SelectInst>(value);
}

SmallVector<const Value *, 4> alternatives(const Instruction &choice) {
  if (const auto *select = dyn_cast<SelectInst>(&choice))
    return {select->getTrueValue(), select->getFalseValue()};
  SmallVector<const Value *, 4> values;
  append_range(values, choice.operand_values());
  return values;
}

/// True where one of the values that are chosen from is in memory. There is no place for the bits of what an invoke
/// returns, on the edge to the choice.
bool may_be_loaded(Instruction &choice) {
  bool is_loaded = false;
  SetVector<const Instruction *> choices;
  choices.insert(&choice);
  for (unsigned index = 0; index < choices.size(); ++index)
    for (const Value *value : alternatives(*choices[index])) {
      if (isa<InvokeInst>(value))
        return false;
      const auto *load = dyn_cast<LoadInst>(value);
      is_loaded |= load && load->isSimple();
      if (is_choice(*value))
        choices.insert(cast<Instruction>(value));
    }
  return is_loaded;
}

/// The float that the same bits are of all that a choice is made from.
class PartOfChoice {
public:
  PartOfChoice(const IntegerPart &part, Type *type) : part_(part), type_(type) {}

  Value *of(Instruction &choice) {
    if (Value *known = made_.lookup(&choice))
      return known;
    if (auto *select = dyn_cast<SelectInst>(&choice)) {
      Value *yes = of_value(*select->getTrueValue(), choice), *no = of_value(*select->getFalseValue(), choice);
      return made_[&choice] = IRBuilder<>(select).CreateSelect(select->getCondition(), yes, no);
    }
    auto &phi = cast<PHINode>(choice);
    PHINode *part = IRBuilder<>(&phi).CreatePHI(type_, phi.getNumIncomingValues());
    made_[&choice] = part;
    for (auto [value, from] : zip_equal(phi.incoming_values(), phi.blocks()))
      part->addIncoming(of_edge(*value, *from, *part), from);
    return part;
  }

private:
  /// A block may be there twice, with one value.
  Value *of_edge(Value &value, BasicBlock &from, const PHINode &part) {
    const int known = part.getBasicBlockIndex(&from);
    return known < 0 ? of_value(value, *from.getTerminator()) : part.getIncomingValue(static_cast<unsigned>(known));
  }

  Value *of_value(Value &value, Instruction &before) {
    if (is_choice(value))
      return of(cast<Instruction>(value));
    IRBuilder<> builder(&before);
    Value *bits = builder.CreateBitCast(&value, builder.getIntNTy(value.getType()->getPrimitiveSizeInBits()));
    Value *shifted = part_.first == 0 ? bits : builder.CreateLShr(bits, part_.first);
    return builder.CreateBitCast(builder.CreateTrunc(shifted, part_.value->getType()), type_);
  }

  const IntegerPart part_;
  Type *const type_;
  DenseMap<const Instruction *, Value *> made_;
};

SmallVector<IntegerPart, 4> parts_of(Instruction &choice) {
  SmallVector<IntegerPart, 4> parts;
  if (choice.getType()->isIntegerTy())
    add_parts(choice, parts);
  else if (choice.getType()->isFloatingPointTy())
    for (User *user : choice.users())
      if (isa<BitCastInst>(user) && user->getType()->isIntegerTy())
        add_parts(*user, parts);
  return parts;
}

} // namespace

void choose_parts(Function &function) {
  SmallVector<Instruction *, 8> choices;
  for (Instruction &instruction : instructions(function))
    if (is_choice(instruction))
      choices.push_back(&instruction);
  SmallVector<WeakTrackingVH, 8> replaced;
  for (Instruction *choice : choices)
    for (const IntegerPart &part : parts_of(*choice))
      for (User *user : part.value->users())
        if (isa<BitCastInst>(user) && user->getType()->isFPOrFPVectorTy() && may_be_loaded(*choice)) {
          user->replaceAllUsesWith(PartOfChoice(part, user->getType()).of(*choice));
          replaced.emplace_back(user);
        }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
}

} // namespace assay::engine
