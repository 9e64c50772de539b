// Lengths are what loops compare with, and what is copied or allocated; strides and leading dimensions are what an
// index is multiplied with.

#include "core/jit/mutate/planted_sites.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::jit {

namespace {

/// Of what memory is copied and allocated in.
constexpr int element_bytes = 8;

/// `operand` of `user` and `change` of it.
void put_sum(Instruction &user, unsigned operand, int change) {
  IRBuilder<> builder(&user);
  Value *length = user.getOperand(operand);
  user.setOperand(operand, builder.CreateAdd(length, ConstantInt::getSigned(length->getType(), change)));
}

void round_down(Instruction &user, unsigned operand, int multiple) {
  IRBuilder<> builder(&user);
  Value *length = user.getOperand(operand);
  user.setOperand(operand, builder.CreateAnd(length, ConstantInt::getSigned(length->getType(), -multiple)));
}

/// An integer argument, as it is or in another width.
Argument *integer_argument(Value *value) {
  while (auto *cast = dyn_cast<CastInst>(value)) {
    if (!isa<SExtInst, ZExtInst, TruncInst>(cast))
      return nullptr;
    value = cast->getOperand(0);
  }
  auto *argument = dyn_cast<Argument>(value);
  return argument && argument->getType()->isIntegerTy() ? argument : nullptr;
}

class LayoutFinder {
public:
  LayoutFinder(Function &function, Sites &sites)
      : function_(function), dominators_(function), loops_(dominators_), sites_(sites) {}

  void run() {
    for (Instruction &instruction : instructions(function_))
      if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
        visit_comparison(*comparison);
      else if (instruction.getOpcode() == Instruction::Mul)
        visit_product(instruction);
      else if (auto *copy = dyn_cast<MemIntrinsic>(&instruction))
        visit_length(*copy, 2);
      else if (auto *call = dyn_cast<CallInst>(&instruction))
        visit_call(*call);
      else if (auto *load = dyn_cast<LoadInst>(&instruction))
        visit_load(*load);
  }

private:
  void add(FaultClass kind, Instruction &place, std::string text, std::function<void()> change) {
    sites_.push_back({kind, &place, 0, nullptr, std::move(change), std::move(text)});
  }

  /// Where a loop ends: what it compares its counter with.
  void visit_comparison(ICmpInst &comparison) {
    const Loop *loop = loops_.getLoopFor(comparison.getParent());
    if (!loop || !comparison.getOperand(0)->getType()->isIntegerTy() || !decides_exit(comparison, *loop))
      return;
    for (const unsigned operand : {0U, 1U}) {
      Value *length = comparison.getOperand(operand);
      if (!loop->isLoopInvariant(length) || loop->isLoopInvariant(comparison.getOperand(1 - operand)))
        continue;
      // Below zero it would never end.
      if (!match(length, PatternMatch::m_Zero()))
        add(FaultClass::length, comparison, "with a loop that is one shorter",
            [&comparison, operand] { put_sum(comparison, operand, -1); });
      add(FaultClass::length, comparison, "with a loop that is one longer",
          [&comparison, operand] { put_sum(comparison, operand, 1); });
      for (const int multiple : {2, 4})
        if (!isa<Constant>(length))
          add(FaultClass::tail, comparison, "with a length rounded down to a multiple of " + std::to_string(multiple),
              [&comparison, operand, multiple] { round_down(comparison, operand, multiple); });
    }
  }

  static bool decides_exit(const ICmpInst &comparison, const Loop &loop) {
    return any_of(comparison.users(), [&](const User *user) {
      const auto *branch = dyn_cast<BranchInst>(user);
      return branch && branch->isConditional() && loop.isLoopExiting(branch->getParent());
    });
  }

  /// Copied, cleared or allocated bytes.
  void visit_length(Instruction &place, unsigned operand) {
    add(FaultClass::length, place, "with a number less",
        [&place, operand] { put_sum(place, operand, -element_bytes); });
  }

  void visit_call(CallInst &call) {
    const Function *callee = call.getCalledFunction();
    if (callee && callee->getName() == "malloc" && call.arg_size() == 1)
      visit_length(call, 0);
  }

  void visit_product(Instruction &product) {
    for (const unsigned operand : {0U, 1U}) {
      Argument *factor = integer_argument(product.getOperand(operand));
      if (!factor || isa<Constant>(product.getOperand(1 - operand)))
        continue;
      add(FaultClass::unit_stride, product, "with 1 for " + factor->getName().str(), [&product, operand] {
        product.setOperand(operand, ConstantInt::get(product.getType(), 1));
        product.dropPoisonGeneratingFlags();
      });
      for (Argument &other : function_.args())
        if (&other != factor && other.getType() == factor->getType())
          add(FaultClass::leading_dimension, product,
              "with " + other.getName().str() + " for " + factor->getName().str(),
              [&product, operand, argument = &other] {
                IRBuilder<> builder(&product);
                product.setOperand(operand, builder.CreateSExtOrTrunc(argument, product.getType()));
                product.dropPoisonGeneratingFlags();
              });
    }
  }

  /// What is read of the caller's memory, and used after something was written to it.
  void visit_load(LoadInst &load) {
    if (!load.getType()->isFloatingPointTy() || isa<AllocaInst>(getUnderlyingObject(load.getPointerOperand())))
      return;
    for (Instruction *next = load.getNextNode(); next; next = next->getNextNode()) {
      auto *store = dyn_cast<StoreInst>(next);
      if (!store || !store->getValueOperand()->getType()->isFloatingPointTy() ||
          isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
        continue;
      if (const SmallVector<Use *, 4> later = uses_behind(load, *store); !later.empty())
        add(FaultClass::read_late, load, "read again behind a store", [&load, store, later] {
          Instruction *again = load.clone();
          again->setMetadata(LLVMContext::MD_noalias, nullptr);
          again->setMetadata(LLVMContext::MD_alias_scope, nullptr);
          again->setMetadata(LLVMContext::MD_tbaa, nullptr);
          again->insertAfter(store->getIterator());
          for (Use *use : later)
            use->set(again);
        });
      return;
    }
  }

  static SmallVector<Use *, 4> uses_behind(LoadInst &load, const Instruction &store) {
    SmallVector<Use *, 4> later;
    for (Use &use : load.uses()) {
      const auto *user = dyn_cast<Instruction>(use.getUser());
      if (user && !isa<PHINode>(user) && user->getParent() == store.getParent() && store.comesBefore(user))
        later.push_back(&use);
    }
    return later;
  }

  Function &function_;
  DominatorTree dominators_;
  LoopInfo loops_;
  Sites &sites_;
};

} // namespace

void find_layout_faults(Function &function, Sites &sites) {
  LayoutFinder(function, sites).run();
}

} // namespace assay::jit
