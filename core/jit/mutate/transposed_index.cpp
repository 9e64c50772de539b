// Addresses are computed in several steps, so the whole tree of an address is looked at and made again. In the reverse
// sweep each use of a counter is a load of its own: there the slot stands for the counter.

#include "core/jit/mutate/transposed_index.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::jit {

namespace {

/// What the tree of an index is made of.
bool is_step(const Value &value) {
  if (isa<GetElementPtrInst, SExtInst, ZExtInst, TruncInst>(value))
    return true;
  const auto *operation = dyn_cast<BinaryOperator>(&value);
  if (!operation)
    return false;
  switch (operation->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::And:
    return true;
  default:
    return false;
  }
}

/// By what `step` multiplies its operand, as far as that is a constant; 0 for another value.
std::uint64_t factor_of(const Instruction &step, unsigned operand, const DataLayout &layout) {
  using namespace PatternMatch;
  std::uint64_t constant = 0;
  if (const auto *address = dyn_cast<GetElementPtrInst>(&step)) {
    Type *type = address->getSourceElementType();
    for (unsigned index = 2; index <= operand; ++index)
      type = GetElementPtrInst::getTypeAtIndex(type, std::uint64_t(0));
    return operand == 0 || !type ? 1 : layout.getTypeAllocSize(type).getFixedValue();
  }
  if (step.getOpcode() == Instruction::Mul)
    return match(step.getOperand(1 - operand), m_ConstantInt(constant)) ? constant : 0;
  if (step.getOpcode() == Instruction::Shl)
    return match(step.getOperand(1), m_ConstantInt(constant)) ? std::uint64_t(1) << constant : 0;
  return 1;
}

class Tree {
public:
  explicit Tree(GetElementPtrInst &root) : root_(root) { visit(root, 1); }

  bool has_row_and_column() const {
    return counters_.size() > 1 && counters_[0].type == counters_[1].type && counters_[0].factor != counters_[1].factor;
  }

  void exchange() {
    Value *changed = remade(root_);
    root_.replaceAllUsesWith(changed);
  }

private:
  struct Counter {
    const Value *key; ///< A slot, or the value itself.
    Value *value;
    Type *type;
    std::uint64_t factor; ///< Of all products on the way to the address; 0: one of them is not a constant.
  };

  static const Value *key_of(const Value &leaf) {
    const auto *load = dyn_cast<LoadInst>(&leaf);
    return load && isa<AllocaInst>(load->getPointerOperand()) ? load->getPointerOperand() : &leaf;
  }

  static bool may_count(const Instruction &leaf) {
    return leaf.getType()->isIntegerTy() && isa<PHINode, LoadInst>(leaf) &&
           leaf.getParent() != &leaf.getFunction()->getEntryBlock();
  }

  void visit(Value &value, std::uint64_t factor) {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
      return;
    if (is_step(value)) {
      const DataLayout &layout = instruction->getDataLayout();
      for (unsigned operand = 0; operand < instruction->getNumOperands(); ++operand)
        visit(*instruction->getOperand(operand), factor * factor_of(*instruction, operand, layout));
    } else if (may_count(*instruction)) {
      note(*instruction, factor);
    }
  }

  void note(Instruction &leaf, std::uint64_t factor) {
    const Value *key = key_of(leaf);
    for (const Counter &known : counters_)
      if (known.key == key)
        return;
    counters_.push_back({key, &leaf, leaf.getType(), factor});
  }

  /// The counter at whose place `leaf` is needed: loads of slots are repeated where they dominate.
  Value *other_counter(const Value &leaf, IRBuilder<> &builder) const {
    const Value *key = key_of(leaf);
    for (unsigned index : {0U, 1U})
      if (counters_[index].key == key) {
        const Counter &other = counters_[1 - index];
        auto *load = dyn_cast<LoadInst>(other.value);
        return load && other.key != load ? builder.CreateLoad(load->getType(), load->getPointerOperand()) : other.value;
      }
    return nullptr;
  }

  Value *remade(Value &value) {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
      return &value;
    if (Value *known = copies_.lookup(instruction))
      return known;
    IRBuilder<> builder(&root_);
    if (Value *other = other_counter(*instruction, builder))
      return copies_[instruction] = other;
    if (!is_step(value))
      return &value;
    Instruction *copy = instruction->clone();
    copy->dropPoisonGeneratingFlags();
    for (unsigned operand = 0; operand < copy->getNumOperands(); ++operand)
      copy->setOperand(operand, remade(*instruction->getOperand(operand)));
    copy->insertBefore(root_.getIterator());
    return copies_[instruction] = copy;
  }

  GetElementPtrInst &root_;
  SmallVector<Counter, 4> counters_; ///< The first two are exchanged.
  DenseMap<const Instruction *, Value *> copies_;
};

} // namespace

bool has_row_and_column(const GetElementPtrInst &address) {
  return Tree(const_cast<GetElementPtrInst &>(address)).has_row_and_column();
}

void exchange_row_and_column(GetElementPtrInst &address) {
  Tree(address).exchange();
}

} // namespace assay::jit
