#pragma once
// In which interval a value lies, from the ranges of variables and memory.

#include "generators/programs/complex_functions.hpp"
#include "generators/programs/program.hpp"

#include <optional>

namespace assay::gen::programs {

struct Context {
  const Program *program;
  const Function *function;
};

/// Absent where the value may be undefined: a division by zero, an argument outside of a function's domain, an
/// overflow.
std::optional<Interval> range_of(const Node &value, const Context &context);

/// The same of complex numbers.
std::optional<Rectangle> rectangle_of(const Node &value, const Context &context);

/// Of any number: whether its range is known and within `bounds`, for both parts of a complex one.
bool stays_within(const Node &value, Interval bounds, const Context &context);

/// The range of memory of this kind: the variable's own bounds where the place is known.
Interval range_of_place(const Node &place, const Context &context);

/// The declaration of the variable that a place or pointer starts from; absent for what has several or none.
const Variable *root_of(const Node &place, const Context &context);

} // namespace assay::gen::programs
