// A factor is a primal number that a derivative is multiplied with; all products of one have the fault together.

#include "core/jit/mutate/numbers.hpp"
#include "core/jit/mutate/planted_sites.hpp"
#include "core/jit/mutate/replace_uses.hpp"
#include "core/jit/mutate/sites.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::jit {

namespace {

constexpr double large = 1e3, small = 1e-3, tiny = 1e-12;

Value *in_single_precision(IRBuilder<> &builder, Value &value) {
  return builder.CreateFPExt(builder.CreateFPTrunc(&value, builder.getFloatTy()), value.getType());
}

constexpr StringRef detaching_prefix = "assay.mutant.detached.";

/// A function that returns its argument, and of which the engine is told that it has no derivative.
Function *detaching_function(Module &module, Type &type) {
  const std::string name = detaching_prefix.str() + std::to_string(type.getPrimitiveSizeInBits().getFixedValue());
  if (Function *known = module.getFunction(name))
    return known;
  auto *function =
      Function::Create(FunctionType::get(&type, {&type}, false), GlobalValue::InternalLinkage, name, module);
  function->addFnAttr("enzyme_inactive");
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::OptimizeNone); // Else the result is known to be the argument.
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::WillReturn);
  IRBuilder<>(BasicBlock::Create(module.getContext(), "", function)).CreateRet(function->getArg(0));
  return function;
}

class FactorFinder {
public:
  FactorFinder(Function &function, const Roles &roles, Sites &sites)
      : function_(function), roles_(roles), sites_(sites), factors_(factors_of(function, roles)) {}

  void run() {
    for (const Factor &factor : factors_)
      visit(factor);
    for (Use *use : constant_factors_of(function_, roles_))
      visit_constant(*use);
    for (Use *result : roles_.results)
      visit_result(*result);
  }

private:
  using Change = std::function<Value *(IRBuilder<> &, Value &)>;

  static Instruction &product_of(const Factor &factor) { return *cast<Instruction>(factor.uses.front()->getUser()); }

  void add(FaultClass kind, const Factor &factor, std::string text, Change change) {
    sites_.push_back({kind, &product_of(factor), 0, nullptr,
                      [factor, change] { replace_in(factor.uses, *factor.value, change); }, std::move(text)});
  }

  void visit(const Factor &factor) {
    if (!place_behind(*factor.value))
      return;
    add(FaultClass::zero_division, factor, "with x x / x for the factor x",
        [](IRBuilder<> &builder, Value &x) { return builder.CreateFDiv(builder.CreateFMul(&x, &x), &x); });
    if (Value *other = other_factor(factor))
      add(FaultClass::equal_division, factor, "with x (x - y) / (x - y) for the factor x",
          [other](IRBuilder<> &builder, Value &x) {
            Value *difference = builder.CreateFSub(&x, other);
            return builder.CreateFDiv(builder.CreateFMul(&x, difference), difference);
          });
    if (factor.value->getType()->isDoubleTy())
      add(FaultClass::single_precision, factor, "with its factor rounded to float", in_single_precision);
    add(FaultClass::magnitude, factor, "with half its factor where that is above 1000",
        [](IRBuilder<> &builder, Value &x) {
          Value *is_large = builder.CreateFCmpOGT(magnitude_of(builder, x), number(x, large));
          return builder.CreateSelect(is_large, builder.CreateFMul(&x, number(x, 0.5)), &x);
        });
    add(FaultClass::magnitude, factor, "with half its factor where that is below 1/1000",
        [](IRBuilder<> &builder, Value &x) {
          Value *is_small = builder.CreateFCmpOLT(magnitude_of(builder, x), number(x, small));
          return builder.CreateSelect(is_small, builder.CreateFMul(&x, number(x, 0.5)), &x);
        });
    add(FaultClass::detached, factor, "with a factor that has no derivative", [](IRBuilder<> &builder, Value &x) {
      return builder.CreateCall(detaching_function(*builder.GetInsertBlock()->getModule(), *x.getType()), {&x});
    });
  }

  /// Another factor that is known where this one is: an argument, or an earlier value of the same block.
  Value *other_factor(const Factor &factor) const {
    const auto is_known = [&](const Value &other) {
      const auto *here = dyn_cast<Instruction>(factor.value), *there = dyn_cast<Instruction>(&other);
      if (isa<Argument>(other))
        return true;
      return here && there && here->getParent() == there->getParent() && there->comesBefore(here);
    };
    for (const Factor &other : factors_)
      if (other.value != factor.value && other.value->getType() == factor.value->getType() && is_known(*other.value))
        return other.value;
    return nullptr;
  }

  void visit_constant(Use &use) {
    const auto *constant = cast<ConstantFP>(use);
    if (!constant->getType()->isDoubleTy())
      return;
    const double exact = constant->getValueAPF().convertToDouble(), rounded = static_cast<float>(exact);
    if (exact == rounded)
      return;
    Constant *other = ConstantFP::get(constant->getType(), rounded);
    sites_.push_back({FaultClass::single_precision, cast<Instruction>(use.getUser()), 0, nullptr,
                      [&use, other] { use.set(other); }, "with its constant rounded to float"});
  }

  void visit_result(Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    const auto change = [&use, user] {
      Value *value = use;
      IRBuilder<> builder(user);
      Value *is_tiny = builder.CreateFCmpOLT(magnitude_of(builder, *value), number(*value, tiny));
      use.set(builder.CreateSelect(is_tiny, builder.CreateFNeg(value), value));
    };
    sites_.push_back({FaultClass::tiny_sign, user, 0, nullptr, change, "with the other sign below 1e-12"});
  }

  Function &function_;
  const Roles &roles_;
  Sites &sites_;
  SmallVector<Factor, 16> factors_;
};

} // namespace

void add_detaching(Module &module) {
  for (Type *type : {Type::getDoubleTy(module.getContext()), Type::getFloatTy(module.getContext())})
    detaching_function(module, *type);
}

void remove_detaching(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.getName().starts_with(detaching_prefix))
      continue;
    for (User *user : make_early_inc_range(function.users()))
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == &function) {
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
      }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

void find_factor_faults(Function &function, const Roles &roles, Sites &sites) {
  FactorFinder(function, roles, sites).run();
}

} // namespace assay::jit
