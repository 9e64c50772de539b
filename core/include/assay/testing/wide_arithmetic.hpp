#pragma once
// A precise oracle for functions of which there is a widened version: the function as it is compiled, in which each
// number carries a movement of 113 bits beside it (core/widen). The plugin writes it for a compiled test. Another
// oracle is chosen for one test,
//
//     test_reverse_all(TestOptions{.oracle = wide_reassessment}, f, x);
//
// and for all tests of a file with -DASSAY_ORACLE=assay::wide_reassessment. Code that it does not follow is named in
// the record, and finite differences decide there.

#include <assay/function_ref.hpp>
#include <assay/testing/subject.hpp>

#include <memory>

namespace assay::testutils {
/// No function of a program has this type: a derivative that calls through a pointer tries every function of the file
/// that fits.
using Aside = void(void *data, char, short, char, long double);
} // namespace assay::testutils

/// Calls function(data, 0, 0, 0, 0), which widened code does not follow.
// NOLINTNEXTLINE(readability-identifier-naming): the prefix of run-time functions for widened code.
extern "C" void assay_wide_aside(assay::testutils::Aside *function, void *data);

namespace assay {

/// As `TestOptions::oracle`, the default: before finite differences. Where it rejects a derivative, the derivative's
/// own code is computed again in wide arithmetic, as the function is: rounding is no fault.
struct WideArithmetic {};
inline constexpr WideArithmetic wide_arithmetic{};

/// Only where finite differences reject a derivative or cannot judge it: faster where calls are slow, and blind to
/// errors below theirs.
struct WideReassessment {};
inline constexpr WideReassessment wide_reassessment{};

namespace testutils {

/// Where a number is; null if it does not move.
struct NumberPlace {
  const void *address = nullptr;
  std::size_t size = 0; ///< How many bytes carry it.
};

/// Of every element.
struct WidePlaces {
  std::vector<NumberPlace> result; ///< Empty before the call, and where the result is not differentiated.
  std::vector<std::vector<NumberPlace>> arguments;
};

/// Calls the widened function at `inputs`, with memory of its own, between `before` and `after`. (No class with virtual
/// functions: each of those would be one more function that a derivative of a virtual call has to try.)
using WideCall = FunctionRef<void(const Arguments &inputs, FunctionRef<void(const WidePlaces &)> before,
                                  FunctionRef<void(const WidePlaces &)> after)>;

/// How many operations on moving numbers may still run.
struct WideBudget {
  std::uint64_t operations = 25'000'000; ///< About ten seconds.
};

/// Of a function that is computed again in wide arithmetic from the inputs on, whose numbers carry corrections.
PreciseDerivative corrected_derivative(WideCall call, const Signature &signature, const Arguments &inputs,
                                       const Arguments &direction, WideBudget &budget);

PreciseDerivative wide_derivative(WideCall call, const Signature &signature, const Arguments &inputs,
                                  const Arguments &direction, WideBudget &budget);

using DeriveInWide = PreciseDerivative (*)(WideCall, const Signature &, const Arguments &inputs,
                                           const Arguments &direction, WideBudget &);

/// Of the numbers of a derivative, one entry for each lane.
struct DerivativePlaces {
  std::vector<std::vector<NumberPlace>> result_tangents;
  std::vector<std::vector<std::vector<NumberPlace>>> shadows; ///< Of each argument.
};
using UseDerivative = FunctionRef<void(const DerivativeOutcome &, const DerivativePlaces &)>;

/// Of a derivative whose numbers carry corrections: `call` runs it and hands over its outcome, while its memory is
/// there.
WideOutcome corrected_outcome(FunctionRef<void(UseDerivative)> call, WideBudget &budget);

/// Of a batch, or of another form, by calls of `plain` for one lane after the other.
WideOutcome outcome_by_lanes(const DerivativeRequest &request, const Combination &plain,
                             FunctionRef<WideOutcome(const DerivativeRequest &)> differentiate_in_wide);

} // namespace testutils
} // namespace assay
