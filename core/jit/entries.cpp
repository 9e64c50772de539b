// What is written is what clang would make of
//
//   void entry(void **slots) {
//     struct { double a0, a1; } r = __enzyme_autodiff(f, enzyme_primal_return, enzyme_out, x, enzyme_dup, p, dp, ...);
//     *slots[...] = r...;
//   }
//
// A seed other than 1 for the result of reverse mode follows the arguments, behind the marker enzyme_seed.

#include "core/jit/entries.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::jit {

namespace {

llvm::Function *declare_entry(llvm::Function &function, llvm::StringRef name) {
  llvm::LLVMContext &context = function.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, function.getParent());
  for (const char *attribute : {"target-cpu", "target-features", "tune-cpu", "no-trapping-math", "frame-pointer"})
    if (function.hasFnAttribute(attribute))
      entry->addFnAttr(function.getFnAttribute(attribute));
  entry->addFnAttr(llvm::Attribute::NoInline);
  entry->addFnAttr(llvm::Attribute::getWithUWTableKind(context, llvm::UWTableKind::Default));
  return entry;
}

/// Reads slots and knows what is behind them.
class Slots {
public:
  Slots(llvm::Function &entry, const SlotLayout &layout)
      : layout(layout), builder(llvm::BasicBlock::Create(entry.getContext(), "entry", &entry)),
        slots_(entry.getArg(0)) {}

  llvm::Value *address(std::size_t slot) {
    llvm::Type *pointer = builder.getPtrTy();
    return builder.CreateLoad(pointer, builder.CreateConstGEP1_64(pointer, slots_, slot));
  }

  /// The value that a parameter of `type` takes from `slot`.
  llvm::Value *value(std::size_t slot, llvm::Type *type) {
    llvm::Value *pointer = address(slot);
    return type->isPointerTy() ? pointer : builder.CreateLoad(type, pointer);
  }

  const SlotLayout layout;
  llvm::IRBuilder<> builder;

private:
  llvm::Value *slots_;
};

/// The call of the convention under construction, and where its results go.
class ConventionCall {
public:
  ConventionCall(llvm::Function &function, const Derivative &derivative, Slots &slots)
      : function_(function), derivative_(derivative), slots_(slots) {
    operands_.push_back(&function);
  }

  void write() {
    add_options();
    for (llvm::Argument &parameter : function_.args())
      add_argument(parameter);
    if (derivative_.mode == Mode::reverse && derivative_.result == Activity::active) {
      mark("enzyme_seed");
      for (unsigned lane = 0; lane < derivative_.width; ++lane)
        operands_.push_back(slots_.value(slots_.layout.result_seed(lane), function_.getReturnType()));
    }
    store_results(call());
  }

private:
  void mark(llvm::StringRef name) {
    llvm::Type *type = slots_.builder.getInt32Ty();
    llvm::Constant *marker = function_.getParent()->getOrInsertGlobal(name, type);
    operands_.push_back(slots_.builder.CreateLoad(type, marker));
  }

  void expect(llvm::Type *type, std::size_t slot) { results_.push_back({type, slot}); }

  void add_options() {
    const bool returns = !function_.getReturnType()->isVoidTy();
    llvm::Type *type = function_.getReturnType();
    if (derivative_.width > 1) {
      mark("enzyme_width");
      operands_.push_back(slots_.builder.getInt32(derivative_.width));
    }
    if (returns && derivative_.result == Activity::constant)
      mark("enzyme_const_return");
    if (returns && derivative_.primal == PrimalResult::wanted) {
      mark("enzyme_primal_return");
      expect(type, slots_.layout.result());
    }
    if (returns && derivative_.mode == Mode::forward && derivative_.result != Activity::constant)
      for (unsigned lane = 0; lane < derivative_.width; ++lane)
        expect(type, slots_.layout.result_tangent(lane));
  }

  void add_argument(llvm::Argument &parameter) {
    const std::size_t index = parameter.getArgNo();
    const Activity activity = derivative_.arguments[index];
    mark(marker_of(activity));
    operands_.push_back(slots_.value(slots_.layout.parameter(index), parameter.getType()));
    for (unsigned lane = 0; lane < derivative_.width; ++lane) {
      const std::size_t shadow = slots_.layout.shadow(index, lane);
      if (activity == Activity::active)
        expect(parameter.getType(), shadow);
      else if (activity != Activity::constant)
        operands_.push_back(slots_.value(shadow, parameter.getType()));
    }
  }

  static llvm::StringRef marker_of(Activity activity) {
    switch (activity) {
    case Activity::constant:
      return "enzyme_const";
    case Activity::active:
      return "enzyme_out";
    case Activity::duplicated:
      return "enzyme_dup";
    case Activity::duplicated_no_need:
      return "enzyme_dupnoneed";
    }
    return "enzyme_const";
  }

  llvm::Type *result_type() const {
    llvm::LLVMContext &context = function_.getContext();
    if (results_.empty())
      return llvm::Type::getVoidTy(context);
    if (results_.size() == 1)
      return results_.front().type;
    llvm::SmallVector<llvm::Type *, 8> types;
    for (const Result &result : results_)
      types.push_back(result.type);
    return llvm::StructType::get(context, types);
  }

  /// Each call declares its own callee: operand and result types differ.
  llvm::CallInst *call() {
    llvm::SmallVector<llvm::Type *, 16> types;
    for (const llvm::Value *operand : operands_)
      types.push_back(operand->getType());
    auto *type = llvm::FunctionType::get(result_type(), types, false);
    const llvm::StringRef verb = derivative_.mode == Mode::forward ? "__enzyme_fwddiff" : "__enzyme_autodiff";
    auto *callee = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                          verb + "_" + slots_.builder.GetInsertBlock()->getParent()->getName(),
                                          function_.getParent());
    return slots_.builder.CreateCall(callee, operands_);
  }

  void store_results(llvm::CallInst *call) {
    for (unsigned index = 0; index < results_.size(); ++index) {
      llvm::Value *value = results_.size() == 1 ? call : slots_.builder.CreateExtractValue(call, index);
      slots_.builder.CreateStore(value, slots_.address(results_[index].slot));
    }
  }

  struct Result {
    llvm::Type *type;
    std::size_t slot;
  };

  llvm::Function &function_;
  const Derivative &derivative_;
  Slots &slots_;
  llvm::SmallVector<llvm::Value *, 16> operands_;
  llvm::SmallVector<Result, 8> results_;
};

} // namespace

llvm::Function *write_primal_entry(llvm::Function &function, llvm::StringRef name) {
  llvm::Function *entry = declare_entry(function, name);
  Slots slots(*entry, {function.arg_size(), 0});
  llvm::SmallVector<llvm::Value *, 8> arguments;
  for (const llvm::Argument &parameter : function.args())
    arguments.push_back(slots.value(slots.layout.parameter(parameter.getArgNo()), parameter.getType()));
  llvm::CallInst *call = slots.builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  if (!function.getReturnType()->isVoidTy())
    slots.builder.CreateStore(call, slots.address(slots.layout.result()));
  slots.builder.CreateRetVoid();
  return entry;
}

llvm::Function *write_derivative_entry(llvm::Function &function, const Derivative &derivative, llvm::StringRef name) {
  llvm::Function *entry = declare_entry(function, name);
  Slots slots(*entry, {function.arg_size(), derivative.width});
  ConventionCall(function, derivative, slots).write();
  slots.builder.CreateRetVoid();
  return entry;
}

} // namespace assay::jit
