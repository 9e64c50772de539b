// Exponentials, logarithms, powers and hyperbolic functions.

#include "core/engine/rules/functions.hpp"
#include "core/engine/rules/rule_table.hpp"

namespace assay::engine {
using namespace functions;

static void add_powers(RuleTable &table) {
  // x^y by y is real only for x > 0; elsewhere it is taken as zero. Where the power vanishes, so does its product with
  // log x.
  const auto by_exponent = [](const Expression &x) {
    return select(x <= 0, 0, select(equal(result(), 0), 0, result() * log(x)));
  };
  table.rule("pow", [=](Partials &partial, Operand x, Operand y) {
    partial(x, select(equal(y, 0), 0, y * lowered_power(x, y, result())));
    partial(y, by_exponent(x));
  });
  table.vertical_tangent("pow");
  table.alias("powr", "pow");
  // For a constant exponent whose predecessor makes pow a few multiplications or a square root: the result is not
  // needed.
  table.rule("pow.simple", [=](Partials &partial, Operand x, Operand y) {
    partial(x, select(equal(y, 0), 0, y * pow(x, y - 1)));
    partial(y, by_exponent(x));
  });
  table.vertical_tangent("pow.simple");
  table.rule("powi", [](Partials &partial, Operand x, const Integer &n) {
    const Expression exponent = to_float(n);
    partial(x, select(equal(exponent, 0), 0, exponent * powi(x, n - 1)));
  });
}

static void add_logarithms(RuleTable &table) {
  table.rule("log", [](Partials &partial, Operand x) { partial(x, 1 / x); });
  table.rule("log2", [](Partials &partial, Operand x) { partial(x, log2e() / x); });
  table.rule("log10", [](Partials &partial, Operand x) { partial(x, log10e() / x); });
  table.rule("log1p", [](Partials &partial, Operand x) { partial(x, 1 / (1 + x)); });
  table.rule("log2p1", [](Partials &partial, Operand x) { partial(x, log2e() / (1 + x)); });
  table.rule("log10p1", [](Partials &partial, Operand x) { partial(x, log10e() / (1 + x)); });
  table.alias("logp1", "log1p");
}

static void add_exponentials(RuleTable &table) {
  table.rule("exp", [](Partials &partial, Operand x) { partial(x, result()); });
  table.rule("exp2", [](Partials &partial, Operand x) { partial(x, result() * ln2()); });
  table.rule("exp10", [](Partials &partial, Operand x) { partial(x, result() * ln10()); });
  // result + 1 would cancel for negative x.
  table.rule("expm1", [](Partials &partial, Operand x) { partial(x, exp(x)); });
  table.rule("exp2m1", [](Partials &partial, Operand x) { partial(x, exp2(x) * ln2()); });
  table.rule("exp10m1", [](Partials &partial, Operand x) { partial(x, exp10(x) * ln10()); });
  table.alias("pow10", "exp10");
}

static void add_hyperbolic(RuleTable &table) {
  table.rule("sinh", [](Partials &partial, Operand x) { partial(x, cosh(x)); });
  table.rule("cosh", [](Partials &partial, Operand x) { partial(x, sinh(x)); });
  table.rule("tanh", [](Partials &partial, Operand x) { partial(x, (1 - result()) * (1 + result())); });
  // Far out the one under the root does not count, and x * x might overflow.
  table.rule("asinh", [](Partials &partial, Operand x) {
    partial(x, 1 / select(fabs(x) > dominance(), fabs(x), sqrt(1 + x * x)));
  });
  table.rule("acosh",
             [](Partials &partial, Operand x) { partial(x, 1 / select(x > dominance(), x, sqrt((x - 1) * (x + 1)))); });
  table.vertical_tangent("acosh");
  table.rule("atanh", [](Partials &partial, Operand x) { partial(x, 1 / ((1 - x) * (1 + x))); });
}

void add_exponential_rules(RuleTable &table) {
  add_powers(table);
  add_logarithms(table);
  add_exponentials(table);
  add_hyperbolic(table);
}

} // namespace assay::engine
