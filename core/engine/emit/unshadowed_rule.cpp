#include "core/engine/emit/unshadowed_rule.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace assay::engine {
namespace {

std::string name_of(const Function &rule, const SmallBitVector &shadows) {
  std::string name = (rule.getName() + ".unshadowed").str();
  for (const unsigned index : shadows.set_bits())
    name += "." + std::to_string(index);
  return name;
}

/// Without optimisation, parameters live in variables.
void promote_variables(Function &function) {
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && isAllocaPromotable(variable))
      variables.push_back(variable);
  DominatorTree tree(function);
  PromoteMemToReg(variables, tree);
}

/// Rewrites one copy.
class Unshadowing {
public:
  Unshadowing(Function &copy, const SmallBitVector &shadows) : copy_(copy) {
    for (const unsigned index : shadows.set_bits())
      addresses_.insert(copy.getArg(index));
  }

  bool is_possible() {
    for (unsigned next = 0; next < addresses_.size(); ++next)
      for (const Use &use : addresses_[next]->uses())
        if (!visit(use))
          return false;
    return all_of(addresses_, [&](const Value *address) { return !is_mixed(*address); });
  }

  void rewrite() {
    for (auto [call, callee] : calls_)
      call->setCalledFunction(callee);
    if (!only_integers_are_read())
      for (Instruction *access : accesses_)
        remove(*access);
    for (Argument &argument : copy_.args())
      if (addresses_.contains(&argument))
        argument.replaceAllUsesWith(only_integers_are_read()
                                        ? static_cast<Value *>(copy_.getArg(argument.getArgNo() - 1))
                                        : Constant::getNullValue(argument.getType()));
  }

private:
  /// False: the address gets somewhere where it cannot be followed.
  bool visit(const Use &use) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      return false;
    if (isa<GetElementPtrInst, CastInst, FreezeInst, PHINode, SelectInst>(user) && user->getType()->isPointerTy())
      return addresses_.insert(user), true;
    if (isa<ICmpInst>(user))
      return true;
    if (isa<LoadInst>(user) || is_place_of(use))
      return accesses_.insert(user), true;
    if (auto *call = dyn_cast<CallBase>(user))
      return visit_call(*call, use);
    return false;
  }

  /// Of an instruction that writes: whether it writes there.
  static bool is_place_of(const Use &use) {
    const unsigned operand = use.getOperandNo();
    if (isa<StoreInst>(use.getUser()))
      return operand == StoreInst::getPointerOperandIndex();
    return isa<AtomicRMWInst>(use.getUser()) && operand == AtomicRMWInst::getPointerOperandIndex();
  }

  bool visit_call(CallBase &call, const Use &use) {
    if (isa<MemIntrinsic>(call) || (isa<IntrinsicInst>(call) && cast<IntrinsicInst>(call).isAssumeLikeIntrinsic()))
      return accesses_.insert(&call), true;
    Function *callee = call.getCalledFunction();
    if (!callee || !call.isArgOperand(&use) || callee->isVarArg() || callee->arg_size() != call.arg_size())
      return false;
    SmallBitVector passed(call.arg_size());
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (addresses_.contains(call.getArgOperand(index)))
        passed.set(index);
    Function *unshadowed = without_shadows(*callee, passed);
    calls_[&call] = unshadowed;
    return unshadowed != nullptr;
  }

  /// An address that is such a shadow on some ways only.
  bool is_mixed(const Value &address) const {
    const auto is_foreign = [&](const Value *value) {
      return value->getType()->isPointerTy() && !addresses_.contains(const_cast<Value *>(value)) &&
             !isa<ConstantPointerNull, UndefValue>(value);
    };
    if (const auto *phi = dyn_cast<PHINode>(&address))
      return any_of(phi->incoming_values(), is_foreign);
    const auto *select = dyn_cast<SelectInst>(&address);
    return select && (is_foreign(select->getTrueValue()) || is_foreign(select->getFalseValue()));
  }

  /// Indices, say, whose shadow is what they are.
  bool only_integers_are_read() const {
    return calls_.empty() && any_of(accesses_, [](const Instruction *access) { return isa<LoadInst>(access); }) &&
           all_of(accesses_, [](const Instruction *access) {
             return isa<LoadInst>(access) && !access->getType()->isFPOrFPVectorTy();
           });
  }

  void remove(Instruction &access) {
    if (auto *transfer = dyn_cast<MemTransferInst>(&access); transfer && !addresses_.contains(transfer->getRawDest())) {
      IRBuilder<> builder(transfer);
      builder.CreateMemSet(transfer->getRawDest(), builder.getInt8(0), transfer->getLength(), transfer->getDestAlign());
    }
    if (!access.getType()->isVoidTy())
      access.replaceAllUsesWith(Constant::getNullValue(access.getType()));
    access.eraseFromParent();
  }

  Function &copy_;
  SetVector<Value *> addresses_; ///< The shadows, and all that points into them.
  SetVector<Instruction *> accesses_;
  MapVector<CallBase *, Function *> calls_;
};

} // namespace

Function *without_shadows(Function &rule, const SmallBitVector &shadows) {
  if (rule.isDeclaration())
    return nullptr;
  const std::string name = name_of(rule, shadows);
  if (Function *existing = rule.getParent()->getFunction(name)) // done, or being done: recursion
    return existing;
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&rule, map);
  copy->setName(name);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setComdat(nullptr);
  promote_variables(*copy);
  for (const unsigned index : shadows.set_bits())
    for (const Attribute::AttrKind promise : {Attribute::NonNull, Attribute::Dereferenceable, Attribute::NoUndef})
      copy->removeParamAttr(index, promise);
  Unshadowing unshadowing(*copy, shadows);
  if (unshadowing.is_possible()) {
    unshadowing.rewrite();
    return copy;
  }
  if (copy->use_empty())
    copy->eraseFromParent();
  else
    copy->setName(name + ".impossible");
  return nullptr;
}

} // namespace assay::engine
