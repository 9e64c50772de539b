#include "core/engine/emit/block_table.hpp"
#include "core/engine/emit/warp_adds.hpp"
#include "core/engine/emit/warp_code.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned slots = 256;
/// The barrier of a block, in its form for lanes that come one by one. __syncthreads has number 0, too: no thread waits
/// at one while others wait at the other (tidy/block_sums.cpp).
constexpr unsigned barrier = 0;

void wait(IRBuilderBase &builder) {
  builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::nvvm_barrier_cta_sync_all, {builder.getInt32(barrier)});
}

Value *special_register(IRBuilderBase &builder, Intrinsic::ID id) {
  return builder.CreateIntrinsic(builder.getInt32Ty(), id, {});
}

PointerType *global_pointer(LLVMContext &context) {
  return PointerType::get(context, static_cast<unsigned>(DeviceMemory::global));
}

Value *element(IRBuilderBase &builder, GlobalVariable *array, Value *slot) {
  return builder.CreateInBoundsGEP(array->getValueType(), array, {builder.getInt32(0), slot});
}

/// Neighbours have slots of their own; rows that are powers of two apart do, too, mostly.
Value *hash(IRBuilderBase &builder, Value *address, unsigned bytes_of_number) {
  Value *number = builder.CreateLShr(address, Log2_32(bytes_of_number));
  Value *mixed = builder.CreateXor(number, builder.CreateLShr(number, Log2_32(slots)));
  return builder.CreateAnd(builder.CreateTrunc(mixed, builder.getInt32Ty()), slots - 1);
}

/// The slots of this thread, one block of code for each of which `write` begins; it returns where it ends.
void for_own_slots(IRBuilder<> &builder, Function &function, function_ref<void(Value *slot)> write) {
  BasicBlock *before = builder.GetInsertBlock(), *ask = block_of(function, "ask"), *body = block_of(function, "slot"),
             *end = block_of(function, "end");
  Value *first = thread_of_block(builder), *step = threads_of_block(builder);
  builder.CreateBr(ask);
  builder.SetInsertPoint(ask);
  PHINode *slot = builder.CreatePHI(builder.getInt32Ty(), 2);
  slot->addIncoming(first, before);
  builder.CreateCondBr(builder.CreateICmpULT(slot, builder.getInt32(slots)), body, end);
  builder.SetInsertPoint(body);
  write(slot);
  slot->addIncoming(builder.CreateAdd(slot, step), builder.GetInsertBlock());
  builder.CreateBr(ask);
  builder.SetInsertPoint(end);
}

} // namespace

Value *threads_of_block(IRBuilderBase &builder) {
  Value *rows = builder.CreateMul(special_register(builder, Intrinsic::nvvm_read_ptx_sreg_ntid_y),
                                  special_register(builder, Intrinsic::nvvm_read_ptx_sreg_ntid_z));
  return builder.CreateMul(special_register(builder, Intrinsic::nvvm_read_ptx_sreg_ntid_x), rows);
}

Value *thread_of_block(IRBuilderBase &builder) {
  Value *row = builder.CreateAdd(builder.CreateMul(special_register(builder, Intrinsic::nvvm_read_ptx_sreg_tid_z),
                                                   special_register(builder, Intrinsic::nvvm_read_ptx_sreg_ntid_y)),
                                 special_register(builder, Intrinsic::nvvm_read_ptx_sreg_tid_y));
  return builder.CreateAdd(builder.CreateMul(row, special_register(builder, Intrinsic::nvvm_read_ptx_sreg_ntid_x)),
                           special_register(builder, Intrinsic::nvvm_read_ptx_sreg_tid_x));
}

std::uint64_t BlockTable::bytes(const Type &number) {
  return slots * (sizeof(std::uint64_t) + number.getPrimitiveSizeInBits().getFixedValue() / 8);
}

GlobalVariable *BlockTable::array(StringRef name, Type *element) {
  const std::string full_name = ("assay.block." + name + (number_->isFloatTy() ? ".float" : ".double")).str();
  if (GlobalVariable *array = module_.getGlobalVariable(full_name, true))
    return array;
  auto *type = ArrayType::get(element, slots);
  auto *array =
      new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage, PoisonValue::get(type), full_name, nullptr,
                         GlobalValue::NotThreadLocal, static_cast<unsigned>(DeviceMemory::shared));
  array->setAlignment(Align(8));
  return array;
}

Function *BlockTable::function(StringRef name, ArrayRef<Type *> parameters, function_ref<void(Function &)> write) {
  return own_function(module_, ("assay.block." + name + (number_->isFloatTy() ? ".float" : ".double")).str(),
                      FunctionType::get(Type::getVoidTy(module_.getContext()), parameters, false), write);
}

Function *BlockTable::clear() {
  return function("clear", {}, [&](Function &function) {
    function.setConvergent();
    IRBuilder<> builder(block_of(function, ""));
    for_own_slots(builder, function, [&](Value *slot) {
      builder.CreateStore(builder.getInt64(0), element(builder, array("place", builder.getInt64Ty()), slot));
      builder.CreateStore(ConstantFP::getZero(number_), element(builder, array("sum", number_), slot));
    });
    wait(builder);
    builder.CreateRetVoid();
  });
}

Function *BlockTable::add() {
  return function("add", {global_pointer(module_.getContext()), number_}, [&](Function &function) {
    function.addFnAttr(Attribute::NoInline); // Several calls stand in each function that adds up what lanes have.
    auto *take = block_of(function, ""), *ask = block_of(function, "ask"), *inside = block_of(function, "inside"),
         *outside = block_of(function, "outside");
    IRBuilder<> builder(take);
    Value *address = builder.CreatePtrToInt(function.getArg(0), builder.getInt64Ty());
    Value *slot = hash(builder, address, number_->getPrimitiveSizeInBits().getFixedValue() / 8);
    Value *place = element(builder, array("place", builder.getInt64Ty()), slot);
    LoadInst *seen = builder.CreateAlignedLoad(builder.getInt64Ty(), place, Align(8));
    const SyncScope::ID block = module_.getContext().getOrInsertSyncScopeID("block");
    seen->setAtomic(AtomicOrdering::Monotonic, block);
    builder.CreateCondBr(builder.CreateICmpEQ(seen, address), inside, ask);

    builder.SetInsertPoint(ask);
    auto *swap = block_of(function, "swap");
    builder.CreateCondBr(builder.CreateICmpEQ(seen, builder.getInt64(0)), swap, outside);
    builder.SetInsertPoint(swap);
    Value *found = builder.CreateExtractValue(builder.CreateAtomicCmpXchg(place, builder.getInt64(0), address, Align(8),
                                                                          AtomicOrdering::Monotonic,
                                                                          AtomicOrdering::Monotonic, block),
                                              0);
    builder.CreateCondBr(
        builder.CreateOr(builder.CreateICmpEQ(found, builder.getInt64(0)), builder.CreateICmpEQ(found, address)),
        inside, outside);

    builder.SetInsertPoint(inside);
    builder.CreateAtomicRMW(AtomicRMWInst::FAdd, element(builder, array("sum", number_), slot), function.getArg(1),
                            MaybeAlign(), AtomicOrdering::Monotonic, block);
    builder.CreateRetVoid();
    builder.SetInsertPoint(outside);
    add_for_device(builder, function.getArg(0), function.getArg(1));
    builder.CreateRetVoid();
  });
}

Function *BlockTable::flush() {
  return function("flush", {}, [&](Function &function) {
    function.setConvergent();
    IRBuilder<> builder(block_of(function, ""));
    wait(builder);
    for_own_slots(builder, function, [&](Value *slot) {
      Value *address =
          builder.CreateLoad(builder.getInt64Ty(), element(builder, array("place", builder.getInt64Ty()), slot));
      auto *taken = block_of(function, "taken"), *next = block_of(function, "next");
      builder.CreateCondBr(builder.CreateICmpNE(address, builder.getInt64(0)), taken, next);
      builder.SetInsertPoint(taken);
      Value *place = builder.CreateIntToPtr(address, global_pointer(module_.getContext()));
      add_for_device(builder, place, builder.CreateLoad(number_, element(builder, array("sum", number_), slot)));
      builder.CreateBr(next);
      builder.SetInsertPoint(next);
    });
    builder.CreateRetVoid();
  });
}

} // namespace assay::engine
