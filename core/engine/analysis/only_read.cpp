#include "core/engine/analysis/only_read.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Parameters whose memory is only read if that of all of them is.
class Readers {
public:
  bool only_read(const Argument &parameter) {
    parameters_.insert(&parameter);
    for (unsigned next = 0; next < parameters_.size(); ++next)
      if (!is_read_only_here(*parameters_[next]))
        return false;
    return true;
  }

private:
  bool is_read_only_here(const Argument &parameter) {
    if (parameter.onlyReadsMemory())
      return true;
    if (parameter.getParent()->isDeclaration())
      return false;
    addresses_.clear();
    addresses_.insert(&parameter);
    for (unsigned next = 0; next < addresses_.size(); ++next)
      for (const Use &use : addresses_[next]->uses())
        if (!visit(use))
          return false;
    return true;
  }

  bool visit(const Use &use) {
    const auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      return false;
    if (isa<GetElementPtrInst, CastInst, FreezeInst, PHINode, SelectInst>(user) && user->getType()->isPointerTy())
      return addresses_.insert(user), true;
    if (isa<ICmpInst>(user))
      return true;
    if (const auto *load = dyn_cast<LoadInst>(user)) // An address in memory leads to what may be written as well.
      return !load->getType()->isPointerTy() || (addresses_.insert(load), true);
    if (const auto *store = dyn_cast<StoreInst>(user))
      return use.getOperandNo() != StoreInst::getPointerOperandIndex() && follow_variable(*store);
    const auto *call = dyn_cast<CallBase>(user);
    return call && visit_call(*call, use);
  }

  /// Without optimisation, parameters live in variables.
  bool follow_variable(const StoreInst &store) {
    const auto *variable = dyn_cast<AllocaInst>(store.getPointerOperand());
    if (!variable || !isAllocaPromotable(variable))
      return false;
    for (const User *user : variable->users())
      if (isa<LoadInst>(user))
        addresses_.insert(user);
    return true;
  }

  bool visit_call(const CallBase &call, const Use &use) {
    if (call.isCallee(&use))
      return true;
    if (!call.isArgOperand(&use))
      return false;
    const unsigned index = call.getArgOperandNo(&use);
    if (const auto *transfer = dyn_cast<MemTransferInst>(&call))
      return transfer->getArgOperand(0) != use.get();
    if (isa<IntrinsicInst>(call) && cast<IntrinsicInst>(call).isAssumeLikeIntrinsic())
      return true;
    if (call.onlyReadsMemory(index) && call.doesNotCapture(index))
      return true;
    const Function *callee = call.getCalledFunction();
    if (!callee || index >= callee->arg_size())
      return false;
    parameters_.insert(callee->getArg(index));
    return true;
  }

  SetVector<const Argument *> parameters_;
  SetVector<const Value *> addresses_;
};

} // namespace

bool is_only_read(const Argument &parameter) {
  return parameter.getType()->isPointerTy() && Readers().only_read(parameter);
}

} // namespace assay::engine
