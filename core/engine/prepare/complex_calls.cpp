#include "core/engine/prepare/complex_calls.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

struct ComplexFunction {
  StringRef rule;
  unsigned arguments = 0; ///< complex ones
};

ComplexFunction complex_function(StringRef name) {
  const StringRef product = StringSwitch<StringRef>(name)
                                .Cases({"__mulsc3", "__muldc3", "__mulxc3"}, "multiply")
                                .Cases({"__divsc3", "__divdc3", "__divxc3"}, "divide")
                                .Cases({"cpow", "cpowf", "cpowl"}, "pow")
                                .Default("");
  if (!product.empty())
    return {product, 2};
  for (StringRef base : {"exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan",
                         "asinh", "acosh", "atanh"}) {
    StringRef rest = name;
    if (rest.consume_front("c") && rest.consume_front(base) && (rest.empty() || rest == "f" || rest == "l"))
      return {base, 1};
  }
  return {};
}

/// The type of a pair that is passed in memory, as complex long doubles are.
Type *pair_in_memory(const CallInst &call, unsigned argument) {
  return call.isByValArgument(argument) ? call.getParamByValType(argument) : nullptr;
}

/// The numbers in a structure or a vector of two, or a number itself.
SmallVector<Value *, 2> parts_of(IRBuilder<> &builder, Value *value) {
  if (value->getType()->isStructTy())
    return {builder.CreateExtractValue(value, 0), builder.CreateExtractValue(value, 1)};
  if (value->getType()->isVectorTy())
    return {builder.CreateExtractElement(value, std::uint64_t(0)),
            builder.CreateExtractElement(value, std::uint64_t(1))};
  return {value};
}

Value *pair_of(IRBuilder<> &builder, Type *type, Value *real, Value *imag) {
  Value *empty = PoisonValue::get(type);
  if (type->isStructTy())
    return builder.CreateInsertValue(builder.CreateInsertValue(empty, real, 0), imag, 1);
  return builder.CreateInsertElement(builder.CreateInsertElement(empty, real, std::uint64_t(0)), imag,
                                     std::uint64_t(1));
}

bool is_pair(const Type *type) {
  if (const auto *structure = dyn_cast<StructType>(type))
    return structure->getNumElements() == 2 && structure->getElementType(0)->isFloatingPointTy() &&
           structure->getElementType(0) == structure->getElementType(1);
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 2 && vector->getElementType()->isFloatingPointTy();
}

void make_pure(Function &function) {
  function.setDoesNotAccessMemory();
  function.setWillReturn();
  function.addFnAttr(Attribute::NoInline);
}

/// The numbers of all arguments; nothing where one is not complex.
std::optional<SmallVector<Value *, 4>> inputs_of(IRBuilder<> &builder, const CallInst &call) {
  SmallVector<Value *, 4> inputs;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    Value *argument = call.getArgOperand(index);
    if (Type *pair = pair_in_memory(call, index); pair && is_pair(pair))
      argument = builder.CreateAlignedLoad(pair, argument, call.getParamAlign(index));
    if (!is_pair(argument->getType()) && !argument->getType()->isFloatingPointTy())
      return std::nullopt;
    inputs.append(parts_of(builder, argument));
  }
  return inputs;
}

/// An inactive function of the parts that does nothing but the call.
Function *primal_function(CallInst &call, ArrayRef<Value *> inputs) {
  Module &module = *call.getModule();
  Function *callee = call.getCalledFunction();
  const SmallVector<Type *, 4> parameters(inputs.size(), inputs.front()->getType());
  const std::string name = ("assay.primal." + callee->getName()).str();
  auto *type = FunctionType::get(call.getType(), parameters, false);
  return own_function(module, name, type, [&](Function &function) {
    make_pure(function);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    SmallVector<Value *, 4> arguments;
    unsigned next = 0;
    for (unsigned index = 0; index < call.arg_size(); ++index) {
      Type *passed = call.getArgOperand(index)->getType();
      Type *in_memory = pair_in_memory(call, index);
      Type *whole = in_memory ? in_memory : passed;
      if (!is_pair(whole)) {
        arguments.push_back(function.getArg(next++));
        continue;
      }
      Value *pair = pair_of(builder, whole, function.getArg(next), function.getArg(next + 1));
      next += 2;
      if (in_memory) {
        AllocaInst *memory = builder.CreateAlloca(in_memory);
        builder.CreateStore(pair, memory);
        pair = memory;
      }
      arguments.push_back(pair);
    }
    CallInst *inner = builder.CreateCall(callee, arguments);
    inner->setAttributes(call.getAttributes());
    builder.CreateRet(inner);
  });
}

/// `assay.complex.RULE.PART.TYPE`, which returns its argument `index`.
Function *part_function(Module &module, StringRef rule, StringRef part, unsigned index, ArrayRef<Value *> arguments) {
  Type *type = arguments.front()->getType();
  std::string name;
  raw_string_ostream(name) << "assay.complex." << rule << '.' << part << '.' << *type;
  const SmallVector<Type *, 6> parameters(arguments.size(), type);
  return own_function(module, name, FunctionType::get(type, parameters, false), [&](Function &function) {
    make_pure(function);
    LLVMContext &context = module.getContext();
    ReturnInst::Create(context, function.getArg(index), BasicBlock::Create(context, "", &function));
  });
}

/// Functions of one complex number that are made of simpler ones. Null for others.
Value *simple_function(IRBuilder<> &builder, const CallInst &call, StringRef name, ArrayRef<Value *> z) {
  Type *type = z[0]->getType();
  const StringRef suffix = type->isFloatTy() ? "f" : type->isDoubleTy() ? "" : "l";
  if (!name.consume_back(suffix) && !suffix.empty())
    return nullptr;
  const auto of_parts = [&](StringRef function, Value *first, Value *second) {
    FunctionCallee callee =
        builder.GetInsertBlock()->getModule()->getOrInsertFunction((function + suffix).str(), type, type, type);
    CallInst *made = builder.CreateCall(callee, {first, second});
    made->setDoesNotAccessMemory();
    made->setDoesNotThrow();
    made->addFnAttr(Attribute::WillReturn);
    return made;
  };
  if (name == "cabs" && call.getType() == type)
    return of_parts("hypot", z[0], z[1]);
  if (name == "carg" && call.getType() == type)
    return of_parts("atan2", z[1], z[0]);
  if (!is_pair(call.getType()))
    return nullptr;
  if (name == "conj")
    return pair_of(builder, call.getType(), z[0], builder.CreateFNeg(z[1]));
  if (name != "cproj")
    return nullptr;
  const auto is_infinite = [&](Value *part) {
    Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, part);
    return builder.CreateFCmpOEQ(size, ConstantFP::getInfinity(type));
  };
  Value *infinite = builder.CreateOr(is_infinite(z[0]), is_infinite(z[1]));
  Value *zero = builder.CreateBinaryIntrinsic(Intrinsic::copysign, Constant::getNullValue(type), z[1]);
  return pair_of(builder, call.getType(), builder.CreateSelect(infinite, ConstantFP::getInfinity(type), z[0]),
                 builder.CreateSelect(infinite, zero, z[1]));
}

bool is_simple(StringRef name) {
  return name.consume_front("c") &&
         (name.starts_with("abs") || name.starts_with("arg") || name.starts_with("onj") || name.starts_with("proj"));
}

bool replace_simple(CallInst &call, StringRef name) {
  IRBuilder<> builder(&call);
  const auto inputs = inputs_of(builder, call);
  if (!inputs || inputs->size() != 2)
    return false;
  Value *result = simple_function(builder, call, name, *inputs);
  if (!result)
    return false;
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

} // namespace

bool split_complex_call(CallInst &call, const FunctionInfo &function_info) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic())
    return false;
  const StringRef name = function_info.library_name(*callee);
  if (is_simple(name))
    return replace_simple(call, name);
  const ComplexFunction function = complex_function(name);
  if (function.arguments == 0 || !is_pair(call.getType()))
    return false;
  IRBuilder<> builder(&call);
  const auto inputs = inputs_of(builder, call);
  if (!inputs || inputs->size() != 2 * function.arguments)
    return false;

  CallInst *primal = builder.CreateCall(primal_function(call, *inputs), *inputs);
  SmallVector<Value *, 6> arguments = parts_of(builder, primal);
  arguments.append(inputs->begin(), inputs->end());
  Module &module = *call.getModule();
  Value *real = builder.CreateCall(part_function(module, function.rule, "real", 0, arguments), arguments);
  Value *imag = builder.CreateCall(part_function(module, function.rule, "imag", 1, arguments), arguments);
  call.replaceAllUsesWith(pair_of(builder, call.getType(), real, imag));
  call.eraseFromParent();
  return true;
}

} // namespace assay::engine
