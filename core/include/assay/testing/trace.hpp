#pragma once
// How a subject lets the check see the numbers between its inputs and its outputs, to find the first one whose
// derivative is wrong.

#include <assay/testing/subject.hpp>

namespace assay::testutils {

/// A place of the program where a number comes to be or is taken.
struct TraceSite {
  enum class Kind : std::uint8_t {
    result,  ///< Of an operation.
    operand, ///< Of an operation.
    loaded,  ///< From memory.
    stored,  ///< To memory.
    call     ///< No number: a call of code that cannot be seen into and that may use memory.
  };
  Kind kind = Kind::result;
  std::string what;  ///< `the result of the call of g`, `argument 1 of the call of g`, `the product`.
  std::string place; ///< `f.c:12 in f`.
};

/// The values of one run, in the order of the function's own computation (in reverse mode too).
struct Trace {
  struct Number {
    std::uint32_t site = 0;
    double value = 0;
    double derivative = 0;       ///< Its tangent or adjoint.
    bool has_derivative = false; ///< False: the derivative has none for it, which means zero.
    std::uintptr_t address = 0;  ///< Where a loaded or stored number stands in memory; 0: not known.
  };
  /// A call that cannot be seen into, made after so many numbers.
  struct Mark {
    std::uint32_t site = 0;
    std::size_t position = 0;
  };
  std::vector<Number> numbers; ///< The first of them, if there are too many.
  std::vector<Mark> marks;
  std::size_t count = 0; ///< Of all numbers.
};

/// A function and one derivative of it whose numbers can be seen.
class Tracer {
public:
  virtual ~Tracer() = default;

  /// By the number of the site.
  virtual const std::vector<TraceSite> &sites() const = 0;
  /// Runs the function with `amounts[n]` added to the n-th number (those behind the end of `amounts`: nothing).
  virtual PrimalOutcome evaluate(const Arguments &inputs, const Values &amounts, Trace &trace) = 0;
  virtual DerivativeOutcome differentiate(const DerivativeRequest &request, Trace &trace) = 0;
};

/// The first number, in the order of the derivative's computation, whose tangent or adjoint is wrong.
struct FirstWrong {
  std::string what;  ///< `the adjoint of argument 1 of the call of g`.
  std::string place; ///< `f.c:12 in f`.
  double derivative = 0;
  double expected = 0;
  std::size_t execution = 0;  ///< The how-manieth time, from 1, that the place was passed; 0: not known.
  std::size_t executions = 0; ///< How often it is passed.
};

} // namespace assay::testutils
