#include "core/engine/lowering/pointer_accessors.hpp"
#include "core/engine/lowering/derivative_call.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral remedy =
    "the pointer may be passed to functions of this file, offset, read and written; it is no address of memory";

/// Instructions whose result is such a pointer where their operand is one.
bool passes_pointer_on(const Instruction &user, const Value &pointer) {
  if (const auto *address = dyn_cast<GetElementPtrInst>(&user))
    return address->getPointerOperand() == &pointer && address->getType()->isPointerTy();
  if (const auto *call = dyn_cast<IntrinsicInst>(&user))
    return call->getIntrinsicID() == Intrinsic::launder_invariant_group ||
           call->getIntrinsicID() == Intrinsic::strip_invariant_group;
  return isa<PHINode, SelectInst, FreezeInst, AddrSpaceCastInst, BitCastInst>(user);
}

class AccessRewriter {
public:
  AccessRewriter(Function &function, ArrayRef<AccessedPointer> roots, const PointerAccessors &accessors)
      : function_(function), roots_(roots), accessors_(accessors), layout_(function.getDataLayout()),
        size_(layout_.getTypeStoreSize(accessors.element())) {}

  Error run(ReplaceCall replace_call) {
    expand_transfers();
    collect();
    if (Error error = make_offsets())
      return error;
    for (Value *pointer : pointers_)
      for (User *user : pointer->users())
        users_.insert(cast<Instruction>(user));
    for (Instruction *user : users_)
      if (!pointers_.contains(user))
        if (Error error = rewrite(*user, replace_call))
          return error;
    erase_pointers();
    return Error::success();
  }

private:
  void collect() {
    pointers_.clear();
    for (const AccessedPointer &root : roots_)
      pointers_.insert(root.pointer);
    for (unsigned next = 0; next < pointers_.size(); ++next)
      for (User *user : pointers_[next]->users())
        if (auto *instruction = dyn_cast<Instruction>(user);
            instruction && passes_pointer_on(*instruction, *pointers_[next]))
          pointers_.insert(instruction);
  }

  /// Copies and fills become loops over elements.
  void expand_transfers() {
    collect();
    SmallSetVector<MemIntrinsic *, 4> transfers;
    for (Value *pointer : pointers_)
      for (User *user : pointer->users())
        if (auto *transfer = dyn_cast<MemIntrinsic>(user))
          transfers.insert(transfer);
    for (MemIntrinsic *transfer : transfers)
      expand(*transfer);
  }

  void expand(MemIntrinsic &transfer) {
    IRBuilder<> builder(&transfer);
    Value *bytes = builder.CreateZExtOrTrunc(transfer.getLength(), builder.getInt64Ty());
    Value *count = builder.CreateUDiv(bytes, builder.getInt64(size_));
    Value *filling = nullptr;
    if (auto *fill = dyn_cast<MemSetInst>(&transfer)) {
      AllocaInst *slot = element_slot(accessors_.element());
      builder.CreateMemSet(slot, fill->getValue(), size_, slot->getAlign());
      filling = builder.CreateLoad(accessors_.element(), slot);
    }
    Instruction *any = SplitBlockAndInsertIfThen(builder.CreateICmpNE(count, builder.getInt64(0)), &transfer, false);
    const auto [body, index] = SplitBlockAndInsertSimpleForLoop(count, any->getIterator());
    builder.SetInsertPoint(body);
    Value *offset = builder.CreateMul(index, builder.getInt64(size_));
    if (!filling) {
      Value *from = builder.CreatePtrAdd(cast<MemTransferInst>(transfer).getRawSource(), offset);
      filling = builder.CreateAlignedLoad(accessors_.element(), from, Align(1));
    }
    builder.CreateAlignedStore(filling, builder.CreatePtrAdd(transfer.getRawDest(), offset), Align(1));
    transfer.eraseFromParent();
  }

  AllocaInst *element_slot(Type *type) {
    BasicBlock &entry = function_.getEntryBlock();
    return IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(type);
  }

  Error make_offsets() {
    for (const AccessedPointer &root : roots_)
      offsets_[root.pointer] = root.offset;
    Type *type = Type::getInt64Ty(function_.getContext());
    for (Value *pointer : pointers_) // where ways meet, an operand may have its offset only later
      if (auto *phi = dyn_cast<PHINode>(pointer); phi && !offsets_.contains(phi)) {
        auto *offset = PHINode::Create(type, phi->getNumIncomingValues(), "", phi->getIterator());
        for (BasicBlock *block : phi->blocks())
          offset->addIncoming(PoisonValue::get(type), block);
        offsets_[phi] = offset;
      }
    for (Value *pointer : pointers_)
      if (Expected<Value *> offset = offset_of(*pointer); !offset)
        return offset.takeError();
    for (Value *pointer : pointers_)
      if (auto *phi = dyn_cast<PHINode>(pointer); phi && !is_root(*phi))
        for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index) {
          Expected<Value *> offset = offset_of(*phi->getIncomingValue(index));
          if (!offset)
            return offset.takeError();
          cast<PHINode>(offsets_[phi])->setIncomingValue(index, *offset);
        }
    return Error::success();
  }

  bool is_root(const Value &pointer) const {
    return any_of(roots_, [&](const AccessedPointer &root) { return root.pointer == &pointer; });
  }

  Expected<Value *> offset_of(Value &pointer) {
    if (Value *known = offsets_.lookup(&pointer))
      return known;
    if (isa<UndefValue>(pointer))
      return PoisonValue::get(Type::getInt64Ty(function_.getContext()));
    auto *instruction = dyn_cast<Instruction>(&pointer);
    if (!instruction || !pointers_.contains(instruction))
      return unsupported(function_, instruction, "a pointer of __enzyme_todense is one of several pointers here",
                         remedy);
    IRBuilder<> builder(instruction);
    Value *offset = nullptr;
    if (auto *select = dyn_cast<SelectInst>(instruction)) {
      Expected<Value *> first = offset_of(*select->getTrueValue());
      if (!first)
        return first;
      Expected<Value *> second = offset_of(*select->getFalseValue());
      if (!second)
        return second;
      offset = builder.CreateSelect(select->getCondition(), *first, *second);
    } else {
      Expected<Value *> base = offset_of(*instruction->getOperand(0));
      if (!base)
        return base;
      offset = *base;
      if (auto *address = dyn_cast<GetElementPtrInst>(instruction))
        offset = builder.CreateAdd(
            offset, builder.CreateSExtOrTrunc(emitGEPOffset(&builder, layout_, address), builder.getInt64Ty()));
    }
    return offsets_[instruction] = offset;
  }

  Error rewrite(Instruction &user, ReplaceCall replace_call) {
    IRBuilder<> builder(&user);
    if (auto *load = dyn_cast<LoadInst>(&user))
      return rewrite_load(builder, *load);
    if (auto *store = dyn_cast<StoreInst>(&user); store && !pointers_.contains(store->getValueOperand()))
      return rewrite_store(builder, *store);
    if (auto *update = dyn_cast<AtomicRMWInst>(&user); update && !pointers_.contains(update->getValOperand()))
      return rewrite_update(builder, *update);
    if (isa<ICmpInst, PtrToIntInst>(user)) {
      for (Use &operand : user.operands())
        if (pointers_.contains(operand))
          operand.set(address(builder, *operand));
      return Error::success();
    }
    if (auto *call = dyn_cast<CallBase>(&user))
      return rewrite_call(*call, replace_call);
    return unsupported(user,
                       isa<StoreInst>(user)    ? "a pointer of __enzyme_todense is kept in memory"
                       : isa<ReturnInst>(user) ? "a pointer of __enzyme_todense is returned"
                                               : "a pointer of __enzyme_todense is used in a way that is not known",
                       remedy);
  }

  Value *address(IRBuilderBase &builder, Value &pointer) {
    Value *sum = builder.CreateAdd(builder.getInt64(accessors_.address), offsets_.at(&pointer));
    return builder.CreateIntToPtr(sum, pointer.getType());
  }

  /// Calls `access` for each element of a value of `type`, with its offset in there.
  Error for_each_element(const Instruction &user, Type *type, function_ref<void(std::uint64_t)> access) {
    const std::uint64_t bytes = layout_.getTypeStoreSize(type);
    if (bytes % size_ != 0)
      return unsupported(user,
                         Twine(bytes) +
                             " bytes are accessed through a pointer of __enzyme_todense, whose "
                             "elements have " +
                             Twine(size_),
                         "give __enzyme_todense functions of the element's type");
    for (std::uint64_t offset = 0; offset < bytes; offset += size_)
      access(offset);
    return Error::success();
  }

  Value *call_load(IRBuilderBase &builder, Value *offset) {
    FunctionType *type = accessors_.load->getFunctionType();
    SmallVector<Value *, 4> arguments{builder.CreateSExtOrTrunc(offset, type->getParamType(0))};
    append_range(arguments, accessors_.arguments);
    return call_with_convention(builder, *accessors_.load, arguments);
  }

  void call_store(IRBuilderBase &builder, Value *value, Value *offset) {
    FunctionType *type = accessors_.store->getFunctionType();
    SmallVector<Value *, 4> arguments{value, builder.CreateSExtOrTrunc(offset, type->getParamType(1))};
    for (auto [index, argument] : enumerate(accessors_.arguments))
      arguments.push_back(convert_argument(builder, {.value = argument}, type->getParamType(index + 2)));
    call_with_convention(builder, *accessors_.store, arguments);
  }

  static Value *call_with_convention(IRBuilderBase &builder, Function &function, ArrayRef<Value *> arguments) {
    CallInst *call = builder.CreateCall(&function, arguments);
    call->setCallingConv(function.getCallingConv());
    return call;
  }

  Expected<Value *> read(IRBuilderBase &builder, const Instruction &user, Type *type, Value *offset) {
    if (type == accessors_.element())
      return call_load(builder, offset);
    AllocaInst *slot = element_slot(type);
    if (Error error = for_each_element(user, type, [&](std::uint64_t element) {
          Value *value = call_load(builder, builder.CreateAdd(offset, builder.getInt64(element)));
          builder.CreateAlignedStore(value, builder.CreatePtrAdd(slot, builder.getInt64(element)), Align(1));
        }))
      return error;
    return builder.CreateLoad(type, slot);
  }

  Error write(IRBuilderBase &builder, const Instruction &user, Value *value, Value *offset) {
    if (value->getType() == accessors_.element()) {
      call_store(builder, value, offset);
      return Error::success();
    }
    AllocaInst *slot = element_slot(value->getType());
    builder.CreateStore(value, slot);
    return for_each_element(user, value->getType(), [&](std::uint64_t element) {
      Value *part = builder.CreatePtrAdd(slot, builder.getInt64(element));
      call_store(builder, builder.CreateAlignedLoad(accessors_.element(), part, Align(1)),
                 builder.CreateAdd(offset, builder.getInt64(element)));
    });
  }

  Error rewrite_load(IRBuilderBase &builder, LoadInst &load) {
    Expected<Value *> value = read(builder, load, load.getType(), offsets_.at(load.getPointerOperand()));
    if (!value)
      return value.takeError();
    load.replaceAllUsesWith(*value);
    load.eraseFromParent();
    return Error::success();
  }

  Error rewrite_store(IRBuilderBase &builder, StoreInst &store) {
    if (Error error = write(builder, store, store.getValueOperand(), offsets_.at(store.getPointerOperand())))
      return error;
    store.eraseFromParent();
    return Error::success();
  }

  Error rewrite_update(IRBuilderBase &builder, AtomicRMWInst &update) {
    Value *offset = offsets_.at(update.getPointerOperand());
    Expected<Value *> old = read(builder, update, update.getType(), offset);
    if (!old)
      return old.takeError();
    Value *changed = buildAtomicRMWValue(update.getOperation(), builder, *old, update.getValOperand());
    if (Error error = write(builder, update, changed, offset))
      return error;
    update.replaceAllUsesWith(*old);
    update.eraseFromParent();
    return Error::success();
  }

  Error rewrite_call(CallBase &call, ReplaceCall replace_call) {
    if (isa<AssumeInst>(call)) {
      call.eraseFromParent();
      return Error::success();
    }
    SmallVector<GivenOffset, 2> given;
    for (Use &argument : call.args())
      if (pointers_.contains(argument))
        given.push_back({call.getArgOperandNo(&argument), offsets_.at(argument)});
    return replace_call(call, given);
  }

  void erase_pointers() {
    for (Value *pointer : reverse(pointers_))
      if (auto *instruction = dyn_cast<Instruction>(pointer); instruction && !is_root(*pointer)) {
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
        instruction->eraseFromParent();
      }
  }

  Function &function_;
  ArrayRef<AccessedPointer> roots_;
  const PointerAccessors &accessors_;
  const DataLayout &layout_;
  const std::uint64_t size_;
  SmallSetVector<Value *, 8> pointers_;
  SmallSetVector<Instruction *, 8> users_;
  DenseMap<Value *, Value *> offsets_;
};

} // namespace

Error rewrite_accesses(Function &function, ArrayRef<AccessedPointer> pointers, const PointerAccessors &accessors,
                       ReplaceCall replace_call) {
  return AccessRewriter(function, pointers, accessors).run(replace_call);
}

} // namespace assay::engine
