// What is written is what clang would make of
//
//   void entry(void **slots) {
//     struct { double a0, a1; } r = __enzyme_autodiff(f, enzyme_primal_return, enzyme_out, x, enzyme_dup, p, dp, ...);
//     *slots[...] = r...;
//   }
//
// Of device code, the entry is a kernel: every thread of the launch calls the function with the same arguments. The
// adjoint of a number that all threads get is the sum over the threads.
//
// A seed other than 1 for the result of reverse mode follows the arguments, behind the marker enzyme_seed. In the split
// form the calls are those of __enzyme_augmentfwd and __enzyme_reverse.

#include "core/jit/entries.hpp"

#include "core/engine/support/device_target.hpp"
#include "core/widen/widen.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::jit {

namespace {

void make_kernel(llvm::Function &entry, const llvm::Function &function) {
  entry.setCallingConv(llvm::CallingConv::PTX_Kernel);
  for (const char *bound : {"nvvm.maxntid", "nvvm.minctasm"})
    if (function.hasFnAttribute(bound))
      entry.addFnAttr(function.getFnAttribute(bound));
}

/// A function whose parameter is a short or a bool may rely on the bits above it, which the caller sets.
void extend_narrow_integers(llvm::CallInst &call, const llvm::Function &function) {
  for (unsigned index = 0; index < function.arg_size(); ++index)
    for (const llvm::Attribute::AttrKind kind : {llvm::Attribute::ZExt, llvm::Attribute::SExt})
      if (function.hasParamAttribute(index, kind))
        call.addParamAttr(index, kind);
}

llvm::Function *declare_entry(llvm::Function &function, llvm::StringRef name) {
  llvm::LLVMContext &context = function.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, function.getParent());
  for (const char *attribute : {"target-cpu", "target-features", "tune-cpu", "no-trapping-math", "frame-pointer"})
    if (function.hasFnAttribute(attribute))
      entry->addFnAttr(function.getFnAttribute(attribute));
  entry->addFnAttr(llvm::Attribute::NoInline);
  if (engine::is_device_code(*function.getParent()))
    make_kernel(*entry, function);
  else
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

  /// The value that a parameter of `type` takes from `slot`; memory, from byte `offset` on.
  llvm::Value *value(std::size_t slot, llvm::Type *type, std::size_t offset = 0) {
    llvm::Value *pointer = address(slot);
    if (!type->isPointerTy())
      return builder.CreateLoad(type, pointer);
    return offset == 0 ? pointer : builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, offset);
  }

  const SlotLayout layout;
  llvm::IRBuilder<> builder;

private:
  llvm::Value *slots_;
};

/// One call of the convention under construction: its operands, and the slots that its results go to.
struct ConventionCall {
  struct Result {
    llvm::Type *type;
    std::size_t slot;
    enum class From : std::uint8_t { one_call, all_threads } from = From::one_call;
  };
  llvm::StringRef verb;
  llvm::SmallVector<llvm::Value *, 16> operands;
  llvm::SmallVector<Result, 8> results;
};

/// Writes the calls that one derivative takes.
class DerivativeCalls {
public:
  DerivativeCalls(llvm::Function &function, const Derivative &derivative, Slots &slots)
      : function_(function), passed_(passed_parameters(function)), derivative_(derivative), slots_(slots),
        returns_(!function.getReturnType()->isVoidTy()),
        is_device_code_(engine::is_device_code(*function.getParent())) {}

  void write() {
    if (derivative_.form == Form::split)
      write_split();
    else
      write_combined();
  }

private:
  using From = ConventionCall::Result::From;

  llvm::Value *marker(llvm::StringRef name) {
    llvm::Type *type = slots_.builder.getInt32Ty();
    return slots_.builder.CreateLoad(type, function_.getParent()->getOrInsertGlobal(name, type));
  }

  bool is_seeded() const { return derivative_.mode == Mode::reverse && derivative_.result == Activity::active; }

  void write_combined() {
    const bool forward = derivative_.mode == Mode::forward;
    ConventionCall call = begin(forward ? "__enzyme_fwddiff" : "__enzyme_autodiff");
    llvm::Type *type = function_.getReturnType();
    if (returns_ && derivative_.primal == PrimalResult::wanted) {
      call.operands.push_back(marker("enzyme_primal_return"));
      call.results.push_back({type, slots_.layout.result()});
    }
    if (returns_ && forward && derivative_.result != Activity::constant)
      for (unsigned lane = 0; lane < derivative_.width; ++lane)
        call.results.push_back({type, slots_.layout.result_tangent(lane)});
    add_arguments(call);
    add_adjoints(call);
    if (is_seeded()) {
      call.operands.push_back(marker("enzyme_seed"));
      add_seeds(call);
    }
    store_results(call, emit(call, result_type(call.results)));
  }

  /// The two sweeps of reverse mode, and the caller's own code between them.
  void write_split() {
    llvm::IRBuilder<> &builder = slots_.builder;
    ConventionCall augmented = begin("__enzyme_augmentfwd");
    add_arguments(augmented);
    const bool wants_primal = returns_ && derivative_.primal == PrimalResult::wanted;
    if (returns_)
      augmented.operands.insert(augmented.operands.begin() + 1,
                                marker(wants_primal ? "enzyme_primal_return" : "enzyme_noret"));
    llvm::Type *pointer = builder.getPtrTy();
    llvm::Type *type = wants_primal ? llvm::StructType::get(pointer, function_.getReturnType()) : pointer;
    llvm::Value *tape = emit(augmented, type);
    if (wants_primal) {
      builder.CreateStore(builder.CreateExtractValue(tape, 1), slots_.address(slots_.layout.result()));
      tape = builder.CreateExtractValue(tape, 0);
    }
    if (!is_device_code_) // There is no moment at which all threads are between their sweeps.
      call_between();

    ConventionCall reverse = begin("__enzyme_reverse");
    add_arguments(reverse);
    add_adjoints(reverse);
    if (is_seeded())
      add_seeds(reverse);
    reverse.operands.push_back(tape);
    store_results(reverse, emit(reverse, result_type(reverse.results)));
  }

  void call_between() {
    llvm::IRBuilder<> &builder = slots_.builder;
    auto *between = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    builder
        .CreateCall(between, slots_.address(slots_.layout.between()),
                    {slots_.address(slots_.layout.between_argument())})
        ->addFnAttr(llvm::Attribute::get(builder.getContext(), widen::no_numbers_attribute));
  }

  /// The function and the options.
  ConventionCall begin(llvm::StringRef verb) {
    ConventionCall call{verb, {&function_}, {}};
    if (derivative_.width > 1) {
      call.operands.push_back(marker("enzyme_width"));
      call.operands.push_back(slots_.builder.getInt32(derivative_.width));
    }
    if (derivative_.runtime_activity == RuntimeActivity::on)
      call.operands.push_back(marker("enzyme_runtime_activity"));
    if (returns_ && derivative_.result == Activity::constant)
      call.operands.push_back(marker("enzyme_const_return"));
    return call;
  }

  void add_arguments(ConventionCall &call) {
    for (llvm::Argument &parameter : function_.args()) {
      const auto [index, offset] = passed_[parameter.getArgNo()];
      const Activity activity = derivative_.arguments[index];
      call.operands.push_back(marker(marker_of(activity)));
      call.operands.push_back(slots_.value(slots_.layout.parameter(index), parameter.getType(), offset));
      if (activity != Activity::constant && activity != Activity::active)
        for (unsigned lane = 0; lane < derivative_.width; ++lane)
          call.operands.push_back(slots_.value(slots_.layout.shadow(index, lane), parameter.getType(), offset));
    }
  }

  /// Of active arguments: they are returned.
  void add_adjoints(ConventionCall &call) {
    for (llvm::Argument &parameter : function_.args())
      if (const std::size_t index = passed_[parameter.getArgNo()].parameter;
          derivative_.arguments[index] == Activity::active)
        for (unsigned lane = 0; lane < derivative_.width; ++lane)
          call.results.push_back({parameter.getType(), slots_.layout.shadow(index, lane),
                                  is_device_code_ ? From::all_threads : From::one_call});
  }

  void add_seeds(ConventionCall &call) {
    for (unsigned lane = 0; lane < derivative_.width; ++lane)
      call.operands.push_back(slots_.value(slots_.layout.result_seed(lane), function_.getReturnType()));
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

  llvm::Type *result_type(llvm::ArrayRef<ConventionCall::Result> results) const {
    llvm::LLVMContext &context = function_.getContext();
    if (results.empty())
      return llvm::Type::getVoidTy(context);
    if (results.size() == 1)
      return results.front().type;
    llvm::SmallVector<llvm::Type *, 8> types;
    for (const ConventionCall::Result &result : results)
      types.push_back(result.type);
    return llvm::StructType::get(context, types);
  }

  /// Each call declares its own callee: operand and result types differ.
  llvm::CallInst *emit(const ConventionCall &call, llvm::Type *result) {
    llvm::SmallVector<llvm::Type *, 16> types;
    for (const llvm::Value *operand : call.operands)
      types.push_back(operand->getType());
    auto *type = llvm::FunctionType::get(result, types, false);
    auto *callee = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                          call.verb + "_" + slots_.builder.GetInsertBlock()->getParent()->getName(),
                                          function_.getParent());
    return slots_.builder.CreateCall(callee, call.operands);
  }

  void store_results(const ConventionCall &call, llvm::CallInst *returned) {
    for (unsigned index = 0; index < call.results.size(); ++index) {
      llvm::Value *value = call.results.size() == 1 ? returned : slots_.builder.CreateExtractValue(returned, index);
      llvm::Value *address = slots_.address(call.results[index].slot);
      if (call.results[index].from == From::all_threads)
        slots_.builder.CreateAtomicRMW(llvm::AtomicRMWInst::FAdd, address, value, llvm::MaybeAlign(),
                                       llvm::AtomicOrdering::Monotonic);
      else
        slots_.builder.CreateStore(value, address);
    }
  }

  llvm::Function &function_;
  const llvm::SmallVector<PassedParameter, 8> passed_;
  const Derivative &derivative_;
  Slots &slots_;
  bool returns_, is_device_code_;
};

/// Zero in the slots that the threads of `entry` add to.
void write_clearing_function(llvm::Function &function, const Derivative &derivative, llvm::StringRef entry) {
  llvm::LLVMContext &context = function.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
  auto *made = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, clearing_function_of(entry),
                                      function.getParent());
  Slots slots(*made, {parameters_with_slots(function), derivative.width});
  for (llvm::Argument &parameter : function.args())
    if (const std::size_t index = passed_parameters(function)[parameter.getArgNo()].parameter;
        derivative.arguments[index] == Activity::active)
      for (unsigned lane = 0; lane < derivative.width; ++lane)
        slots.builder.CreateStore(llvm::Constant::getNullValue(parameter.getType()),
                                  slots.address(slots.layout.shadow(index, lane)));
  slots.builder.CreateRetVoid();
}

/// `0+0 0+24 1+0`: the functions that are differentiated and compiled are copies, which keep it.
constexpr llvm::StringLiteral shared_attribute = "assay-shared-memory";

} // namespace

void share_memory(llvm::Function &function, llvm::ArrayRef<PassedParameter> passed) {
  std::string text;
  for (const PassedParameter &one : passed)
    text += (text.empty() ? "" : " ") + std::to_string(one.parameter) + "+" + std::to_string(one.offset);
  if (!text.empty())
    function.addFnAttr(shared_attribute, text);
}

llvm::SmallVector<PassedParameter, 8> passed_parameters(const llvm::Function &function) {
  llvm::SmallVector<PassedParameter, 8> passed(function.arg_size());
  for (std::size_t index = 0; index < passed.size(); ++index)
    passed[index].parameter = index;
  if (!function.hasFnAttribute(shared_attribute))
    return passed;
  llvm::SmallVector<llvm::StringRef, 8> texts;
  function.getFnAttribute(shared_attribute).getValueAsString().split(texts, ' ');
  for (std::size_t index = 0; index < passed.size(); ++index) {
    const auto [parameter, offset] = texts[index].split('+');
    parameter.getAsInteger(10, passed[index].parameter);
    offset.getAsInteger(10, passed[index].offset);
  }
  return passed;
}

std::size_t parameters_with_slots(const llvm::Function &function) {
  std::size_t count = 0;
  for (const PassedParameter &one : passed_parameters(function))
    count = std::max(count, one.parameter + 1);
  return count;
}

std::string clearing_function_of(llvm::StringRef entry) {
  return (entry + ".clear").str();
}

llvm::Function *write_primal_entry(llvm::Function &function, llvm::StringRef name) {
  llvm::Function *entry = declare_entry(function, name);
  Slots slots(*entry, {parameters_with_slots(function), 0});
  const llvm::SmallVector<PassedParameter, 8> passed = passed_parameters(function);
  llvm::SmallVector<llvm::Value *, 8> arguments;
  for (const llvm::Argument &parameter : function.args()) {
    const auto [index, offset] = passed[parameter.getArgNo()];
    arguments.push_back(slots.value(slots.layout.parameter(index), parameter.getType(), offset));
  }
  llvm::CallInst *call = slots.builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  extend_narrow_integers(*call, function);
  if (!function.getReturnType()->isVoidTy())
    slots.builder.CreateStore(call, slots.address(slots.layout.result()));
  slots.builder.CreateRetVoid();
  return entry;
}

llvm::Function *write_derivative_entry(llvm::Function &function, const Derivative &derivative, llvm::StringRef name) {
  llvm::Function *entry = declare_entry(function, name);
  Slots slots(*entry, {parameters_with_slots(function), derivative.width});
  DerivativeCalls(function, derivative, slots).write();
  slots.builder.CreateRetVoid();
  if (engine::is_device_code(*function.getParent())) {
    entry->addFnAttr(shadow_lanes_attribute, std::to_string(derivative.width));
    write_clearing_function(function, derivative, name);
  }
  return entry;
}

} // namespace assay::jit
