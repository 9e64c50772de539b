#pragma once
// The operations that make the values of a random function, as C. Each is smooth for all operands.

#include "generators/functions/random_function.hpp"

#include <span>

namespace assay::gen::functions {

/// Writes C in one precision.
struct Writer {
  Precision precision = Precision::real64;

  std::string_view type() const { return name_of(precision); }
  /// `1.25`, `1.25f`
  std::string literal(double value) const;
  /// The number itself, in hexadecimal.
  std::string exact(double value) const;
  /// `sin(x)`, `sinf(x)`
  std::string call(std::string_view function, std::string_view x) const;
  std::string call(std::string_view function, std::string_view x, std::string_view y) const;
  double rounded(double value) const;
};

struct Operation {
  std::string (*write)(const Writer &writer, const std::string &x, const std::string &y);
  /// How large its value can be where its operands are at most so large.
  double (*bound)(double x, double y);
};

std::span<const Operation> operations();

} // namespace assay::gen::functions
