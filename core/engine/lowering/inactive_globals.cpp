// Follows each global's address through casts, offsets and the intrinsic for thread-local variables to loads and
// stores.

#include "core/engine/lowering/inactive_globals.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// `__enzyme_ignore_derivatives` for one type. It reads nothing, so the optimiser moves and merges it like arithmetic.
FunctionCallee identity_without_derivative(Module &module, Type *type) {
  std::string name = "__enzyme_ignore_derivatives.assay.";
  raw_string_ostream(name) << *type;
  FunctionCallee callee = module.getOrInsertFunction(name, type, type);
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::Speculatable);
  return callee;
}

void end_derivative_of(LoadInst &load) {
  IRBuilder<> builder(load.getNextNode());
  CallInst *ended = builder.CreateCall(identity_without_derivative(*load.getModule(), load.getType()), {&load});
  load.replaceUsesWithIf(ended, [&](const Use &use) { return use.getUser() != ended; });
}

void end_derivative_of_value(StoreInst &store) {
  Value *value = store.getValueOperand();
  IRBuilder<> builder(&store);
  store.setOperand(0, builder.CreateCall(identity_without_derivative(*store.getModule(), value->getType()), {value}));
}

bool carries_numbers(const Type &type) {
  return type.isFPOrFPVectorTy();
}

void collect_accesses(Value &address, SmallVectorImpl<Instruction *> &accesses) {
  for (User *user : address.users()) {
    if (auto *load = dyn_cast<LoadInst>(user); load && carries_numbers(*load->getType()))
      accesses.push_back(load);
    auto *store = dyn_cast<StoreInst>(user);
    if (store && store->getPointerOperand() == &address && !isa<Constant>(store->getValueOperand()) &&
        carries_numbers(*store->getValueOperand()->getType()))
      accesses.push_back(store);
    auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    const bool is_thread_address = intrinsic && intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address;
    if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(user) || is_thread_address)
      collect_accesses(*user, accesses);
  }
}

} // namespace

bool protect_inactive_globals(Module &module, const FunctionInfo &function_info) {
  SmallVector<Instruction *, 16> accesses;
  for (GlobalVariable &global : module.globals())
    if (function_info.is_inactive_global(global))
      collect_accesses(global, accesses);
  for (Instruction *access : accesses) {
    if (auto *load = dyn_cast<LoadInst>(access))
      end_derivative_of(*load);
    else
      end_derivative_of_value(cast<StoreInst>(*access));
  }
  return !accesses.empty();
}

} // namespace assay::engine
