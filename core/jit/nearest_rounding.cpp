#include "core/jit/nearest_rounding.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cfenv>

using namespace llvm;

namespace assay::jit {

namespace {

constexpr const char *enter_name = "assay_enter_nearest_rounding", *leave_name = "assay_leave_nearest_rounding";

int enter_nearest() {
  const int before = std::fegetround();
  if (before != FE_TONEAREST)
    std::fesetround(FE_TONEAREST);
  return before;
}

void leave_nearest(int before) {
  if (before != FE_TONEAREST)
    std::fesetround(before);
}

bool rounds_to_integers(StringRef name) {
  for (const char *suffix : {"f", "l"})
    name.consume_back(suffix);
  return StringSwitch<bool>(name).Cases({"rint", "nearbyint", "lrint", "llrint"}, true).Default(false);
}

bool reads_or_prints(StringRef name) {
  name.consume_front("__isoc99_");
  name.consume_front("__isoc23_");
  return StringSwitch<bool>(name)
      .Cases({"printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf"}, true)
      .Cases({"__sprintf_chk", "__snprintf_chk", "__vsprintf_chk", "__vsnprintf_chk", "strfromd", "strfromf"}, true)
      .Cases({"scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf"}, true)
      .Cases({"atof", "strtod", "strtof", "strtold", "ecvt", "fcvt", "gcvt"}, true)
      .StartsWith("_ZNSo9_M_insertI", true) // std::ostream << number
      .StartsWith("_ZNSi10_M_extractI", true)
      .StartsWith("_ZSt8to_chars", true)
      .StartsWith("_ZSt10from_chars", true)
      .Default(false);
}

bool rounds_by_steps(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return false;
  switch (callee->getIntrinsicID()) {
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return true;
  default:
    return rounds_to_integers(callee->getName()) || reads_or_prints(callee->getName());
  }
}

bool chooses_modes(const Module &module) {
  for (const char *name : {"fesetround", "fesetenv", "feupdateenv", "llvm.set.rounding", "llvm.x86.sse.ldmxcsr"})
    if (module.getFunction(name))
      return true;
  return false;
}

} // namespace

void keep_nearest_rounding(Module &module) {
  SmallVector<CallInst *, 8> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && !call->isMustTailCall() && rounds_by_steps(*call))
        calls.push_back(call);
  if (calls.empty() || chooses_modes(module))
    return;
  IRBuilder<> builder(module.getContext());
  const FunctionCallee enter = module.getOrInsertFunction(enter_name, builder.getInt32Ty());
  const FunctionCallee leave = module.getOrInsertFunction(leave_name, builder.getVoidTy(), builder.getInt32Ty());
  for (CallInst *call : calls) {
    builder.SetInsertPoint(call);
    CallInst *before = builder.CreateCall(enter);
    builder.SetInsertPoint(call->getNextNode());
    builder.CreateCall(leave, {before});
    // The calls access the floating-point environment, which the attribute may exclude.
    call->getFunction()->removeFnAttr(Attribute::Memory);
  }
}

NamedFunctions nearest_rounding_symbols() {
  return {{enter_name, reinterpret_cast<void *>(&enter_nearest)},
          {leave_name, reinterpret_cast<void *>(&leave_nearest)}};
}

} // namespace assay::jit
