// Emission of calls. Three ways: an intrinsic, where the family has it or where it is an instruction anyway; a helper
// function of our own (helper_functions.hpp); a declared library function, one lane at a time and never narrower than
// float.

#include "core/engine/rules/dialect.hpp"
#include "core/engine/rules/helper_functions.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

/// Functions that every target has as an instruction or a short sequence.
static Intrinsic::ID as_instruction(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Case("fabs", Intrinsic::fabs)
      .Case("copysign", Intrinsic::copysign)
      .Case("sqrt", Intrinsic::sqrt)
      .Case("trunc", Intrinsic::trunc)
      .Case("rint", Intrinsic::rint)
      .Case("round", Intrinsic::round)
      .Default(Intrinsic::not_intrinsic);
}

static Intrinsic::ID as_intrinsic(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Case("sin", Intrinsic::sin)
      .Case("cos", Intrinsic::cos)
      .Case("tan", Intrinsic::tan)
      .Case("sinh", Intrinsic::sinh)
      .Case("cosh", Intrinsic::cosh)
      .Case("exp", Intrinsic::exp)
      .Case("exp2", Intrinsic::exp2)
      .Case("exp10", Intrinsic::exp10)
      .Case("log", Intrinsic::log)
      .Case("pow", Intrinsic::pow)
      .Case("powi", Intrinsic::powi)
      .Case("ldexp", Intrinsic::ldexp)
      .Default(as_instruction(name));
}

static CallInst *call_intrinsic(IRBuilderBase &builder, Intrinsic::ID id, Type *type, ArrayRef<Value *> arguments) {
  SmallVector<Type *, 2> overloads = {type};
  if (id == Intrinsic::powi || id == Intrinsic::ldexp)
    overloads.push_back(arguments[1]->getType());
  return builder.CreateIntrinsic(id, overloads, arguments);
}

static std::string spelled(const Dialect &dialect, StringRef name, const Type *type) {
  const std::string base = (dialect.family == Family::libdevice ? device_library_prefix.str() : "") + name.str();
  if (type->isFloatTy())
    return base + "f";
  if (type->isDoubleTy())
    return base;
  return base + (dialect.suffix == "f128" ? "f128" : "l");
}

static FunctionCallee declare(Module &module, const Dialect &dialect, StringRef name, FunctionType *type) {
  if (Function *existing = module.getFunction(name))
    return {type, existing};
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setDoesNotFreeMemory();
  function->setCallingConv(dialect.calling_convention);
  if (dialect.pure)
    function->setDoesNotAccessMemory();
  return function;
}

/// A derivative never reads errno, so its calls may be moved and deleted whatever the declaration says.
static CallInst *mark_pure(CallInst *call) {
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  return call;
}

static Value *call_library(IRBuilderBase &builder, const Dialect &dialect, StringRef name, Type *type,
                           ArrayRef<Value *> arguments) {
  Module &module = *builder.GetInsertBlock()->getModule();
  SmallVector<Type *, 3> parameters;
  for (Value *argument : arguments)
    parameters.push_back(argument->getType());
  FunctionType *signature = FunctionType::get(type, parameters, false);
  if (is_helper(name))
    return mark_pure(builder.CreateCall(helper_function(module, dialect, name, signature), arguments));
  CallInst *call = builder.CreateCall(declare(module, dialect, spelled(dialect, name, type), signature), arguments);
  call->setCallingConv(dialect.calling_convention);
  return mark_pure(call);
}

/// No library has functions of numbers narrower than float.
static Type *callable_type(StringRef name, Type *type) {
  if (is_helper(name))
    return helper_type(name, type);
  return type->getPrimitiveSizeInBits() < 32 ? Type::getFloatTy(type->getContext()) : type;
}

static Value *call_scalar(IRBuilderBase &builder, const Dialect &dialect, StringRef name, Type *type,
                          ArrayRef<Value *> arguments) {
  Type *wide = callable_type(name, type);
  SmallVector<Value *, 3> widened;
  for (Value *argument : arguments)
    widened.push_back(argument->getType()->isFloatingPointTy() ? builder.CreateFPCast(argument, wide) : argument);
  return builder.CreateFPCast(call_library(builder, dialect, name, wide, widened), type);
}

static Value *call_lanes(IRBuilderBase &builder, const Dialect &dialect, StringRef name, FixedVectorType *type,
                         ArrayRef<Value *> arguments) {
  Value *result = PoisonValue::get(type);
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    SmallVector<Value *, 3> elements;
    for (Value *argument : arguments)
      elements.push_back(argument->getType()->isVectorTy() ? builder.CreateExtractElement(argument, lane) : argument);
    Value *element = call_scalar(builder, dialect, name, type->getElementType(), elements);
    result = builder.CreateInsertElement(result, element, lane);
  }
  return result;
}

Value *emit_call(IRBuilderBase &builder, const Dialect &dialect, StringRef name, Type *type,
                 ArrayRef<Value *> arguments) {
  const Intrinsic::ID id = dialect.family == Family::intrinsic ? as_intrinsic(name) : as_instruction(name);
  if (id != Intrinsic::not_intrinsic)
    return call_intrinsic(builder, id, type, arguments);
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return call_lanes(builder, dialect, name, vector, arguments);
  return call_scalar(builder, dialect, name, type, arguments);
}

} // namespace assay::engine
