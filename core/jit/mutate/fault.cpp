#include "core/jit/mutate/fault.hpp"

namespace assay::jit {

std::string_view name_of(FaultClass kind) {
  switch (kind) {
  case FaultClass::sign:
    return "sign";
  case FaultClass::dropped_term:
    return "dropped-term";
  case FaultClass::overwritten_sum:
    return "overwritten-sum";
  case FaultClass::wrong_operand:
    return "wrong-operand";
  case FaultClass::transposed_index:
    return "transposed-index";
  case FaultClass::conjugate:
    return "conjugate";
  case FaultClass::wrong_iteration:
    return "wrong-iteration";
  case FaultClass::missing_zeroing:
    return "missing-zeroing";
  case FaultClass::tape_slot:
    return "tape-slot";
  case FaultClass::primal_changed:
    return "primal-changed";
  case FaultClass::argument_mutation:
    return "argument-mutation";
  case FaultClass::callable:
    return "callable";
  case FaultClass::constant:
    return "constant";
  case FaultClass::tape_store:
    return "tape-store";
  case FaultClass::primal_return:
    return "primal-return";
  case FaultClass::missing_release:
    return "missing-release";
  case FaultClass::double_release:
    return "double-release";
  case FaultClass::lane_swapped:
    return "lane-swapped";
  case FaultClass::lane_broadcast:
    return "lane-broadcast";
  case FaultClass::lane_dropped:
    return "lane-dropped";
  }
  return "unknown";
}

std::optional<FaultClass> fault_class_named(std::string_view name) {
  for (const FaultClass kind : all_fault_classes)
    if (name_of(kind) == name)
      return kind;
  return std::nullopt;
}

} // namespace assay::jit
