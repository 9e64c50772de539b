#include "core/engine/lowering/shared_shadows.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/shadow_name.hpp"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr int dynamic_alignment = 16;

bool is_dynamic_shadow(const GlobalVariable &global) {
  return global.isDeclaration() && is_shared_memory(global) && shadow_name(global);
}

/// The bytes of dynamic shared memory that the array, and each of its shadows, has. Its body is written in the end.
Function *share_function(Module &module) {
  if (Function *existing = module.getFunction(dynamic_share_function))
    return existing;
  auto *type = FunctionType::get(Type::getInt32Ty(module.getContext()), false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, dynamic_share_function, module);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return function;
}

Value *product(IRBuilder<> &builder, Intrinsic::ID first, Value *second) {
  return builder.CreateMul(builder.CreateIntrinsic(first, {}), second);
}

/// x + width * (y + height * z)
Value *linear(IRBuilder<> &builder, Intrinsic::ID x, Intrinsic::ID width, Intrinsic::ID y, Intrinsic::ID height,
              Intrinsic::ID z) {
  Value *slice = product(builder, height, builder.CreateIntrinsic(z, {}));
  Value *row = builder.CreateAdd(builder.CreateIntrinsic(y, {}), slice);
  return builder.CreateAdd(builder.CreateIntrinsic(x, {}), product(builder, width, row));
}

void write_clearing(Function &function, GlobalVariable &shadow) {
  LLVMContext &context = function.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "", &function));
  ReturnInst *end = builder.CreateRetVoid();
  builder.SetInsertPoint(end);
  const std::uint64_t bytes = function.getDataLayout().getTypeAllocSize(shadow.getValueType());
  const bool in_words = bytes % 4 == 0;
  Type *unit = in_words ? builder.getInt32Ty() : builder.getInt8Ty();
  Value *size = is_dynamic_shadow(shadow) ? builder.CreateCall(share_function(*function.getParent()))
                                          : static_cast<Value *>(builder.getInt32(bytes));
  Value *count = in_words ? builder.CreateLShr(size, 2) : size;
  Value *thread = linear(builder, Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                         Intrinsic::nvvm_read_ptx_sreg_tid_y, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                         Intrinsic::nvvm_read_ptx_sreg_tid_z);
  Value *threads = builder.CreateMul(product(builder, Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                                             builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_y, {})),
                                     builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_z, {}));
  // for (index = thread; index < count; index += threads)
  BasicBlock *before = end->getParent();
  BasicBlock *done = SplitBlock(before, end);
  auto *loop = BasicBlock::Create(context, "clear", &function, done);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.CreateCondBr(builder.CreateICmpULT(thread, count), loop, done);
  builder.SetInsertPoint(loop);
  PHINode *index = builder.CreatePHI(builder.getInt32Ty(), 2);
  builder.CreateStore(Constant::getNullValue(unit),
                      builder.CreateInBoundsGEP(unit, &shadow, builder.CreateZExt(index, builder.getInt64Ty())));
  Value *next = builder.CreateAdd(index, threads);
  index->addIncoming(thread, before);
  index->addIncoming(next, loop);
  builder.CreateCondBr(builder.CreateICmpULT(next, count), loop, done);
}

Function &shared_clearing_of(GlobalVariable &shadow) {
  Module &module = *shadow.getParent();
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  return *own_function(module, "assay.clear." + shadow.getName().str(), type,
                       [&](Function &function) { write_clearing(function, shadow); });
}

unsigned lane_of(const GlobalVariable &shadow) {
  unsigned lane = 0;
  return shadow_name(shadow)->suffix.rsplit('.').second.getAsInteger(10, lane) ? 0 : lane;
}

void write_share(Function &share, unsigned shadows) {
  share.setLinkage(GlobalValue::InternalLinkage);
  share.addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(share.getContext(), "", &share));
  Value *size = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size, {});
  Value *part = builder.CreateUDiv(size, builder.getInt32(1 + shadows));
  builder.CreateRet(builder.CreateAnd(part, builder.getInt32(-dynamic_alignment)));
}

/// Launches of derivatives by the host ask it how many parts there are (assay/detail/gpu/required_calls.hpp).
void tell_host(Module &module, unsigned shadows) {
  for (GlobalVariable &global : module.globals())
    if (global.getName().contains("__assay_dynamic_parts") && global.hasInitializer() &&
        global.getValueType()->isIntegerTy(32))
      global.setInitializer(ConstantInt::get(global.getValueType(), 1 + shadows));
}

void place(GlobalVariable &shadow) {
  Module &module = *shadow.getParent();
  GlobalVariable *array = module.getGlobalVariable(shadow_name(shadow)->primal, true);
  convertUsersOfConstantsToInstructions({&shadow});
  DenseMap<Function *, Value *> places;
  for (Use &use : make_early_inc_range(shadow.uses())) {
    Function &user = *cast<Instruction>(use.getUser())->getFunction();
    Value *&there = places[&user];
    if (!there) {
      BasicBlock &entry = user.getEntryBlock();
      IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
      Value *bytes =
          builder.CreateMul(builder.CreateCall(share_function(module)), builder.getInt32(lane_of(shadow) + 1));
      there = builder.CreateInBoundsGEP(builder.getInt8Ty(), array, builder.CreateZExt(bytes, builder.getInt64Ty()));
    }
    use.set(there);
  }
  shadow.eraseFromParent();
}

} // namespace

void clear_shared(IRBuilderBase &builder, ArrayRef<GlobalVariable *> shadows) {
  if (shadows.empty())
    return;
  const auto wait = [&] {
    builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)});
  };
  wait(); // for a derivative before this one
  for (GlobalVariable *shadow : shadows)
    builder.CreateCall(&shared_clearing_of(*shadow));
  wait();
}

void place_dynamic_shadows(Module &module) {
  SmallVector<GlobalVariable *, 4> dynamic;
  for (GlobalVariable &global : module.globals())
    if (is_dynamic_shadow(global))
      dynamic.push_back(&global);
  if (dynamic.empty())
    return;
  unsigned lanes = 0;
  for (const GlobalVariable *shadow : dynamic)
    lanes = std::max(lanes, lane_of(*shadow) + 1);
  for (GlobalVariable *shadow : dynamic)
    place(*shadow);
  write_share(*share_function(module), lanes);
  tell_host(module, lanes);
}

} // namespace assay::engine
