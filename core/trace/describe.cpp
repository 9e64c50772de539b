#include "core/trace/describe.hpp"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace assay::trace {

namespace {

std::string readable(const Function &function) {
  return demangle(function.getName().str());
}

/// `fmuladd` of `llvm.fmuladd.f64`.
StringRef intrinsic_name(const IntrinsicInst &intrinsic) {
  StringRef name = Intrinsic::getBaseName(intrinsic.getIntrinsicID());
  name.consume_front("llvm.");
  return name;
}

std::string describe_call(const CallBase &call) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return ("the call of " + intrinsic_name(*intrinsic)).str();
  const Function *callee = call.getCalledFunction();
  return callee ? "the call of " + readable(*callee) : std::string("the call through a pointer");
}

const char *name_of_operation(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
    return "the sum";
  case Instruction::FSub:
    return "the difference";
  case Instruction::FMul:
    return "the product";
  case Instruction::FDiv:
    return "the quotient";
  case Instruction::FRem:
    return "the remainder";
  case Instruction::FNeg:
    return "the negation";
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return "the conversion";
  case Instruction::Load:
    return "the loaded value";
  case Instruction::Select:
    return "the choice";
  case Instruction::Ret:
    return "the returned value";
  case Instruction::ExtractElement:
  case Instruction::ExtractValue:
    return "a part";
  default:
    return "the result";
  }
}

/// Of a function that was inlined: its own name.
std::string function_of(const Instruction &instruction) {
  if (const DILocation *location = instruction.getDebugLoc().get())
    if (const DISubprogram *program = location->getScope()->getSubprogram())
      return program->getName().str();
  return readable(*instruction.getFunction());
}

} // namespace

std::string describe(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return describe_call(*call);
  if (const auto *part = dyn_cast<ExtractValueInst>(&instruction))
    if (const auto *call = dyn_cast<CallBase>(part->getAggregateOperand()))
      return "a part of the result of " + describe_call(*call);
  return name_of_operation(instruction);
}

std::string describe_operand(const Instruction &instruction, unsigned operand) {
  if (isa<StoreInst>(instruction))
    return "the stored value";
  if (isa<ReturnInst>(instruction))
    return "the returned value";
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return "argument " + std::to_string(operand + 1) + " of " + describe_call(*call);
  if (isa<BinaryOperator>(instruction))
    return (operand == 0 ? "the left operand of " : "the right operand of ") + describe(instruction);
  return "the operand of " + describe(instruction);
}

std::string place_of(const Instruction &instruction) {
  const std::string function = "in " + function_of(instruction);
  const DILocation *location = instruction.getDebugLoc().get();
  if (!location || location->getLine() == 0)
    return function;
  return (sys::path::filename(location->getFilename()) + ":" + Twine(location->getLine()) + " " + function).str();
}

} // namespace assay::trace
