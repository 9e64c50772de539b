#include "core/plugin/tested_kernels.hpp"

#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/symbol_hash.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::plugin {

namespace {

constexpr StringLiteral request_name = "__assay_kernel_derivative";

/// The operands of a request, in order.
enum Operand : unsigned { kernel, slots, type, mode, width, split, runtime_activity, activities, parameters };

std::uint64_t number(const CallBase &request, unsigned operand) {
  return cast<ConstantInt>(request.getArgOperand(operand))->getZExtValue();
}

jit::Derivative derivative_of(const CallBase &request) {
  jit::Derivative derivative;
  derivative.mode = static_cast<jit::Mode>(number(request, Operand::mode));
  derivative.width = static_cast<unsigned>(number(request, Operand::width));
  derivative.form = number(request, Operand::split) != 0 ? jit::Form::split : jit::Form::combined;
  derivative.runtime_activity =
      number(request, Operand::runtime_activity) != 0 ? jit::RuntimeActivity::on : jit::RuntimeActivity::off;
  const std::uint64_t bits = number(request, Operand::activities);
  for (unsigned index = 0; index < number(request, Operand::parameters); ++index)
    derivative.arguments.push_back(static_cast<jit::Activity>(bits >> (2 * index) & 3U));
  return derivative;
}

/// The parameters in C++, without the name before them: `(float const*, float, int)`.
std::string parameters_in_source(const Function &function) {
  const std::string whole = demangle(function.getName());
  if (whole.empty() || whole.back() != ')')
    return "";
  int depth = 0;
  for (std::size_t position = whole.size(); position-- > 0;) {
    depth += whole[position] == ')' ? 1 : whole[position] == '(' ? -1 : 0;
    if (depth == 0)
      return whole.substr(position);
  }
  return "";
}

/// A symbol may spell a parameter as an expression, which has no other spelling there.
bool may_be_spelled_otherwise(StringRef parameters) {
  return parameters.empty() || parameters.contains("decltype") || parameters.contains("::");
}

bool have_same_types(const Function &function, const Function &other) {
  if (function.getFunctionType() != other.getFunctionType())
    return false;
  for (unsigned index = 0; index < function.arg_size(); ++index)
    if (function.getParamByValType(index) != other.getParamByValType(index))
      return false;
  const std::string spelled = parameters_in_source(function), wanted = parameters_in_source(other);
  return spelled == wanted || may_be_spelled_otherwise(spelled) || may_be_spelled_otherwise(wanted);
}

/// The caller's object is passed by its address: what is added to a copy of its shadow would be lost. The derivative
/// copies it; a copy that is made here may be dropped again by LLVM, which then merges constant with active memory.
void pass_by_address(Argument &parameter) {
  Function &function = *parameter.getParent();
  Type *type = parameter.getParamByValType();
  const DataLayout &layout = function.getDataLayout();
  const Align alignment = std::max(parameter.getParamAlign().valueOrOne(), layout.getABITypeAlign(type));
  parameter.removeAttr(Attribute::ByVal);
  parameter.removeAttr(Attribute::ReadNone);
  AttrBuilder attributes(function.getContext());
  attributes.addAlignmentAttr(alignment);
  attributes.addAttribute(engine::copied_object_attribute, utostr(layout.getTypeAllocSize(type).getFixedValue()));
  parameter.addAttrs(attributes);
}

class Expansion {
public:
  explicit Expansion(Module &module) : module_(module) {}

  bool run() {
    Function *request = module_.getFunction(request_name);
    if (!request)
      return false;
    SmallVector<CallBase *, 32> requests;
    for (User *user : request->users())
      if (auto *call = dyn_cast<CallBase>(user))
        requests.push_back(call);
    for (const CallBase *call : requests)
      derivatives_.insert(call->getFunction());
    for (Function &function : module_)
      if (function.getCallingConv() == CallingConv::PTX_Kernel && !function.isDeclaration() &&
          !derivatives_.contains(&function))
        kernels_.push_back(&function);
    for (CallBase *call : requests)
      replace(*call);
    return true;
  }

private:
  /// A kernel is launched and not called; its code is.
  Function &body_of(Function &kernel) {
    Function *&body = bodies_[&kernel];
    if (!body) {
      ValueToValueMapTy map;
      body = CloneFunction(&kernel, map);
      body->setName(kernel.getName() + ".body");
      body->setLinkage(GlobalValue::InternalLinkage);
      body->setVisibility(GlobalValue::DefaultVisibility);
      body->setComdat(nullptr);
      body->setCallingConv(CallingConv::C);
      for (Argument &parameter : body->args())
        if (parameter.hasByValAttr())
          pass_by_address(parameter);
      kernel.addFnAttr(tested_attribute);
    }
    return *body;
  }

  Function &derivative_entry(Function &kernel, const jit::Derivative &derivative, StringRef stub) {
    const std::string name = (stub + "." + kernel.getName()).str();
    Function *entry = jit::write_derivative_entry(body_of(kernel), derivative, name);
    entry->setLinkage(GlobalValue::InternalLinkage);
    entry->setCallingConv(CallingConv::C);
    entry->removeFnAttr(Attribute::NoInline);
    module_.getFunction(jit::clearing_function_of(name))->eraseFromParent(); // The host clears what is added to.
    return *entry;
  }

  void replace(CallBase &request) {
    Function &stub = *request.getFunction();
    stub.addFnAttr(derivative_attribute);
    const auto *type = dyn_cast<Function>(request.getArgOperand(Operand::type)->stripPointerCasts());
    const jit::Derivative derivative = derivative_of(request);
    Value *wanted = request.getArgOperand(Operand::kernel), *memory = request.getArgOperand(Operand::slots);
    BasicBlock *before = request.getParent();
    BasicBlock *after = SplitBlock(before, request.getIterator());
    BasicBlock *missing = BasicBlock::Create(stub.getContext(), "missing", &stub, after);
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(request.getDebugLoc());
    SwitchInst *choice = builder.CreateSwitch(wanted, missing);
    for (Function *kernel : kernels_)
      if (type && have_same_types(*kernel, *type)) {
        BasicBlock *block = BasicBlock::Create(stub.getContext(), "differentiate", &stub, after);
        builder.SetInsertPoint(block);
        builder.CreateCall(&derivative_entry(*kernel, derivative, stub.getName()), {memory});
        builder.CreateBr(after);
        choice->addCase(builder.getInt64(jit::symbol_hash(kernel->getName())), block);
      }
    builder.SetInsertPoint(missing);
    write_missing(builder, memory, {derivative.arguments.size(), derivative.width});
    builder.CreateBr(after);
    request.eraseFromParent();
  }

  /// Says that the kernel is not one of this file.
  static void write_missing(IRBuilder<> &builder, Value *memory, const jit::SlotLayout &layout) {
    Value *flag = builder.CreateLoad(builder.getPtrTy(),
                                     builder.CreateConstGEP1_64(builder.getPtrTy(), memory, layout.between()));
    builder.CreateStore(builder.getInt32(1), flag);
  }

  Module &module_;
  SmallVector<Function *, 16> kernels_;
  SmallPtrSet<const Function *, 32> derivatives_;
  DenseMap<Function *, Function *> bodies_;
};

} // namespace

PreservedAnalyses TestedKernelsPass::run(Module &module, ModuleAnalysisManager &) {
  const bool changed = engine::is_device_code(module) && Expansion(module).run();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::plugin
