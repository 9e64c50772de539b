#pragma once
// Whole numbers that follow from others: `8`, `n*lda`, `max(1, 1+(n-1)*abs(incx))`.
//
//   sum     = product { (+ | -) product }
//   product = factor { (* | /) factor }                  a quotient is rounded toward zero, as in C
//   factor  = [-] (number | name | ( sum ) | abs(sum) | min(sum, sum) | max(sum, sum))
//
// A name is that of a parameter, or $1, $2, ... for the first, second, ... one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::jit {

/// What does not fit, and where in the text.
struct FormulaError : std::runtime_error {
  FormulaError(std::size_t position, const std::string &problem) : std::runtime_error(problem), position(position) {}
  std::size_t position;
};

/// One step of a stack machine.
struct FormulaStep {
  enum class Kind : std::uint8_t { number, name, add, subtract, multiply, divide, negate, magnitude, least, greatest };
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::string name = {};
  friend bool operator==(const FormulaStep &, const FormulaStep &) = default;
};

class IntegerFormula {
public:
  IntegerFormula() : IntegerFormula(0) {}
  explicit IntegerFormula(std::int64_t value)
      : steps_{{FormulaStep::Kind::number, value}}, text_(std::to_string(value)) {}
  IntegerFormula(std::vector<FormulaStep> steps, std::string text) : steps_(std::move(steps)), text_(std::move(text)) {}

  bool is_constant() const;
  std::vector<std::string> names() const;
  /// `value_of` gives the number of a name. Throws std::range_error where a number leaves 64 bits or is divided by 0.
  std::int64_t value(const std::function<std::int64_t(const std::string &)> &value_of) const;
  const std::string &text() const { return text_; }
  const std::vector<FormulaStep> &steps() const { return steps_; }

  friend bool operator==(const IntegerFormula &left, const IntegerFormula &right) {
    return left.steps_ == right.steps_;
  }

private:
  std::vector<FormulaStep> steps_;
  std::string text_;
};

/// Reads a formula from `position` on and moves it behind. A word that is none of `known` ends where one of them stands
/// before an `x`, so that `nxn` is n, then an x. Throws FormulaError.
IntegerFormula read_formula(std::string_view text, std::size_t &position, const std::vector<std::string> &known);

} // namespace assay::jit
