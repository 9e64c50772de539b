// In front of each load, store, atomic operation and memory intrinsic stands a call of the runtime that announces it.
//
// Left out is what no other thread can touch: variables of the function whose address the access is computed from,
// local and constant memory, and arguments of kernels that are passed by value. Where a pointer may point to either,
// the runtime tells by the address. Shared arrays and variables get surroundings, so that what is behind them is not
// another variable.

#include "core/engine/support/adjoint_sums.hpp"
#include "gpu/emulate/first_guess.hpp"
#include "gpu/emulate/steps.hpp"

#include "gpu/runtime/interface.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::gpu {

namespace {

constexpr unsigned global_space = 1, shared_space = 3, constant_space = 4, local_space = 5;

// ---- What is logged ----

bool is_of_own_memory(const Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space == local_space || space == constant_space)
    return true;
  const Value *object = getUnderlyingObject(&pointer, 0);
  if (isa<AllocaInst>(object))
    return true;
  if (const auto *argument = dyn_cast<Argument>(object))
    return argument->hasByValAttr();
  const auto *variable = dyn_cast<GlobalVariable>(object);
  return variable && (variable->isConstant() || variable->getAddressSpace() == constant_space);
}

/// Code of one of CUDA's functions for a block, such as atomicAdd_block: clang gives it the scope of the device.
bool is_of_block_by_name(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc();
  const DISubprogram *function = location ? location->getScope()->getSubprogram() : nullptr;
  return function && function->getName().starts_with("atomic") && function->getName().ends_with("_block");
}

std::uint32_t scope_bits(const Instruction &instruction, SyncScope::ID scope) {
  SmallVector<StringRef, 8> names;
  instruction.getContext().getSyncScopeNames(names);
  const StringRef name = scope < names.size() ? names[scope] : "";
  const bool is_of_block = name == "block" || name == "workgroup" || name == "cta" || is_of_block_by_name(instruction);
  return access_atomic | (is_of_block ? access_of_block : 0);
}

/// The same bits in another form or at another place of the code.
bool passes_on(const User &user) {
  return isa<CastInst, FreezeInst, PHINode, ExtractElementInst, InsertElementInst, ExtractValueInst, InsertValueInst,
             ShuffleVectorInst>(user) &&
         !isa<FPTruncInst, FPExtInst, FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst>(user);
}

/// A value that is only put elsewhere, as what a derivative restores later.
bool only_moves(const LoadInst &load) {
  SmallPtrSet<const Value *, 8> seen{&load};
  SmallVector<const Value *, 8> pending{&load};
  bool is_stored = false;
  while (!pending.empty()) {
    const Value *value = pending.pop_back_val();
    for (const User *user : value->users()) {
      if (const auto *store = dyn_cast<StoreInst>(user); store && store->getValueOperand() == value) {
        is_stored = true;
      } else if (!passes_on(*user)) {
        return false;
      } else if (seen.insert(user).second) {
        pending.push_back(user);
      }
    }
  }
  return is_stored;
}

/// Elements behind the last that is used: vectors of three are read as vectors of four.
std::uint64_t used_bytes(const LoadInst &load, const DataLayout &layout) {
  const std::uint64_t all = layout.getTypeStoreSize(load.getType());
  const auto *vector = dyn_cast<FixedVectorType>(load.getType());
  if (!vector || load.use_empty())
    return all;
  int last = -1;
  for (const User *user : load.users()) {
    if (const auto *element = dyn_cast<ExtractElementInst>(user)) {
      const auto *index = dyn_cast<ConstantInt>(element->getIndexOperand());
      if (!index)
        return all;
      last = std::max(last, static_cast<int>(index->getZExtValue()));
      continue;
    }
    const auto *shuffle = dyn_cast<ShuffleVectorInst>(user);
    if (!shuffle || shuffle->getOperand(0) != &load || shuffle->getOperand(1) == &load)
      return all;
    for (const int index : shuffle->getShuffleMask())
      if (index < static_cast<int>(vector->getNumElements()))
        last = std::max(last, index);
  }
  return last < 0 ? all : layout.getTypeStoreSize(vector->getElementType()) * static_cast<unsigned>(last + 1);
}

class Logger {
public:
  explicit Logger(Function &function)
      : module_(*function.getParent()), function_(function), first_guesses_(first_guesses(function)) {}

  void run() {
    SmallVector<Instruction *, 64> all;
    for (Instruction &instruction : instructions(function_))
      all.push_back(&instruction);
    for (Instruction *instruction : all)
      log(*instruction);
  }

private:
  void log(Instruction &instruction) {
    const DataLayout &layout = module_.getDataLayout();
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      const bool is_moved = only_moves(*load);
      std::uint32_t bits = access_read | (is_moved ? access_copy : 0) | volatile_bit(load->isVolatile());
      if (load->hasMetadata(engine::put_back_later) || (is_moved && load->hasMetadata(engine::piece_of_copy)))
        bits |= access_put_back;
      if (load->isAtomic())
        bits |= scope_bits(*load, load->getSyncScopeID());
      else if (first_guesses_.contains(load))
        bits |= access_atomic;
      announce(*load, *load->getPointerOperand(), used_bytes(*load, layout), bits, nullptr);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      std::uint32_t bits = access_write | volatile_bit(store->isVolatile());
      if (store->isAtomic())
        bits |= scope_bits(*store, store->getSyncScopeID());
      Value *value = store->getValueOperand();
      announce(*store, *store->getPointerOperand(), layout.getTypeStoreSize(value->getType()), bits, value);
    } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      announce(*update, *update->getPointerOperand(), layout.getTypeStoreSize(update->getValOperand()->getType()),
               access_read | access_write | scope_bits(*update, update->getSyncScopeID()), nullptr);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      announce(*exchange, *exchange->getPointerOperand(),
               layout.getTypeStoreSize(exchange->getCompareOperand()->getType()),
               access_read | access_write | scope_bits(*exchange, exchange->getSyncScopeID()), nullptr);
    } else if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
      log_fence(*fence, (scope_bits(*fence, fence->getSyncScopeID()) & access_of_block) != 0);
    } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
      log_call(*call);
    }
  }

  static std::uint32_t volatile_bit(bool is_volatile) { return is_volatile ? access_volatile : 0; }

  void log_call(CallInst &call) {
    if (auto *transfer = dyn_cast<MemTransferInst>(&call)) {
      announce(call, *transfer->getRawSource(), transfer->getLength(), access_read | access_copy, nullptr);
      announce(call, *transfer->getRawDest(), transfer->getLength(), access_write, transfer->getRawSource());
      return;
    }
    if (auto *set = dyn_cast<MemSetInst>(&call)) {
      announce(call, *set->getRawDest(), set->getLength(), access_write, nullptr);
      return;
    }
    const Function *callee = call.getCalledFunction();
    if (!callee)
      return;
    const StringRef name = callee->getName();
    if (name.starts_with("llvm.nvvm.membar.") || name.starts_with("llvm.nvvm.fence."))
      log_fence(call, name.contains(".cta"));
    if (callee->isDeclaration() && (name == "malloc" || name == "free")) {
      IRBuilder<> builder(&call);
      builder.CreateCall(module_.getOrInsertFunction("assay_gpu_at", builder.getVoidTy(), builder.getPtrTy()),
                         {site_of(call)});
    }
  }

  void log_fence(Instruction &instruction, bool is_of_block) {
    IRBuilder<> builder(&instruction);
    builder.CreateCall(module_.getOrInsertFunction("assay_gpu_fence", builder.getVoidTy(), builder.getInt32Ty()),
                       {builder.getInt32(is_of_block ? 1 : 0)});
  }

  void announce(Instruction &instruction, Value &pointer, std::uint64_t bytes, std::uint32_t bits, Value *value) {
    announce(instruction, pointer, ConstantInt::get(Type::getInt64Ty(module_.getContext()), bytes), bits,
             value && !is_of_own_memory(pointer) ? spilled(instruction, *value) : nullptr);
  }

  /// `content` is the address of what is written, where that is known.
  void announce(Instruction &instruction, Value &pointer, Value *bytes, std::uint32_t bits, Value *content) {
    if (is_of_own_memory(pointer))
      return;
    IRBuilder<> builder(&instruction);
    auto *generic = builder.getPtrTy();
    const auto as_generic = [&](Value *value) -> Value * {
      return value ? builder.CreatePointerBitCastOrAddrSpaceCast(value, generic) : ConstantPointerNull::get(generic);
    };
    builder.CreateCall(module_.getOrInsertFunction("assay_gpu_access", builder.getVoidTy(), generic, generic,
                                                   builder.getInt64Ty(), builder.getInt32Ty(), generic, generic),
                       {site_of(instruction), as_generic(&pointer),
                        builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty()), builder.getInt32(bits),
                        as_generic(base_of(pointer)), as_generic(content)});
  }

  /// What the address is computed from, if that is sure to point into the same object.
  static Value *base_of(Value &pointer) {
    Value *object = getUnderlyingObject(&pointer, 0);
    return isa<GlobalVariable, Argument, LoadInst>(object) && object != &pointer ? object : nullptr;
  }

  Value *spilled(Instruction &instruction, Value &value) {
    AllocaInst *&place = places_[value.getType()];
    if (!place)
      place = IRBuilder<>(&*function_.getEntryBlock().begin()).CreateAlloca(value.getType());
    IRBuilder<>(&instruction).CreateStore(&value, place);
    return place;
  }

  Module &module_;
  Function &function_;
  const Loads first_guesses_; ///< Stronger than they look.
  DenseMap<Type *, AllocaInst *> places_;
};

// ---- Surroundings ----

void surround(Module &module, GlobalVariable &variable) {
  const std::uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
  auto *margin = ArrayType::get(Type::getInt8Ty(module.getContext()), surroundings_bytes);
  auto *type = StructType::get(variable.getValueType(), margin);
  auto *content = ConstantStruct::get(type, {variable.getInitializer(), Constant::getNullValue(margin)});
  auto *made = new GlobalVariable(module, type, false, variable.getLinkage(), content, "", &variable,
                                  GlobalValue::NotThreadLocal, variable.getAddressSpace());
  made->copyAttributesFrom(&variable);
  made->takeName(&variable);
  made->addAttribute("assay-bytes", std::to_string(bytes));
  variable.replaceAllUsesWith(made);
  variable.eraseFromParent();
}

} // namespace

void log_accesses(Module &module, const RetargetOptions &options) {
  SmallPtrSet<const Function *, 4> of_host;
  for (const HostEntry &entry : options.entries)
    if (const Function *clear = clearing_function(module, entry))
      of_host.insert(clear);
  for (GlobalVariable &variable : make_early_inc_range(module.globals()))
    if ((variable.getAddressSpace() == shared_space || variable.getAddressSpace() == global_space) &&
        !variable.isDeclaration() && !variable.isConstant() && !variable.getName().starts_with("llvm."))
      surround(module, variable);
  for (Function &function : module)
    if (!function.isDeclaration() && !of_host.contains(&function))
      Logger(function).run();
}

} // namespace assay::gpu
