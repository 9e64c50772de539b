#include "core/engine/analysis/only_read.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Parameters whose memory is only read if that of all of them is, with what can be reached from it.
class Accesses {
public:
  MemoryAccessKind through(const Argument &parameter) {
    parameters_.insert(&parameter);
    for (unsigned next = 0; next < parameters_.size(); ++next)
      if (!is_unwritten_here(*parameters_[next]))
        return MemoryAccessKind::written;
    return is_clear_ ? MemoryAccessKind::read : MemoryAccessKind::unclear;
  }

private:
  bool is_unwritten_here(const Argument &parameter) {
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

  /// Also the integers that checks of overflows compute from an address.
  static bool is_address_by(const Instruction &user) {
    return isa<GetElementPtrInst, CastInst, FreezeInst, PHINode, SelectInst, BinaryOperator, WithOverflowInst,
               ExtractValueInst>(user);
  }

  bool is_unclear() {
    is_clear_ = false;
    return true;
  }

  bool visit(const Use &use) {
    const auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      return is_unclear();
    if (is_address_by(*user))
      return addresses_.insert(user), true;
    if (user->hasMetadata(LLVMContext::MD_nosanitize)) // a sanitizer's check
      return true;
    if (isa<ICmpInst, SwitchInst, BranchInst, ReturnInst>(user)) // callers follow what is returned
      return true;
    if (isa<LoadInst>(user)) // an address in memory leads to what may be written as well
      return !user->getType()->isPointerTy() || (addresses_.insert(user), true);
    if (const auto *store = dyn_cast<StoreInst>(user))
      return use.getOperandNo() != StoreInst::getPointerOperandIndex() && follow_memory(*store->getPointerOperand());
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(user))
      return false;
    const auto *call = dyn_cast<CallBase>(user);
    return call ? visit_call(*call, use) : is_unclear();
  }

  /// Parameters live in variables without optimisation, and addresses in objects: what is read there is followed.
  bool follow_memory(const Value &place) {
    const auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(&place));
    return variable && follow_loads(*variable, offset_in(*variable, place)) ? true : is_unclear();
  }

  static std::optional<std::int64_t> offset_in(const AllocaInst &variable, const Value &place) {
    return place.getPointerOffsetFrom(&variable, variable.getDataLayout());
  }

  /// A copy may be written as it likes.
  bool follow_copy(const Value &place) {
    if (const auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(&place)))
      follow_loads(*variable, std::nullopt);
    return true;
  }

  /// A use of a variable's address by which others may read what it holds.
  static bool passes_on(const Use &use) {
    const User *user = use.getUser();
    if (isa<StoreInst>(user))
      return use.getOperandNo() != StoreInst::getPointerOperandIndex();
    if (const auto *transfer = dyn_cast<MemTransferInst>(user))
      return transfer->getRawSource() == use.get();
    return !isa<IntrinsicInst, ICmpInst, SwitchInst>(user) &&
           !cast<Instruction>(user)->hasMetadata(LLVMContext::MD_nosanitize);
  }

  /// Notes addresses that are read from a variable, at this offset if it is known; true when it is not passed on.
  bool follow_loads(const AllocaInst &variable, std::optional<std::int64_t> offset) {
    bool is_local = true;
    SetVector<const Value *> places;
    places.insert(&variable);
    for (unsigned next = 0; next < places.size(); ++next)
      for (const Use &use : places[next]->uses()) {
        const User *user = use.getUser();
        if (const auto *load = dyn_cast<LoadInst>(user)) {
          if (load->getType()->isPointerTy() &&
              (!offset || offset_in(variable, *load->getPointerOperand()).value_or(*offset) == *offset))
            addresses_.insert(load);
        } else if (is_address_by(*cast<Instruction>(user))) {
          places.insert(user);
        } else if (passes_on(use)) {
          is_local = false;
        }
      }
    return is_local;
  }

  bool visit_call(const CallBase &call, const Use &use) {
    if (call.isCallee(&use))
      return true;
    if (!call.isArgOperand(&use))
      return is_unclear();
    const unsigned index = call.getArgOperandNo(&use);
    if (const auto *memory = dyn_cast<MemIntrinsic>(&call)) {
      if (memory->getRawDest() == use.get())
        return false;
      const auto *transfer = dyn_cast<MemTransferInst>(memory);
      return !transfer || follow_copy(*transfer->getRawDest());
    }
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
      if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == Intrinsic::fake_use)
        return true;
    if (call.getType()->isPointerTy())
      addresses_.insert(&call);
    if (call.onlyReadsMemory(index) && call.doesNotCapture(index))
      return true;
    const Function *callee = call.getCalledFunction();
    if (!use->getType()->isPointerTy() || !callee || index >= callee->arg_size() || convention_call(*callee))
      return is_unclear();
    parameters_.insert(callee->getArg(index));
    return true;
  }

  SetVector<const Argument *> parameters_;
  SetVector<const Value *> addresses_;
  bool is_clear_ = true;
};

} // namespace

MemoryAccessKind access_through(const Argument &parameter) {
  return parameter.getType()->isPointerTy() ? Accesses().through(parameter) : MemoryAccessKind::unclear;
}

} // namespace assay::engine
