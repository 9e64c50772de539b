#include "core/widen/function_widener.hpp"

namespace assay::widen {

llvm::Value *FunctionWidener::address_at(llvm::IRBuilder<> &builder, llvm::Value *address, std::uint64_t offset) const {
  return offset == 0 ? address : builder.CreateConstGEP1_64(builder.getInt8Ty(), address, offset);
}

void FunctionWidener::load_leaves(llvm::IRBuilder<> &builder, llvm::Instruction &value, llvm::Value *address,
                                  llvm::Constant *site) {
  Twins twins;
  const Leaves all = leaves(value);
  for (const Leaf &leaf : all) {
    const bool is_number = leaf.kind == Leaf::Kind::number;
    twins.push_back(runtime_.call(builder, is_number ? "load" : "load_word",
                                  is_number ? runtime_.wide() : runtime_.word(),
                                  {address_at(builder, address, leaf.offset), runtime_.number(leaf.size), site}));
  }
  set_twins(value, std::move(twins));
  for (const Piece &piece : other_pieces_of(value.getType(), layout_))
    runtime_.call(builder, "inspect_memory", runtime_.nothing(),
                  {address_at(builder, address, piece.offset), builder.getInt64(piece.size), site});
}

void FunctionWidener::store_leaves(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *address) {
  const Leaves all = leaves(*value);
  for (std::size_t index = 0; index < all.size(); ++index) {
    const Leaf &leaf = all[index];
    llvm::Value *moved = twin(value, index);
    llvm::Value *at = address_at(builder, address, leaf.offset);
    if (llvm::isa<llvm::Constant>(moved))
      runtime_.call(builder, "clear", runtime_.nothing(), {at, builder.getInt64(leaf.size)});
    else
      runtime_.call(builder, leaf.kind == Leaf::Kind::number ? "store" : "store_word", runtime_.nothing(),
                    {at, runtime_.number(leaf.size), moved});
  }
  for (const Piece &piece : other_pieces_of(value->getType(), layout_))
    runtime_.call(builder, "clear", runtime_.nothing(),
                  {address_at(builder, address, piece.offset), builder.getInt64(piece.size)});
}

void FunctionWidener::visitLoadInst(llvm::LoadInst &load) {
  llvm::IRBuilder<> builder = after(load);
  load_leaves(builder, load, load.getPointerOperand(), runtime_.site(load));
}

void FunctionWidener::visitStoreInst(llvm::StoreInst &store) {
  llvm::IRBuilder<> builder = after(store);
  store_leaves(builder, store.getValueOperand(), store.getPointerOperand());
}

// What was there is what the instruction gives; what is there now follows from it.
void FunctionWidener::visitAtomicRMWInst(llvm::AtomicRMWInst &update) {
  llvm::Value *address = update.getPointerOperand();
  llvm::Constant *site = runtime_.site(update);
  const std::uint64_t size = layout_.getTypeStoreSize(update.getType()).getFixedValue();
  const auto operation = update.getOperation();
  const bool adds = operation == llvm::AtomicRMWInst::FAdd || operation == llvm::AtomicRMWInst::FSub;
  if (!update.getType()->isFloatingPointTy() || (!adds && operation != llvm::AtomicRMWInst::Xchg)) {
    inspect_operands(update);
    llvm::IRBuilder<> builder = before(update);
    runtime_.call(builder, "inspect_memory", runtime_.nothing(), {address, builder.getInt64(size), site});
    return;
  }
  llvm::IRBuilder<> builder = before(update);
  llvm::Value *old = runtime_.call(builder, "load", runtime_.wide(),
                                   {address, runtime_.number(static_cast<std::uint32_t>(size)), site});
  llvm::IRBuilder<> behind = after(update);
  llvm::Value *operand = twin(update.getValOperand());
  if (adds) {
    llvm::Value *before_it = term(behind, &update, old), *with = term(behind, update.getValOperand(), operand);
    llvm::Value *is_there = behind.CreateLoad(update.getType(), address);
    operand = twin_of_term(behind,
                           operation == llvm::AtomicRMWInst::FAdd ? add(behind, before_it, with)
                                                                  : subtract(behind, before_it, with),
                           is_there);
  }
  runtime_.call(behind, "store", runtime_.nothing(),
                {address, runtime_.number(static_cast<std::uint32_t>(size)), operand});
  set_twins(update, {old});
}

void FunctionWidener::visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange) {
  inspect_operands(exchange);
  llvm::IRBuilder<> builder = before(exchange);
  const std::uint64_t size = layout_.getTypeStoreSize(exchange.getNewValOperand()->getType()).getFixedValue();
  runtime_.call(builder, "inspect_memory", runtime_.nothing(),
                {exchange.getPointerOperand(), builder.getInt64(size), runtime_.site(exchange)});
}

} // namespace assay::widen
