#include "core/engine/rules/device_spelling.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// By the first part of the intrinsic's name.
StringRef operation_of(StringRef instruction) {
  return StringSwitch<StringRef>(instruction)
      .Case("add", "fadd")
      .Case("mul", "fmul")
      .Case("div", "fdiv")
      .Case("neg", "fneg")
      .Case("fma", "fma")
      .Case("rcp", "rcp")
      .Case("sqrt", "sqrt")
      .Case("rsqrt", "rsqrt")
      .Case("fabs", "fabs")
      .Case("fmax", "fmax")
      .Case("fmin", "fmin")
      .Case("saturate", "saturate")
      .Case("ceil", "ceil")
      .Case("floor", "floor")
      .Case("trunc", "trunc")
      .Case("round", "rint")
      .Case("sin", "sin")
      .Case("cos", "cos")
      .Case("tanh", "tanh")
      .Case("ex2", "exp2")
      .Case("lg2", "log2")
      .Cases({"d2f", "f2h", "bf2h", "f2bf16", "f2f16"}, "fptrunc")
      .Default("");
}

/// Parts that only say how a result is rounded and of which type it is.
bool keeps_operation(StringRef part) {
  return StringSwitch<bool>(part)
      .Cases({"rn", "rz", "rm", "rp", "ftz", "approx", "full"}, true)
      .Cases({"f", "d", "f16", "bf16", "f16x2", "bf16x2"}, true)
      .Default(false);
}

} // namespace

std::string device_operation(StringRef name) {
  SmallVector<StringRef, 6> parts;
  name.split(parts, '.');
  std::string operation = operation_of(parts.front()).str();
  for (StringRef part : drop_begin(parts)) {
    if (part == "nan" && operation == "fmax")
      operation = "maximum";
    else if (part == "nan" && operation == "fmin")
      operation = "minimum";
    else if (!keeps_operation(part))
      return {};
  }
  return operation;
}

bool is_device_conversion(StringRef name) {
  const StringRef conversion = name.split('.').first;
  const auto [from, to] = conversion.split('2');
  const auto is_integer = [](StringRef type) { return is_contained({"i", "ui", "ll", "ull"}, type); };
  const auto is_number = [&](StringRef type) { return is_integer(type) || is_contained({"f", "d", "h"}, type); };
  return is_number(from) && is_number(to) && (is_integer(from) || is_integer(to));
}

} // namespace assay::engine
