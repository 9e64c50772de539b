// Trigonometric functions and their inverses, of radians and of half turns.

#include "core/engine/rules/functions.hpp"
#include "core/engine/rules/rule_table.hpp"

namespace assay::engine {
using namespace functions;

/// Partials of the angle of (x, y), times `scale`. With the larger coordinate b and the smaller one s, and q = s / b:
/// x*x + y*y = b * (b + s * q), which neither overflows nor underflows.
static void angle(Partials &partial, const Expression &y, const Expression &x, const Expression &scale) {
  const Condition wide = fabs(x) >= fabs(y);
  const Expression big = select(wide, x, y);
  const Expression small = select(wide, y, x);
  const Expression quotient = small / big;
  const Expression inverse = scale / (big + small * quotient);
  partial(y, inverse * select(wide, 1, quotient));
  partial(x, -(inverse * select(wide, quotient, 1)));
}

static void add_inverses(RuleTable &table) {
  const auto arcus = [](const Expression &scale, const Expression &x) { return scale / sqrt((1 - x) * (1 + x)); };
  table.rule("asin", [=](Partials &partial, Operand x) { partial(x, arcus(1, x)); });
  table.rule("acos", [=](Partials &partial, Operand x) { partial(x, arcus(-1, x)); });
  table.rule("asinpi", [=](Partials &partial, Operand x) { partial(x, arcus(inverse_pi(), x)); });
  table.rule("acospi", [=](Partials &partial, Operand x) { partial(x, -arcus(inverse_pi(), x)); });
  for (const char *name : {"asin", "acos", "asinpi", "acospi"})
    table.vertical_tangent(name);
  table.rule("atan", [](Partials &partial, Operand x) { partial(x, 1 / (1 + x * x)); });
  table.rule("atanpi", [](Partials &partial, Operand x) { partial(x, inverse_pi() / (1 + x * x)); });
  table.rule("atan2", [](Partials &partial, Operand y, Operand x) { angle(partial, y, x, 1); });
  table.rule("carg", [](Partials &partial, Operand x, Operand y) { angle(partial, y, x, 1); });
  table.rule("atan2pi", [](Partials &partial, Operand y, Operand x) { angle(partial, y, x, inverse_pi()); });
}

void add_trigonometric_rules(RuleTable &table) {
  table.rule("sin", [](Partials &partial, Operand x) { partial(x, cos(x)); });
  table.rule("cos", [](Partials &partial, Operand x) { partial(x, -sin(x)); });
  table.rule("tan", [](Partials &partial, Operand x) { partial(x, 1 + result() * result()); });
  table.rule("sinpi", [](Partials &partial, Operand x) { partial(x, pi() * cospi(x)); });
  table.rule("cospi", [](Partials &partial, Operand x) { partial(x, -(pi() * sinpi(x))); });
  table.rule("tanpi", [](Partials &partial, Operand x) { partial(x, pi() * (1 + result() * result())); });
  add_inverses(table);
}

} // namespace assay::engine
