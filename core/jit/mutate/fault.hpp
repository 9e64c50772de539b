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
  sign,               ///< A product or difference with the other sign.
  dropped_term,       ///< One term of a sum of derivatives is missing.
  overwritten_sum,    ///< `=` in place of `+=`: what an adjoint held is lost.
  wrong_operand,      ///< A factor is another value of the primal, or missing.
  transposed_index,   ///< The address of a shadow with row and column exchanged.
  conjugate,          ///< A negation in the derivative is missing, as in a conjugate.
  wrong_iteration,    ///< A kept or recomputed value belongs to another iteration.
  missing_zeroing,    ///< An adjoint or a shadow is not set to zero.
  tape_slot,          ///< A kept value is read from the place of another.
  primal_changed,     ///< A primal operation in the derivative computes something else.
  argument_mutation,  ///< A write to the caller's memory, or to its shadow, is missing.
  callable,           ///< What a called function's derivative contributes is dropped.
  constant,           ///< A constant of a rule is off.
  tape_store,         ///< A value that the reverse sweep reads was never kept.
  primal_return,      ///< The primal result is not handed on.
  missing_release,    ///< Memory is not freed.
  double_release,     ///< Memory is freed twice.
  lane_swapped,       ///< A lane of a batch computes with a number of the lane before it.
  lane_broadcast,     ///< A lane computes with a number of the first one.
  lane_dropped,       ///< What a lane computes goes nowhere.
  zero_division,      ///< A factor is multiplied and divided by itself: not a number where it is 0.
  equal_division,     ///< A factor is divided by a difference: not a number where two values are equal.
  single_precision,   ///< A constant or a factor is rounded to single precision.
  tiny_sign,          ///< A derivative far below 1 has the other sign.
  magnitude,          ///< A factor is wrong where it is above 1000, or below 1/1000.
  detached,           ///< A factor has no derivative of its own: second derivatives miss it.
  last_call,          ///< A value of the last call, kept in a variable, comes in place of the present one.
  cached_address,     ///< A value is kept as long as an argument has the same address.
  call_counter,       ///< A factor is wrong from the second call on.
  changed_variable,   ///< A variable of the program is left changed.
  seed_of_one,        ///< A seed is taken for 1.
  seed_zero,          ///< A seed of zero is taken for 1.
  seed_tiny,          ///< A seed below 1e-10 is taken for zero.
  seed_huge,          ///< A seed beyond 1e10 is cut off.
  length,             ///< A loop, an allocation or a copy is one element too short or too long.
  tail,               ///< The length of a loop is rounded down to a multiple of 2 or 4.
  leading_dimension,  ///< Another integer argument in place of a leading dimension.
  unit_stride,        ///< A stride of 1 in place of the one that is given.
  read_late,          ///< An input is read after an output has been written.
  one_side,           ///< A derivative is wrong on one side of a comparison.
  threshold,          ///< A number is compared with another threshold.
  tie,                ///< Of two equal numbers the other side is taken.
  rounding_mode,      ///< The rounding mode is left changed.
  flush_to_zero,      ///< Subnormal numbers are zero from then on.
  trap,               ///< Floating-point exceptions trap from then on.
  open_file,          ///< A file descriptor is left open.
  early_release,      ///< Memory is freed before it is read.
  mismatched_release, ///< Memory is freed by the function of another allocator.
  lane_seed,          ///< The first lane's seed is used for all lanes.
  dropped_barrier,    ///< Threads of a block do not wait for each other.
  moved_barrier,      ///< They wait before the accesses that a barrier has to follow.
  plain_atomic,       ///< An atomic addition is not atomic.
  shuffle_lane,       ///< A shuffle takes the number of another lane.
  uncleared_shared,   ///< Shared memory is not set to zero.
};

struct NamedFaultClass {
  FaultClass kind;
  std::string_view name;
};

/// All classes, with the names that users write.
inline constexpr std::array fault_classes{
    NamedFaultClass{FaultClass::sign, "sign"},
    NamedFaultClass{FaultClass::dropped_term, "dropped-term"},
    NamedFaultClass{FaultClass::overwritten_sum, "overwritten-sum"},
    NamedFaultClass{FaultClass::wrong_operand, "wrong-operand"},
    NamedFaultClass{FaultClass::transposed_index, "transposed-index"},
    NamedFaultClass{FaultClass::conjugate, "conjugate"},
    NamedFaultClass{FaultClass::wrong_iteration, "wrong-iteration"},
    NamedFaultClass{FaultClass::missing_zeroing, "missing-zeroing"},
    NamedFaultClass{FaultClass::tape_slot, "tape-slot"},
    NamedFaultClass{FaultClass::primal_changed, "primal-changed"},
    NamedFaultClass{FaultClass::argument_mutation, "argument-mutation"},
    NamedFaultClass{FaultClass::callable, "callable"},
    NamedFaultClass{FaultClass::constant, "constant"},
    NamedFaultClass{FaultClass::tape_store, "tape-store"},
    NamedFaultClass{FaultClass::primal_return, "primal-return"},
    NamedFaultClass{FaultClass::missing_release, "missing-release"},
    NamedFaultClass{FaultClass::double_release, "double-release"},
    NamedFaultClass{FaultClass::lane_swapped, "lane-swapped"},
    NamedFaultClass{FaultClass::lane_broadcast, "lane-broadcast"},
    NamedFaultClass{FaultClass::lane_dropped, "lane-dropped"},
    NamedFaultClass{FaultClass::zero_division, "zero-division"},
    NamedFaultClass{FaultClass::equal_division, "equal-division"},
    NamedFaultClass{FaultClass::single_precision, "single-precision"},
    NamedFaultClass{FaultClass::tiny_sign, "tiny-sign"},
    NamedFaultClass{FaultClass::magnitude, "magnitude"},
    NamedFaultClass{FaultClass::detached, "detached"},
    NamedFaultClass{FaultClass::last_call, "last-call"},
    NamedFaultClass{FaultClass::cached_address, "cached-address"},
    NamedFaultClass{FaultClass::call_counter, "call-counter"},
    NamedFaultClass{FaultClass::changed_variable, "changed-variable"},
    NamedFaultClass{FaultClass::seed_of_one, "seed-of-one"},
    NamedFaultClass{FaultClass::seed_zero, "seed-zero"},
    NamedFaultClass{FaultClass::seed_tiny, "seed-tiny"},
    NamedFaultClass{FaultClass::seed_huge, "seed-huge"},
    NamedFaultClass{FaultClass::length, "length"},
    NamedFaultClass{FaultClass::tail, "tail"},
    NamedFaultClass{FaultClass::leading_dimension, "leading-dimension"},
    NamedFaultClass{FaultClass::unit_stride, "unit-stride"},
    NamedFaultClass{FaultClass::read_late, "read-late"},
    NamedFaultClass{FaultClass::one_side, "one-side"},
    NamedFaultClass{FaultClass::threshold, "threshold"},
    NamedFaultClass{FaultClass::tie, "tie"},
    NamedFaultClass{FaultClass::rounding_mode, "rounding-mode"},
    NamedFaultClass{FaultClass::flush_to_zero, "flush-to-zero"},
    NamedFaultClass{FaultClass::trap, "trap"},
    NamedFaultClass{FaultClass::open_file, "open-file"},
    NamedFaultClass{FaultClass::early_release, "early-release"},
    NamedFaultClass{FaultClass::mismatched_release, "mismatched-release"},
    NamedFaultClass{FaultClass::lane_seed, "lane-seed"},
    NamedFaultClass{FaultClass::dropped_barrier, "dropped-barrier"},
    NamedFaultClass{FaultClass::moved_barrier, "moved-barrier"},
    NamedFaultClass{FaultClass::plain_atomic, "plain-atomic"},
    NamedFaultClass{FaultClass::shuffle_lane, "shuffle-lane"},
    NamedFaultClass{FaultClass::uncleared_shared, "uncleared-shared"},
};

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
