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
                                .Cases({"cpow", "cpowf"}, "pow")
                                .Default("");
  if (!product.empty())
    return {product, 2};
  for (StringRef base : {"exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan",
                         "asinh", "acosh", "atanh"}) {
    StringRef rest = name;
    if (rest.consume_front("c") && rest.consume_front(base) && (rest.empty() || rest == "f"))
      return {base, 1};
  }
  return {};
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

/// An inactive function that does nothing but the call.
Function *primal_function(CallInst &call) {
  Module &module = *call.getModule();
  Function *callee = call.getCalledFunction();
  const std::string name = ("assay.primal." + callee->getName()).str();
  return own_function(module, name, callee->getFunctionType(), [&](Function &function) {
    make_pure(function);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    SmallVector<Value *, 4> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
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

} // namespace

bool split_complex_call(CallInst &call, const Knowledge &knowledge) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || !is_pair(call.getType()))
    return false;
  const ComplexFunction function = complex_function(knowledge.library_name(*callee));
  IRBuilder<> builder(&call);
  SmallVector<Value *, 4> inputs;
  if (function.arguments == 0 || any_of(call.args(), [](const Use &use) {
        return !is_pair(use->getType()) && !use->getType()->isFloatingPointTy();
      }))
    return false;
  for (const Use &argument : call.args())
    inputs.append(parts_of(builder, argument));
  if (inputs.size() != 2 * function.arguments)
    return false;

  CallInst *primal = builder.CreateCall(primal_function(call), SmallVector<Value *, 4>(call.args()));
  SmallVector<Value *, 6> arguments = parts_of(builder, primal);
  arguments.append(inputs);
  Module &module = *call.getModule();
  Value *real = builder.CreateCall(part_function(module, function.rule, "real", 0, arguments), arguments);
  Value *imag = builder.CreateCall(part_function(module, function.rule, "imag", 1, arguments), arguments);
  call.replaceAllUsesWith(pair_of(builder, call.getType(), real, imag));
  call.eraseFromParent();
  return true;
}

} // namespace assay::engine
