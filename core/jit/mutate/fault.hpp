#pragma once
// Faults of the kinds that authors of derivatives make. A fault is a place in a derivative, or in a rule, and what goes
// wrong there.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::jit {

enum class FaultClass : std::uint8_t {
  sign,              ///< A product or difference with the other sign.
  dropped_term,      ///< One term of a sum of derivatives is missing.
  overwritten_sum,   ///< `=` in place of `+=`: what an adjoint held is lost.
  wrong_operand,     ///< A factor is another value of the primal, or missing.
  transposed_index,  ///< The address of a shadow with row and column exchanged.
  conjugate,         ///< A negation in the derivative is missing, as in a conjugate.
  wrong_iteration,   ///< A kept or recomputed value belongs to another iteration.
  missing_zeroing,   ///< An adjoint or a shadow is not set to zero.
  tape_slot,         ///< A kept value is read from the place of another.
  primal_changed,    ///< A primal operation in the derivative computes something else.
  argument_mutation, ///< A write to the caller's memory, or to its shadow, is missing.
  callable,          ///< What a called function's derivative contributes is dropped.
  constant,          ///< A constant of a rule is off.
  tape_store,        ///< A value that the reverse sweep reads was never kept.
  primal_return,     ///< The primal result is not handed on.
  missing_release,   ///< Memory is not freed.
  double_release,    ///< Memory is freed twice.
  lane_swapped,      ///< A lane of a batch computes with a number of the lane before it.
  lane_broadcast,    ///< A lane computes with a number of the first one.
  lane_dropped,      ///< What a lane computes goes nowhere.
};

inline constexpr std::array all_fault_classes{FaultClass::sign,
                                              FaultClass::dropped_term,
                                              FaultClass::overwritten_sum,
                                              FaultClass::wrong_operand,
                                              FaultClass::transposed_index,
                                              FaultClass::conjugate,
                                              FaultClass::wrong_iteration,
                                              FaultClass::missing_zeroing,
                                              FaultClass::tape_slot,
                                              FaultClass::primal_changed,
                                              FaultClass::argument_mutation,
                                              FaultClass::callable,
                                              FaultClass::constant,
                                              FaultClass::tape_store,
                                              FaultClass::primal_return,
                                              FaultClass::missing_release,
                                              FaultClass::double_release,
                                              FaultClass::lane_swapped,
                                              FaultClass::lane_broadcast,
                                              FaultClass::lane_dropped};

/// `sign`, `dropped-term`, ...
std::string_view name_of(FaultClass kind);
std::optional<FaultClass> fault_class_named(std::string_view name);

struct Fault {
  FaultClass kind = FaultClass::sign;
  std::string place;   ///< The derivatives of one name (`diffe.f`), or the rule (`atan2`).
  unsigned number = 0; ///< Among those of its class there.
  unsigned line = 0;   ///< Of the source, 0 where it is unknown.
  std::string text;    ///< What is changed, for people.
};

} // namespace assay::jit
