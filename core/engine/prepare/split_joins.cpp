#include "core/engine/prepare/split_joins.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_join(const Value &value) {
  return value.getType()->isPointerTy() && isa<PHINode, SelectInst>(value);
}

/// The floats that the bits of `address` are read as.
SmallVector<CastInst *, 2> floats_of(Value &address, const DataLayout &layout) {
  SmallVector<CastInst *, 2> floats;
  for (User *user : address.users()) {
    auto *bits = dyn_cast<PtrToIntInst>(user);
    if (!bits || layout.getTypeSizeInBits(address.getType()) != layout.getTypeSizeInBits(bits->getType()))
      continue;
    for (User *whole : bits->users())
      if (isa<BitCastInst>(whole) && whole->getType()->isFPOrFPVectorTy())
        floats.push_back(cast<CastInst>(whole));
  }
  return floats;
}

/// Makes floats of one type beside addresses.
class Joiner {
public:
  explicit Joiner(Type *type) : type_(type) {}

  /// `address` as a float that is there before `use`.
  Value *number_of(Value &address, Instruction &use) {
    if (isa<ConstantPointerNull>(address))
      return Constant::getNullValue(type_);
    if (Value *known = known_.lookup(&address))
      return known;
    if (auto *phi = dyn_cast<PHINode>(&address))
      return number_of(*phi);
    if (auto *select = dyn_cast<SelectInst>(&address))
      return number_of(*select);
    auto *load = dyn_cast<LoadInst>(&address);
    if (load && load->isSimple())
      return known_[load] =
                 IRBuilder<>(load).CreateAlignedLoad(type_, load->getPointerOperand(), load->getAlign(), "number");
    IRBuilder<> builder(&use);
    Value *bits = builder.CreatePtrToInt(&address, use.getDataLayout().getIntPtrType(address.getType()));
    return builder.CreateBitCast(bits, type_);
  }

private:
  Value *number_of(PHINode &phi) {
    PHINode *numbers = IRBuilder<>(&phi).CreatePHI(type_, phi.getNumIncomingValues(), "numbers");
    known_[&phi] = numbers;
    for (auto [block, address] : zip(phi.blocks(), phi.incoming_values())) {
      const int index = numbers->getBasicBlockIndex(block); // a block that comes twice has to bring the same twice
      Value *number = index >= 0 ? numbers->getIncomingValue(index) : number_of(*address, *block->getTerminator());
      numbers->addIncoming(number, block);
    }
    return numbers;
  }

  Value *number_of(SelectInst &select) {
    Value *one = number_of(*select.getTrueValue(), select), *other = number_of(*select.getFalseValue(), select);
    return known_[&select] = IRBuilder<>(&select).CreateSelect(select.getCondition(), one, other, "numbers");
  }

  Type *type_;
  DenseMap<Value *, Value *> known_;
};

} // namespace

bool split_joins(Function &function) {
  SmallVector<CastInst *, 8> floats;
  for (Instruction &instruction : instructions(function))
    if (is_join(instruction))
      append_range(floats, floats_of(instruction, function.getDataLayout()));
  DenseMap<Type *, Joiner> joiners;
  SmallVector<WeakTrackingVH, 8> replaced;
  for (CastInst *number : floats) {
    Joiner &joiner = joiners.try_emplace(number->getType(), number->getType()).first->second;
    Value &address = *cast<PtrToIntInst>(number->getOperand(0))->getPointerOperand();
    number->replaceAllUsesWith(joiner.number_of(address, *number));
    replaced.emplace_back(number);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return !floats.empty();
}

} // namespace assay::engine
