// Error, gamma and Bessel functions.

#include "core/engine/rules/functions.hpp"
#include "core/engine/rules/rule_table.hpp"

namespace assay::engine {
using namespace functions;

static void add_error_functions(RuleTable &table) {
  table.rule("erf", [](Partials &partial, Operand x) { partial(x, two_over_sqrt_pi() * exp(-(x * x))); });
  table.rule("_FortranAErfcScaled8",
             [](Partials &partial, Operand x) { partial(x, 2 * x * result() - two_over_sqrt_pi()); });
  table.rule("erfc", [](Partials &partial, Operand x) { partial(x, -(two_over_sqrt_pi() * exp(-(x * x)))); });
}

static void add_gamma_functions(RuleTable &table) {
  table.rule("lgamma", [](Partials &partial, Operand x) { partial(x, digamma(x)); });
  table.rule("lgamma_r", [](Partials &partial, Operand x, Ignored) { partial(x, digamma(x)); });
  table.rule("tgamma", [](Partials &partial, Operand x) { partial(x, result() * digamma(x)); });
  table.alias("gamma", "lgamma");
  table.alias("gamma_r", "lgamma_r");
}

static void add_bessel_functions(RuleTable &table) {
  // Order n: half the difference of the orders beside it. Order one from order zero: f0 - f1 / x.
  const auto from_order_zero = [](const Expression &order_zero, const Expression &x) {
    return order_zero - result() / x;
  };
  const auto neighbours = [](const char *name, const Expression &x, const Integer &n) {
    return half() * (call(name, n - 1, x) - call(name, n + 1, x));
  };
  table.rule("j0", [](Partials &partial, Operand x) { partial(x, -j1(x)); });
  table.rule("y0", [](Partials &partial, Operand x) { partial(x, -y1(x)); });
  table.rule("j1",
             [=](Partials &partial, Operand x) { partial(x, select(equal(x, 0), half(), from_order_zero(j0(x), x))); });
  table.rule("y1", [=](Partials &partial, Operand x) { partial(x, from_order_zero(y0(x), x)); });
  table.rule("jn", [=](Partials &partial, const Integer &n, Operand x) { partial(x, neighbours("jn", x, n)); });
  table.rule("yn", [=](Partials &partial, const Integer &n, Operand x) { partial(x, neighbours("yn", x, n)); });
  table.rule("cyl_bessel_i0", [](Partials &partial, Operand x) { partial(x, cyl_bessel_i1(x)); });
  table.rule("cyl_bessel_i1", [=](Partials &partial, Operand x) {
    partial(x, select(equal(x, 0), half(), from_order_zero(cyl_bessel_i0(x), x)));
  });
}

void add_special_function_rules(RuleTable &table) {
  add_error_functions(table);
  add_gamma_functions(table);
  add_bessel_functions(table);
}

} // namespace assay::engine
