#include "core/engine/rules/helper_functions.hpp"
#include "core/engine/rules/digamma.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {

/// Where r is neither zero, subnormal, infinite nor NaN, r / x is x^(y - 1) to the last bits (and x is not zero); the
/// call of pow would be dearer and, for large |log x|, less accurate, because y - 1 is rounded.
static void write_lowered_power(Function &function, const Dialect &dialect) {
  LLVMContext &context = function.getContext();
  Value *x = function.getArg(0), *y = function.getArg(1), *r = function.getArg(2);
  Type *type = x->getType();
  auto *entry = BasicBlock::Create(context, "entry", &function);
  auto *quotient = BasicBlock::Create(context, "quotient", &function);
  auto *power = BasicBlock::Create(context, "power", &function);

  IRBuilder<> builder(entry);
  const fltSemantics &semantics = type->getFltSemantics();
  Value *size = emit_call(builder, dialect, "fabs", type, r);
  Value *normal = builder.CreateFCmpOGE(size, ConstantFP::get(type, APFloat::getSmallestNormalized(semantics)));
  Value *finite = builder.CreateFCmpOLE(size, ConstantFP::get(type, APFloat::getLargest(semantics)));
  builder.CreateCondBr(builder.CreateAnd(normal, finite), quotient, power);

  builder.SetInsertPoint(quotient);
  builder.CreateRet(builder.CreateFDiv(r, x));
  builder.SetInsertPoint(power);
  Value *lowered = builder.CreateFSub(y, ConstantFP::get(type, 1.0));
  builder.CreateRet(emit_call(builder, dialect, "pow", type, {x, lowered}));
}

bool is_helper(StringRef name) {
  return name == "digamma" || name == "lowered_power";
}

/// Digamma is written for double and wider; lowered_power asks whether its result is normal in the very type.
Type *helper_type(StringRef name, Type *type) {
  return name == "digamma" && type->getPrimitiveSizeInBits() < 64 ? Type::getDoubleTy(type->getContext()) : type;
}

static StringRef family_name(Family family) {
  switch (family) {
  case Family::intrinsic:
    return "intrinsic";
  case Family::libm:
    return "libm";
  case Family::libdevice:
    return "libdevice";
  }
  llvm_unreachable("unknown family");
}

static std::string type_name(const Type *type) {
  std::string text;
  raw_string_ostream(text) << *type;
  return text;
}

Function *helper_function(Module &module, const Dialect &dialect, StringRef name, FunctionType *signature) {
  const std::string full_name = ("assay." + name + "." + family_name(dialect.family) + "." +
                                 type_name(signature->getReturnType()) + (dialect.suffix == "f128" ? "f128" : ""))
                                    .str();
  return own_function(module, full_name, signature, [&](Function &function) {
    function.setDoesNotAccessMemory();
    function.setWillReturn();
    function.setDoesNotRecurse();
    if (name == "digamma")
      write_digamma(function, dialect);
    else
      write_lowered_power(function, dialect);
  });
}

static bool is_short_helper(const Function *function) {
  const auto begins = [&](StringRef prefix) { return function->getName().starts_with(prefix); };
  return function && !begins(list_prefix) && !begins(exception_prefix) &&
         any_of(ArrayRef<StringRef>(
                    {"assay.lowered_power.", "assay.complex.", "assay.primal.", "assay.shuffle.", "assay.device.add."}),
                begins);
}

/// The sums of the body are those of the group to which the call belonged.
static void mark_sums(Function::iterator begin, Function::iterator end, MDNode &group) {
  for (BasicBlock &block : make_range(begin, end))
    for (Instruction &instruction : block)
      if (place_of_adjoint_sum(instruction))
        mark_sum_group(instruction, group);
}

void inline_helpers(Function &derivative) {
  SmallVector<CallInst *, 4> calls;
  for (Instruction &instruction : instructions(derivative))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && is_short_helper(call->getCalledFunction()))
      calls.push_back(call);
  for (CallInst *call : calls) {
    MDNode *group = sum_group(*call);
    const Function::iterator before = call->getParent()->getIterator();
    Instruction *behind = call->getNextNode();
    InlineFunctionInfo information;
    if (InlineFunction(*call, information).isSuccess() && group)
      mark_sums(std::next(before), behind->getParent()->getIterator(), *group);
  }
}

} // namespace assay::engine
