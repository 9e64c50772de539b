#pragma once
// A precise oracle for functions of which there is a widened version: the function as it is compiled, in which each
// number carries a movement of 113 bits beside it (core/widen). The plugin writes it for a compiled test:
//
//     test_reverse_all(TestOptions{.oracle = wide_arithmetic}, f, x);
//
// and for all tests of a file with -DASSAY_ORACLE=assay::wide_arithmetic. Code that it does not follow is named in the
// record, and finite differences decide there.

#include <assay/function_ref.hpp>
#include <assay/testing/subject.hpp>

#include <memory>

namespace assay {

/// As `TestOptions::oracle`.
struct WideArithmetic {};
inline constexpr WideArithmetic wide_arithmetic{};

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

} // namespace testutils
} // namespace assay
