#include "core/engine/prepare/threads_of_callees.hpp"
#include "core/engine/prepare/started_threads.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Functions = SmallPtrSet<Function *, 16>;

/// Functions of the program from which calls by name lead to threads.
Functions functions_with_threads(Module &module) {
  Functions found;
  SmallVector<Function *, 16> pending;
  for (Function &function : module)
    if (is_answered_for_threads(function))
      pending.push_back(&function);
  while (!pending.empty()) {
    const Function &called = *pending.pop_back_val();
    for (const Use &use : called.uses()) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      if (call && call->isCallee(&use) && !call->getFunction()->hasFnAttribute(derivative_attribute) &&
          found.insert(call->getFunction()).second)
        pending.push_back(call->getFunction());
    }
  }
  return found;
}

class Copies {
public:
  explicit Copies(const Functions &with_threads) : with_threads_(with_threads) {}

  void call_in(Function &caller) {
    for (Instruction &instruction : instructions(caller))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *called = call->getCalledFunction(); called && with_threads_.contains(called))
          call->setCalledFunction(copy_of(*called));
  }

private:
  Function *copy_of(Function &called) {
    if (Function *known = copies_.lookup(&called))
      return known;
    ValueToValueMapTy values;
    Function *copy = CloneFunction(&called, values);
    copy->setName("assay.thread." + called.getName());
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setVisibility(GlobalValue::DefaultVisibility);
    copy->setComdat(nullptr);
    copies_[&called] = copy;
    run_threads_where_started(*copy);
    call_in(*copy);
    return copy;
  }

  const Functions &with_threads_;
  DenseMap<const Function *, Function *> copies_;
};

} // namespace

void run_threads_of_callees(Module &module) {
  if (has_waiting_threads(module))
    return;
  const Functions with_threads = functions_with_threads(module);
  if (with_threads.empty())
    return;
  Copies copies(with_threads);
  for (Function &function : make_early_inc_range(module))
    if (function.hasFnAttribute(derivative_attribute))
      copies.call_in(function);
}

} // namespace assay::engine
