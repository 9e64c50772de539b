#include "core/engine/lowering/kernel_bodies.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral asking_function = "__assay_kernel_body";
/// The attributes of `__launch_bounds__` and of `maxnreg`.
constexpr StringLiteral launch_bounds[] = {"nvvm.maxntid", "nvvm.reqntid", "nvvm.minctasm", "nvvm.maxnreg"};

/// The kernels that lead to `function`, by calls or by passing it on.
SmallSetVector<Function *, 4> kernels_that_reach(Function &function) {
  SmallSetVector<Function *, 4> kernels;
  SmallSetVector<Function *, 8> reached;
  reached.insert(&function);
  for (unsigned index = 0; index < reached.size(); ++index)
    for (const User *user : reached[index]->users())
      if (const auto *instruction = dyn_cast<Instruction>(user)) {
        auto *caller = const_cast<Function *>(instruction->getFunction());
        if (caller->getCallingConv() == CallingConv::PTX_Kernel)
          kernels.insert(caller);
        else
          reached.insert(caller);
      }
  return kernels;
}

void keep_to_launch_bounds(Function &kernel, Function &body) {
  for (Function *derivative : kernels_that_reach(body))
    for (const StringLiteral bound : launch_bounds)
      if (kernel.hasFnAttribute(bound) && !derivative->hasFnAttribute(bound))
        derivative->addFnAttr(kernel.getFnAttribute(bound));
}

/// Replaces the body of `function` by a clone of the kernel's; linkage and name stay.
void take_body(Function &kernel, Function &function) {
  const GlobalValue::LinkageTypes linkage = function.getLinkage();
  Comdat *comdat = function.getComdat();
  function.deleteBody();
  function.setSubprogram(nullptr);
  ValueToValueMapTy map;
  for (auto [of_kernel, own] : zip_equal(kernel.args(), function.args()))
    map[&of_kernel] = &own;
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(&function, &kernel, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  function.setCallingConv(CallingConv::C);
  function.setLinkage(linkage);
  function.setComdat(comdat);
  for (const StringLiteral bound : launch_bounds)
    function.removeFnAttr(bound);
}

void refuse(Function &kernel) {
  kernel.getContext().emitError("ASSAY_LAUNCH(kernel): the kernel '" + source_name(kernel) +
                                "' has no body in this file; name it in the file that defines it");
}

} // namespace

bool take_kernel_bodies(Module &module) {
  Function *asks = module.getFunction(asking_function);
  if (!asks || !asks->isDeclaration())
    return false;
  const SmallVector<User *, 8> calls(asks->users());
  for (User *user : calls) {
    auto *call = dyn_cast<CallInst>(user);
    auto *kernel = call ? dyn_cast<Function>(call->getArgOperand(0)->stripPointerCasts()) : nullptr;
    if (!kernel)
      continue;
    Function &function = *call->getFunction();
    if (kernel->isDeclaration()) {
      refuse(*kernel);
      call->eraseFromParent();
      continue;
    }
    take_body(*kernel, function); // and with it the call
    keep_to_launch_bounds(*kernel, function);
  }
  if (asks->use_empty())
    asks->eraseFromParent();
  return true;
}

} // namespace assay::engine
