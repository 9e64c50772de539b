// From the name in the program to the name in the table: prefixes and suffixes of the families are taken off.

#include "core/engine/rules/device_spelling.hpp"
#include "core/engine/rules/dialect.hpp"
#include "core/engine/rules/rule_table.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace assay::engine {

static StringRef name_of_opcode(unsigned opcode) {
  switch (opcode) {
  case Instruction::FAdd:
    return "fadd";
  case Instruction::FSub:
    return "fsub";
  case Instruction::FMul:
    return "fmul";
  case Instruction::FDiv:
    return "fdiv";
  case Instruction::FRem:
    return "frem";
  case Instruction::FNeg:
    return "fneg";
  case Instruction::FPTrunc:
    return "fptrunc";
  case Instruction::FPExt:
    return "fpext";
  default:
    return "";
  }
}

/// The suffixes that a libm name may have for `type`, longest first.
static ArrayRef<StringRef> suffixes_of(const Type *type) {
  static constexpr StringRef for_float[] = {"f32", "f"};
  static constexpr StringRef for_double[] = {"f32x", "f64", "l"};
  static constexpr StringRef for_long[] = {"f64x", "f128", "l"};
  if (type->isFloatTy())
    return for_float;
  if (type->isDoubleTy())
    return for_double;
  return for_long;
}

/// The entry that `name`, a function that returns `type`, stands for; `suffix` receives what was taken off.
static std::string strip_suffix(StringRef name, const Type *type, std::string &suffix) {
  for (StringRef candidate : suffixes_of(type->getScalarType())) {
    StringRef base = name;
    if (base.consume_back(candidate) && RuleTable::get().find(base)) {
      suffix = candidate.str();
      return base.str();
    }
  }
  // In lgammaf_r the suffix stands before "_r".
  StringRef base = name;
  if (base.consume_back("_r")) {
    std::string inner = strip_suffix(base, type, suffix);
    if (!suffix.empty())
      return inner + "_r";
  }
  return name.str();
}

static Spelling intrinsic_spelling(const IntrinsicInst &call) {
  StringRef name = Intrinsic::getBaseName(call.getIntrinsicID());
  Spelling spelling;
  name.consume_front("llvm.");
  name.consume_front("experimental.constrained.");
  spelling.name = name.consume_front("nvvm.") ? device_operation(name) : name.str();
  return spelling;
}

static Spelling spelling_in_program(const Instruction &instruction, StringRef library_name) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic_spelling(*intrinsic);
  Spelling spelling;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call) {
    spelling.name = name_of_opcode(instruction.getOpcode()).str();
    return spelling;
  }
  StringRef name = library_name;
  spelling.dialect.family = Family::libm;
  spelling.dialect.calling_convention = call->getCallingConv();
  spelling.dialect.pure = call->doesNotAccessMemory();
  if (name.consume_front(device_library_prefix)) {
    spelling.dialect.family = Family::libdevice;
    name.consume_front("fast_");
  } else if (name.ends_with("_finite") && name.consume_front("__")) {
    name.consume_back("_finite");
  }
  spelling.name = strip_suffix(name, call->getType(), spelling.dialect.suffix);
  return spelling;
}

Spelling spelling_of(const Instruction &instruction, StringRef library_name) {
  Spelling spelling = spelling_in_program(instruction, library_name);
  if (spelling.dialect.family == Family::intrinsic && is_device_code(instruction))
    spelling.dialect.family = Family::libdevice; // the device has no instructions for most
  return spelling;
}

} // namespace assay::engine
