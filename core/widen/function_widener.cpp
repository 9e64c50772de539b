// Twins are made in reverse post-order, so that operands come first; those of phis are made empty before and filled
// after. A word has a twin only if the bits of a number can reach it by moves; most integers of a program count and
// have none.

#include "core/widen/function_widener.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::widen {

FunctionWidener::FunctionWidener(llvm::Function &function, RuntimeCalls &runtime, TwinKind kind)
    : function_(function), runtime_(runtime), kind_(kind), layout_(function.getDataLayout()) {}

void FunctionWidener::run() {
  // Results of invokes are read on the edge to where the program goes on.
  llvm::SmallVector<llvm::InvokeInst *, 8> invokes;
  for (llvm::BasicBlock &block : function_)
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator()))
      invokes.push_back(invoke);
  for (llvm::InvokeInst *invoke : invokes)
    llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());

  llvm::SmallVector<llvm::Instruction *, 64> instructions;
  const llvm::ReversePostOrderTraversal<llvm::Function *> order(&function_);
  for (llvm::BasicBlock *block : order)
    for (llvm::Instruction &instruction : *block)
      instructions.push_back(&instruction);
  find_carriers();
  read_arguments();
  make_phis();
  for (llvm::Instruction *instruction : instructions)
    visit(*instruction);
  fill_phis();
}

// ---- which words matter ----

bool FunctionWidener::is_carrier(const llvm::Instruction &instruction) const {
  const auto reached = [&](const llvm::Value *operand) { return carriers_.contains(operand); };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Load:
  case llvm::Instruction::Call:
  case llvm::Instruction::Invoke:
    return true;
  case llvm::Instruction::BitCast:
    return instruction.getOperand(0)->getType()->getScalarType()->isFloatingPointTy() ||
           reached(instruction.getOperand(0));
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ShuffleVector:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::Or:
  case llvm::Instruction::And:
    return llvm::any_of(instruction.operand_values(), reached);
  default:
    return false;
  }
}

void FunctionWidener::find_carriers() {
  const auto has_words = [&](const llvm::Value &value) {
    return llvm::any_of(leaves(value), [](const Leaf &leaf) { return leaf.kind == Leaf::Kind::word; });
  };
  for (llvm::Argument &argument : function_.args())
    if (has_words(argument))
      carriers_.insert(&argument);
  for (bool grows = true; grows;) {
    grows = false;
    for (llvm::BasicBlock &block : function_)
      for (llvm::Instruction &instruction : block)
        if (!carriers_.contains(&instruction) && is_carrier(instruction) && has_words(instruction)) {
          carriers_.insert(&instruction);
          grows = true;
        }
  }
}

// ---- twins ----

const Leaves &FunctionWidener::leaves(llvm::Type *type) {
  const auto [entry, is_new] = known_leaves_.try_emplace(type);
  if (is_new && !type->isVoidTy() && !type->isMetadataTy() && !type->isLabelTy() && !type->isTokenTy())
    entry->second = leaves_of(type, layout_);
  return entry->second;
}

llvm::Value *FunctionWidener::zero(const Leaf &leaf) const {
  return leaf.kind == Leaf::Kind::number ? runtime_.still() : runtime_.no_word();
}

llvm::Value *FunctionWidener::twin(llvm::Value *value, std::size_t leaf) {
  const auto found = twins_.find(value);
  return found == twins_.end() ? zero(leaves(*value)[leaf]) : found->second[leaf];
}

void FunctionWidener::set_twins(llvm::Value &value, Twins twins) {
  if (!twins.empty())
    twins_[&value] = std::move(twins);
}

void FunctionWidener::pass_on(llvm::Instruction &instruction, llvm::Value *operand) {
  Twins twins;
  for (std::size_t leaf = 0; leaf < leaves(instruction).size(); ++leaf)
    twins.push_back(twin(operand, leaf));
  set_twins(instruction, std::move(twins));
}

llvm::IRBuilder<> FunctionWidener::before(llvm::Instruction &instruction) const {
  return llvm::IRBuilder<>(&instruction);
}

llvm::IRBuilder<> FunctionWidener::after(llvm::Instruction &instruction) const {
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&instruction))
    return llvm::IRBuilder<>(invoke->getNormalDest(), invoke->getNormalDest()->getFirstInsertionPt());
  return llvm::IRBuilder<>(instruction.getParent(), std::next(instruction.getIterator()));
}

void FunctionWidener::make_phis() {
  for (llvm::BasicBlock &block : function_)
    for (llvm::PHINode &phi : llvm::make_early_inc_range(block.phis())) {
      if (leaves(phi).empty() || twins_.contains(&phi))
        continue;
      Twins twins;
      llvm::IRBuilder<> builder(&phi);
      for (const Leaf &leaf : leaves(phi)) {
        const bool is_number = leaf.kind == Leaf::Kind::number;
        if (!is_number && !carriers_.contains(&phi))
          twins.push_back(runtime_.no_word());
        else
          twins.push_back(
              builder.CreatePHI(is_number ? runtime_.wide() : runtime_.word(), phi.getNumIncomingValues(), "twin"));
      }
      // A twin's own twin is never asked for.
      set_twins(phi, std::move(twins));
    }
}

void FunctionWidener::fill_phis() {
  for (llvm::BasicBlock &block : function_)
    for (llvm::PHINode &phi : block.phis()) {
      const auto found = twins_.find(&phi);
      if (found == twins_.end())
        continue;
      for (std::size_t leaf = 0; leaf < found->second.size(); ++leaf)
        if (auto *twin_phi = llvm::dyn_cast<llvm::PHINode>(found->second[leaf]))
          for (unsigned index = 0; index < phi.getNumIncomingValues(); ++index)
            twin_phi->addIncoming(twin(phi.getIncomingValue(index), leaf), phi.getIncomingBlock(index));
    }
}

void FunctionWidener::read_arguments() {
  llvm::BasicBlock &entry = function_.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  llvm::Value *slots = runtime_.call(builder, "enter", runtime_.pointer(), {&function_});
  unsigned index = 0;
  for (llvm::Argument &argument : function_.args()) {
    Twins twins;
    for (const Leaf &leaf : leaves(argument))
      twins.push_back(builder.CreateLoad(zero(leaf)->getType(), slot(builder, slots, index++)));
    set_twins(argument, std::move(twins));
  }
}

// ---- moves ----

void FunctionWidener::visitSelectInst(llvm::SelectInst &select) {
  if (leaves(select).empty())
    return;
  llvm::IRBuilder<> builder = after(select);
  Twins twins;
  for (std::size_t leaf = 0; leaf < leaves(select).size(); ++leaf) {
    llvm::Value *condition = select.getCondition();
    if (condition->getType()->isVectorTy())
      condition = builder.CreateExtractElement(condition, leaf);
    twins.push_back(
        builder.CreateSelect(condition, twin(select.getTrueValue(), leaf), twin(select.getFalseValue(), leaf)));
  }
  set_twins(select, std::move(twins));
}

void FunctionWidener::visitFreezeInst(llvm::FreezeInst &freeze) {
  pass_on(freeze, freeze.getOperand(0));
}

namespace {

bool begins_with(const Leaf &leaf, llvm::ArrayRef<unsigned> path) {
  return llvm::ArrayRef(leaf.path).take_front(path.size()) == path;
}

} // namespace

void FunctionWidener::visitExtractValueInst(llvm::ExtractValueInst &extract) {
  llvm::Value *whole = extract.getAggregateOperand();
  Twins twins;
  const Leaves all = leaves(*whole);
  for (std::size_t leaf = 0; leaf < all.size(); ++leaf)
    if (begins_with(all[leaf], extract.getIndices()))
      twins.push_back(twin(whole, leaf));
  if (twins.size() == leaves(extract).size())
    set_twins(extract, std::move(twins));
}

void FunctionWidener::visitInsertValueInst(llvm::InsertValueInst &insert) {
  Twins twins;
  std::size_t inserted = 0;
  const Leaves all = leaves(insert);
  for (std::size_t leaf = 0; leaf < all.size(); ++leaf)
    twins.push_back(begins_with(all[leaf], insert.getIndices()) ? twin(insert.getInsertedValueOperand(), inserted++)
                                                                : twin(insert.getAggregateOperand(), leaf));
  set_twins(insert, std::move(twins));
}

void FunctionWidener::visitExtractElementInst(llvm::ExtractElementInst &extract) {
  if (leaves(extract).empty())
    return;
  llvm::Value *vector = extract.getVectorOperand();
  const std::size_t lanes = leaves(*vector).size();
  if (const auto *lane = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand())) {
    if (lane->getZExtValue() < lanes)
      set_twins(extract, {twin(vector, lane->getZExtValue())});
    return;
  }
  llvm::IRBuilder<> builder = after(extract);
  llvm::Value *index = extract.getIndexOperand();
  llvm::Value *chosen = zero(leaves(extract).front());
  for (std::size_t lane = 0; lane < lanes; ++lane)
    chosen = builder.CreateSelect(builder.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), lane)),
                                  twin(vector, lane), chosen);
  set_twins(extract, {chosen});
}

void FunctionWidener::visitInsertElementInst(llvm::InsertElementInst &insert) {
  if (leaves(insert).empty())
    return;
  llvm::IRBuilder<> builder = after(insert);
  llvm::Value *index = insert.getOperand(2);
  Twins twins;
  for (std::size_t lane = 0; lane < leaves(insert).size(); ++lane)
    twins.push_back(builder.CreateSelect(builder.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), lane)),
                                         twin(insert.getOperand(1)), twin(insert.getOperand(0), lane)));
  set_twins(insert, std::move(twins));
}

void FunctionWidener::visitShuffleVectorInst(llvm::ShuffleVectorInst &shuffle) {
  if (leaves(shuffle).empty())
    return;
  const auto lanes = static_cast<int>(leaves(*shuffle.getOperand(0)).size());
  Twins twins;
  for (const int lane : shuffle.getShuffleMask())
    twins.push_back(lane < 0       ? zero(leaves(shuffle).front())
                    : lane < lanes ? twin(shuffle.getOperand(0), static_cast<std::size_t>(lane))
                                   : twin(shuffle.getOperand(1), static_cast<std::size_t>(lane - lanes)));
  set_twins(shuffle, std::move(twins));
}

void FunctionWidener::visitReturnInst(llvm::ReturnInst &exit) {
  llvm::Value *value = exit.getReturnValue();
  if (!value || leaves(*value).empty())
    return;
  llvm::IRBuilder<> builder = before(exit);
  llvm::Value *slots = runtime_.call(builder, "leave", runtime_.pointer(), {&function_});
  const Leaves all = leaves(*value);
  for (unsigned leaf = 0; leaf < all.size(); ++leaf)
    builder.CreateStore(twin(value, leaf), slot(builder, slots, leaf));
}

void FunctionWidener::visitInstruction(llvm::Instruction &instruction) {
  inspect_operands(instruction);
}

void FunctionWidener::inspect_operands(llvm::Instruction &instruction) {
  llvm::IRBuilder<> builder = before(instruction);
  llvm::SmallPtrSet<llvm::Value *, 4> seen;
  for (llvm::Value *operand : instruction.operand_values())
    if (seen.insert(operand).second)
      inspect(builder, operand, runtime_.site(instruction));
}

void FunctionWidener::inspect(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Constant *site) {
  if (!twins_.contains(value))
    return;
  for (std::size_t leaf = 0; leaf < leaves(*value).size(); ++leaf)
    if (leaves(*value)[leaf].kind == Leaf::Kind::word && !llvm::isa<llvm::Constant>(twin(value, leaf)))
      runtime_.call(builder, "inspect", runtime_.nothing(), {twin(value, leaf), site});
}

llvm::Value *FunctionWidener::slot(llvm::IRBuilder<> &builder, llvm::Value *slots, unsigned index) const {
  return builder.CreateConstGEP1_64(runtime_.wide(), slots, index);
}

} // namespace assay::widen
