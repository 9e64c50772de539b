// Calls that carry no derivative: functions of floating-point numbers that classify or round to integers, and
// intrinsics that only inform the compiler or compute with integers.

#include "core/engine/rules/device_spelling.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

static bool is_number_free(const Function &function, const FunctionInfo &function_info) {
  const LibraryFunction *known = function_info.library_function(function);
  return known && known->activity == LibraryActivity::number_free;
}

static bool is_integer_or_nothing(const Type *type) {
  if (const auto *structure = dyn_cast<StructType>(type))
    return all_of(structure->elements(), is_integer_or_nothing);
  return type->isVoidTy() || type->isIntOrIntVectorTy() || type->isMetadataTy();
}

/// Of the device's library, functions that round to integers, classify or convert integers: whatever has integers on
/// one side, but for those that move the bits of floats (prepare/device_calls.hpp) or scale by powers of two.
static bool is_integer_device_function(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front(device_library_prefix) || name.contains("_as_") || name.contains("hiint") ||
      name.contains("loint"))
    return false;
  const auto is_number = [](const Use &argument) { return argument->getType()->isFloatingPointTy(); };
  const auto is_pointer = [](const Use &argument) { return argument->getType()->isPointerTy(); };
  if (name.starts_with("nan"))
    return true;
  return none_of(call.args(), is_pointer) && (call.getType()->isIntegerTy() || none_of(call.args(), is_number));
}

/// Questions to the hardware, votes, fences and barriers. Barriers have a place in the reverse sweep all the same
/// (emit/mirrored_barriers.hpp).
static bool is_free_device_intrinsic(StringRef name) {
  if (!name.consume_front("llvm.nvvm."))
    return false;
  constexpr StringLiteral groups[] = {
      "read.ptx.sreg.", "activemask", "vote.",   "match.",   "elect.",    "isspacep.",  "barrier.",
      "bar.",           "fence.",     "membar.", "prefetch", "nanosleep", "getctarank", "is_explicit_cluster",
      "pm.event",       "exit",       "reflect"};
  return is_device_conversion(name) || any_of(groups, [&](StringRef group) { return name.starts_with(group); });
}

/// Bit counts, saturated conversions, overflow arithmetic: integers come out, and no memory is touched.
static bool is_pure_integer_intrinsic(const IntrinsicInst &call) {
  return call.doesNotAccessMemory() && is_integer_or_nothing(call.getType()) && !call.getType()->isVoidTy() &&
         none_of(call.args(), [](const Use &use) { return use->getType()->isPtrOrPtrVectorTy(); });
}

static bool is_constrained_integer_conversion(const IntrinsicInst &call) {
  return isa<ConstrainedFPIntrinsic>(call) &&
         (call.getType()->isIntOrIntVectorTy() || call.getArgOperand(0)->getType()->isIntOrIntVectorTy());
}

static bool is_annotation(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::sideeffect:
  case Intrinsic::pseudoprobe:
  case Intrinsic::fake_use:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_value:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::var_annotation:
  case Intrinsic::prefetch:
  case Intrinsic::objectsize:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
  case Intrinsic::debugtrap:
  case Intrinsic::get_rounding:
  case Intrinsic::set_rounding:
  case Intrinsic::get_fpenv:
  case Intrinsic::set_fpenv:
  case Intrinsic::reset_fpenv:
  case Intrinsic::get_fpmode:
  case Intrinsic::set_fpmode:
  case Intrinsic::reset_fpmode:
  case Intrinsic::readcyclecounter:
    return true;
  default:
    return false;
  }
}

bool is_derivative_free(const Instruction &instruction, const FunctionInfo &function_info) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return is_annotation(intrinsic->getIntrinsicID()) || is_pure_integer_intrinsic(*intrinsic) ||
           is_constrained_integer_conversion(*intrinsic) ||
           is_free_device_intrinsic(intrinsic->getCalledFunction()->getName());
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    if (is_noreturn_path_call(*call) || is_measured_search(*call) || is_integer_device_function(*call))
      return true;
    const Function *callee = call->getCalledFunction();
    if (callee && callee->getName().starts_with("assay.bits."))
      return true;
    return callee && is_number_free(*callee, function_info);
  }
  return isa<FCmpInst, FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst>(instruction);
}

} // namespace assay::engine
