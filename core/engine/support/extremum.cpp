#include "core/engine/support/extremum.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {

bool is_extremum(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || call->arg_size() != 2)
    return false;
  switch (callee->getIntrinsicID()) {
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::maximumnum:
  case Intrinsic::minimumnum:
  case Intrinsic::nvvm_fmax_f:
  case Intrinsic::nvvm_fmin_f:
  case Intrinsic::nvvm_fmax_ftz_f:
  case Intrinsic::nvvm_fmin_ftz_f:
  case Intrinsic::nvvm_fmax_d:
  case Intrinsic::nvvm_fmin_d:
    return true;
  case Intrinsic::not_intrinsic:
    return library_role(*callee) == LibraryRole::extremum;
  default:
    return false;
  }
}

std::optional<Extremum> extremum_of_numbers(const Instruction &instruction) {
  if (!is_extremum(instruction))
    return std::nullopt;
  const Function &callee = *cast<CallBase>(instruction).getCalledFunction();
  switch (callee.getIntrinsicID()) {
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
  case Intrinsic::nvvm_fmax_f:
  case Intrinsic::nvvm_fmax_ftz_f:
  case Intrinsic::nvvm_fmax_d:
    return Extremum::maximum;
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
  case Intrinsic::nvvm_fmin_f:
  case Intrinsic::nvvm_fmin_ftz_f:
  case Intrinsic::nvvm_fmin_d:
    return Extremum::minimum;
  case Intrinsic::not_intrinsic:
    return StringSwitch<std::optional<Extremum>>(callee.getName())
        .Cases({"fmax", "fmaxf", "__nv_fmax", "__nv_fmaxf"}, Extremum::maximum)
        .Cases({"fmin", "fminf", "__nv_fmin", "__nv_fminf"}, Extremum::minimum)
        .Default(std::nullopt);
  default:
    return std::nullopt;
  }
}

} // namespace assay::engine
