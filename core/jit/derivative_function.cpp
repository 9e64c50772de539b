// The function puts its parameters into slots on its stack and calls the entry of the derivative, which becomes part of
// it before anything is differentiated.

#include "core/jit/derivative_function.hpp"

#include "core/jit/entries.hpp"

#include "llvm/IR/IRBuilder.h"

namespace assay::jit {

namespace {

constexpr const char *derivative_name = "assay_first_derivative", *entry_name = "assay_slots_of_first_derivative";

bool is_duplicated(Activity activity) {
  return activity == Activity::duplicated || activity == Activity::duplicated_no_need;
}

bool returns_tangent(const Derivative &derivative) {
  return derivative.mode == Mode::forward && derivative.result != Activity::constant;
}

bool is_seeded(const Derivative &derivative) {
  return derivative.mode == Mode::reverse && derivative.result == Activity::active;
}

ParameterType renamed(ParameterType parameter, const std::string &prefix) {
  parameter.name = prefix + parameter.name;
  return parameter;
}

/// Of the parameters that have values or memory of their own.
llvm::SmallVector<llvm::Type *, 8> types_with_slots(const llvm::Function &function) {
  llvm::SmallVector<llvm::Type *, 8> types(parameters_with_slots(function));
  for (const auto &[parameter, passed] : llvm::zip(function.args(), passed_parameters(function)))
    types[passed.parameter] = parameter.getType();
  return types;
}

llvm::Function *declare(llvm::Function &function, const Derivative &derivative) {
  llvm::LLVMContext &context = function.getContext();
  llvm::SmallVector<llvm::Type *, 16> types;
  const llvm::SmallVector<llvm::Type *, 8> parameters = types_with_slots(function);
  types.append(parameters.begin(), parameters.end());
  for (std::size_t index = 0; index < parameters.size(); ++index)
    if (const Activity activity = derivative.arguments[index]; activity != Activity::constant)
      types.push_back(activity == Activity::active ? llvm::PointerType::getUnqual(context) : parameters[index]);
  if (is_seeded(derivative))
    types.push_back(function.getReturnType());
  llvm::Type *result = returns_tangent(derivative) ? function.getReturnType() : llvm::Type::getVoidTy(context);
  auto *written = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                         llvm::GlobalValue::ExternalLinkage, derivative_name, function.getParent());
  for (const char *attribute : {"target-cpu", "target-features", "tune-cpu", "no-trapping-math", "frame-pointer"})
    if (function.hasFnAttribute(attribute))
      written->addFnAttr(function.getFnAttribute(attribute));
  return written;
}

/// The slots of an entry on the stack.
class SlotsOnStack {
public:
  SlotsOnStack(llvm::IRBuilder<> &builder, const SlotLayout &layout)
      : builder_(builder), slots_(builder.CreateAlloca(builder.getPtrTy(), builder.getInt64(layout.count()))) {}

  void set(std::size_t slot, llvm::Value *address) {
    builder_.CreateStore(address, builder_.CreateConstGEP1_64(builder_.getPtrTy(), slots_, slot));
  }
  /// A pointer as it is, a number on the stack.
  void pass(std::size_t slot, llvm::Value *value) {
    if (value->getType()->isPointerTy())
      return set(slot, value);
    llvm::Value *place = builder_.CreateAlloca(value->getType());
    builder_.CreateStore(value, place);
    set(slot, place);
  }
  llvm::Value *address() const { return slots_; }

private:
  llvm::IRBuilder<> &builder_;
  llvm::Value *slots_;
};

} // namespace

FunctionSignature signature_of_derivative(const FunctionSignature &function, const Derivative &derivative) {
  FunctionSignature signature = function;
  signature.linkage_name = derivative_name;
  signature.passed.clear(); // Its own parameters share nothing.
  signature.name = (derivative.mode == Mode::forward ? "the tangent of " : "the gradient of ") + function.name;
  for (std::size_t index = 0; index < function.parameters.size(); ++index) {
    const ParameterType &parameter = function.parameters[index];
    if (is_duplicated(derivative.arguments[index])) {
      signature.parameters.push_back(
          renamed(parameter, derivative.mode == Mode::forward ? "tangent of " : "adjoint of "));
    } else if (derivative.arguments[index] == Activity::active) {
      ParameterType adjoint = renamed(parameter, "adjoint of ");
      adjoint.pointee = real_of(parameter).value_or(Scalar::real64);
      adjoint.kind = ParameterType::Kind::pointer;
      signature.parameters.push_back(std::move(adjoint));
    }
  }
  if (is_seeded(derivative))
    signature.parameters.push_back(renamed(*function.result, "seed of the "));
  if (!returns_tangent(derivative))
    signature.result.reset();
  return signature;
}

std::vector<ArgumentSpec> arguments_of_derivative(const FunctionSignature &function,
                                                  const std::vector<ArgumentSpec> &arguments,
                                                  const Derivative &derivative) {
  const auto plain = [](Scalar type, std::vector<std::size_t> extents) {
    ArgumentSpec spec;
    spec.type = type;
    spec.extents = std::move(extents);
    return spec;
  };
  std::vector<ArgumentSpec> all = arguments;
  for (std::size_t index = 0; index < arguments.size(); ++index)
    if (is_duplicated(derivative.arguments[index]))
      all.push_back(plain(arguments[index].type, arguments[index].extents));
    else if (derivative.arguments[index] == Activity::active)
      all.push_back(plain(arguments[index].type, {1}));
  if (is_seeded(derivative))
    all.push_back(plain(real_of(*function.result).value_or(Scalar::real64), {}));
  return all;
}

llvm::Function *write_derivative_function(llvm::Function &function, const Derivative &derivative) {
  const SlotLayout layout{parameters_with_slots(function), derivative.width};
  llvm::Function *entry = write_derivative_entry(function, derivative, entry_name);
  entry->removeFnAttr(llvm::Attribute::NoInline);
  entry->addFnAttr(llvm::Attribute::AlwaysInline);
  entry->setLinkage(llvm::GlobalValue::InternalLinkage);

  llvm::Function *written = declare(function, derivative);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "entry", written));
  SlotsOnStack slots(builder, layout);
  unsigned next = 0;
  for (std::size_t index = 0; index < layout.parameters; ++index)
    slots.pass(layout.parameter(index), written->getArg(next++));
  for (std::size_t index = 0; index < layout.parameters; ++index)
    if (derivative.arguments[index] != Activity::constant)
      slots.pass(layout.shadow(index, 0), written->getArg(next++));
  if (is_seeded(derivative))
    slots.pass(layout.result_seed(0), written->getArg(next++));
  llvm::Value *tangent = nullptr;
  if (returns_tangent(derivative)) {
    tangent = builder.CreateAlloca(function.getReturnType());
    slots.set(layout.result_tangent(0), tangent);
  }
  builder.CreateCall(entry, {slots.address()});
  if (tangent)
    builder.CreateRet(builder.CreateLoad(function.getReturnType(), tangent));
  else
    builder.CreateRetVoid();
  return written;
}

} // namespace assay::jit
