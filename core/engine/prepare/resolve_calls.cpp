#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/request/convention_names.hpp"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned most_candidates = 24; // beyond that a call is a dispatcher, and comparing costs more than it gives

bool is_virtual_table(const GlobalVariable &global) {
  return global.getName().starts_with("_ZTV") && global.hasInitializer() &&
         isa<ConstantStruct>(global.getInitializer());
}

/// True when `user` keeps the function's address where a call may find it: not a direct call, not a call or a table of
/// the convention, not a virtual table (those are searched by slot).
bool takes_address(const Use &use, unsigned depth) {
  const User *user = use.getUser();
  if (auto *call = dyn_cast<CallBase>(user)) {
    const Function *callee = call->getCalledFunction();
    return !call->isCallee(&use) && !(callee && convention_call(*callee));
  }
  if (auto *global = dyn_cast<GlobalVariable>(user))
    return !registration_table(*global) && !is_virtual_table(*global) && !global->getName().starts_with("llvm.");
  if (!isa<Constant>(user) || depth == 0)
    return true;
  return any_of(user->uses(), [&](const Use &outer) { return takes_address(outer, depth - 1); });
}

bool has_address_taken(const Function &function) {
  return any_of(function.uses(), [](const Use &use) { return takes_address(use, 4); });
}

/// The byte offset in the virtual table that `callee` was loaded from, if it was.
std::optional<std::int64_t> virtual_slot(Value *callee, const DataLayout &layout) {
  auto *slot = dyn_cast<LoadInst>(callee);
  if (!slot)
    return std::nullopt;
  APInt offset(64, 0);
  Value *table = slot->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (!isa<LoadInst>(table) || offset.isNegative() || !offset.isAligned(layout.getPointerABIAlignment(0)))
    return std::nullopt;
  return offset.getSExtValue();
}

/// What stands at `offset` behind the address points of the module's virtual tables. An address point follows the
/// offset to the top and the type information.
SetVector<Function *> functions_at_slot(Module &module, std::int64_t offset) {
  SetVector<Function *> found;
  const std::int64_t index = 2 + offset / module.getDataLayout().getPointerSize();
  for (GlobalVariable &global : module.globals()) {
    if (!is_virtual_table(global))
      continue;
    for (const Use &group : global.getInitializer()->operands())
      if (auto *entries = dyn_cast<ConstantArray>(group.get()); entries && index < entries->getNumOperands())
        if (auto *function = dyn_cast<Function>(entries->getOperand(index)->stripPointerCasts()))
          found.insert(function);
  }
  return found;
}

SetVector<Function *> candidates(CallBase &call) {
  Module &module = *call.getModule();
  SetVector<Function *> found;
  if (auto offset = virtual_slot(call.getCalledOperand(), module.getDataLayout()))
    found = functions_at_slot(module, *offset);
  if (found.empty())
    for (Function &function : module)
      if (!function.isIntrinsic() && function.getFunctionType() == call.getFunctionType() &&
          has_address_taken(function))
        found.insert(&function);
  found.remove_if([&](Function *function) {
    return function->getFunctionType() != call.getFunctionType() || !isLegalToPromote(call, function);
  });
  return found;
}

/// Prints what happened and stops the program: a derivative that is silently zero would be worse.
FunctionCallee stopper(Module &module) {
  LLVMContext &context = module.getContext();
  FunctionCallee callee = module.getOrInsertFunction("assay.unknown_callee", Type::getVoidTy(context));
  auto *function = cast<Function>(callee.getCallee());
  if (!function->isDeclaration())
    return callee;
  function->setLinkage(GlobalValue::InternalLinkage);
  function->setDoesNotReturn();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::Cold);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *text = builder.CreateGlobalString(
      "assay: a differentiated call through a pointer reached a function that is not part of its source file", "", 0,
      &module);
  builder.CreateCall(module.getOrInsertFunction("puts", builder.getInt32Ty(), builder.getPtrTy()), {text});
  builder.CreateCall(module.getOrInsertFunction("abort", builder.getVoidTy()));
  builder.CreateUnreachable();
  return callee;
}

void stop_instead_of(CallBase &call) {
  IRBuilder<> builder(&call);
  builder.CreateCall(stopper(*call.getModule()))->setDoesNotReturn();
  changeToUnreachable(&call);
}

} // namespace

bool resolve_indirect_calls(Function &function) {
  SmallVector<CallBase *, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall() && !call->isMustTailCall())
      calls.push_back(call);
  bool resolved = false;
  for (CallBase *call : calls) {
    const SetVector<Function *> functions = candidates(*call);
    if (functions.empty() || functions.size() > most_candidates)
      continue;
    for (Function *candidate : functions)
      promoteCallWithIfThenElse(*call, candidate);
    stop_instead_of(*call);
    resolved = true;
  }
  return resolved;
}

} // namespace assay::engine
