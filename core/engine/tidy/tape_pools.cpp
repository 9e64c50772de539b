#include "core/engine/tidy/tape_pools.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/memory_stack_calls.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral stand_ins[] = {pool_take_name, pool_grow_name, pool_leave_name, pool_enter_name,
                                       pool_exit_name};

bool is_sanitized(const Function &function) {
  return any_of(ArrayRef{Attribute::SanitizeAddress, Attribute::SanitizeHWAddress, Attribute::SanitizeMemory,
                         Attribute::SanitizeThread},
                [&](Attribute::AttrKind kind) { return function.hasFnAttribute(kind); });
}

/// A call through a pointer may.
bool may_take(const Function &function) {
  SmallPtrSet<const Function *, 16> seen{&function};
  SmallVector<const Function *, 16> pending{&function};
  while (!pending.empty())
    for (const Instruction &instruction : instructions(*pending.pop_back_val())) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      const Function *callee = call->getCalledFunction();
      if (!callee || callee->getName() == pool_take_name)
        return true;
      if (seen.insert(callee).second)
        pending.push_back(callee);
    }
  return false;
}

SmallVector<CallInst *, 4> calls_of(Module &module, StringRef name) {
  SmallVector<CallInst *, 4> calls;
  if (Function *function = module.getFunction(name))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user))
        calls.push_back(call);
  return calls;
}

void drop_unneeded_scopes(Module &module) {
  for (CallInst *enter : calls_of(module, pool_enter_name))
    if (!may_take(*enter->getFunction()))
      drop_pool_scope(*enter);
}

std::string name_in_library(StringRef stand_in) {
  return (stand_in + ".in.thread").str();
}

void replace(Module &module) {
  SmallVector<std::string, 5> names;
  for (const StringRef name : stand_ins)
    if (const Function *stand_in = module.getFunction(name); stand_in && !stand_in->use_empty())
      names.push_back(name_in_library(name));
  add_library_helpers(module, names);
  for (const StringRef name : stand_ins) {
    Function *stand_in = module.getFunction(name);
    if (!stand_in)
      continue;
    if (Function *helper = module.getFunction(name_in_library(name))) {
      for (const Attribute attribute : stand_in->getAttributes().getRetAttrs())
        helper->addRetAttr(attribute);
      stand_in->replaceAllUsesWith(helper);
    }
    stand_in->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses TapePoolsPass::run(Module &module, ModuleAnalysisManager &) {
  if (!module.getFunction(pool_take_name) || any_of(module, is_sanitized))
    return PreservedAnalyses::all();
  drop_unneeded_scopes(module);
  replace(module);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
