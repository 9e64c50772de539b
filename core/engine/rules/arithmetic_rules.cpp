// Instructions and their relatives: sums, products, quotients, roots, conversions, scaling by powers of two.

#include "core/engine/rules/functions.hpp"
#include "core/engine/rules/rule_table.hpp"

namespace assay::engine {
using namespace functions;

void add_arithmetic_rules(RuleTable &table) {
  const auto identity = [](Partials &partial, Operand x) { partial(x, 1); };
  table.cheap("fneg", [](Partials &partial, Operand x) { partial(x, -1); });
  table.cheap("fptrunc", identity);
  table.cheap("fpext", identity);
  table.cheap("fptrunc.round", [](Partials &partial, Operand x, Ignored) { partial(x, 1); });
  table.cheap("canonicalize", identity);
  table.cheap("arithmetic.fence", identity);
  table.cheap("fadd", [](Partials &partial, Operand x, Operand y) {
    partial(x, 1);
    partial(y, 1);
  });
  table.cheap("fsub", [](Partials &partial, Operand x, Operand y) {
    partial(x, 1);
    partial(y, -1);
  });
  table.cheap("fmul", [](Partials &partial, Operand x, Operand y) {
    partial(x, y);
    partial(y, x);
  });
  table.cheap("fdiv", [](Partials &partial, Operand x, Operand y) {
    const Expression quotient = 1 / y;
    partial(x, quotient);
    partial(y, -(quotient * result()));
  });
  const auto multiply_add = [](Partials &partial, Operand x, Operand y, Operand z) {
    partial(x, y);
    partial(y, x);
    partial(z, 1);
  };
  table.cheap("fma", multiply_add);
  table.cheap("fmuladd", multiply_add);

  // The quotient is recovered from the remainder: x = quotient * y + result. It is a whole number but for its own
  // rounding, in any rounding mode.
  const auto remainder = [](Partials &partial, Operand x, Operand y) {
    partial(x, 1);
    partial(y, round((result() - x) / y));
  };
  table.rule("fmod", remainder);
  table.rule("remainder", remainder);
  table.rule("remquo", [=](Partials &partial, Operand x, Operand y, Ignored) { remainder(partial, x, y); });
  table.alias("frem", "fmod");
  table.alias("drem", "remainder");

  table.cheap("sqrt", [](Partials &partial, Operand x) { partial(x, half() / result()); });
  table.rule("cbrt", [](Partials &partial, Operand x) { partial(x, third() / (result() * result())); });
  table.vertical_tangent("sqrt");
  table.vertical_tangent("cbrt");
  table.rule("hypot", [](Partials &partial, Operand x, Operand y) {
    const Condition at_origin = equal(result(), 0);
    partial(x, select(at_origin, 0, x / result()));
    partial(y, select(at_origin, 0, y / result()));
  });
  table.alias("cabs", "hypot");

  // Linear in x: the same call of the seed.
  const auto scaling = [](const char *name) {
    return [=](Partials &partial, Operand x, const Integer &n) { partial(x, call(name, seed(), n)); };
  };
  table.cheap("ldexp", scaling("ldexp"));
  table.cheap("scalbn", scaling("scalbn"));
  table.cheap("scalbln", scaling("scalbln"));
  // x is given an exponent of zero, or multiplied by 2^n for a floating n that is whole.
  table.cheap("significand", [](Partials &partial, Operand x) { partial(x, select(equal(x, 0), 1, result() / x)); });
  table.cheap("scalb", [](Partials &partial, Operand x, Operand n) { partial(x, exp2(n)); });
  table.cheap("frexp", [](Partials &partial, Operand x, Ignored) {
    partial(x, select(ordered_and_different(x, 0), result() / x, 1));
  });

  for (const char *name : {"x86.sse.rcp.ps", "x86.avx.rcp.ps.256"})
    table.rule(name, [](Partials &partial, Operand x) { partial(x, -(result() * result())); });
  for (const char *name : {"x86.sse.rsqrt.ps", "x86.avx.rsqrt.ps.256"})
    table.rule(name, [](Partials &partial, Operand x) { partial(x, -(half() * result() * result() * result())); });

  // All lanes, after prepare/avx512_intrinsics.hpp; the operands behind the first are of masks.
  for (const char *number : {"ps", "pd"})
    for (const char *bits : {"128", "256", "512"}) {
      const std::string form = std::string(number) + "." + bits;
      table.rule("x86.avx512.rcp14." + form,
                 [](Partials &partial, Operand x, Ignored, Ignored) { partial(x, -(result() * result())); });
      table.rule("x86.avx512.rsqrt14." + form, [](Partials &partial, Operand x, Ignored, Ignored) {
        partial(x, -(half() * result() * result() * result()));
      });
    }

  // What integer arithmetic made of the bits of a float (prepare/float_bits.hpp).
  table.rule("assay.linear", [](Partials &partial, Operand value, Operand slope, Operand x) {
    partial(value, 1);
    partial(x, slope);
  });

  table.reduction("vector.reduce.fadd", Shape::sum_reduction);
  table.reduction("vector.reduce.fmul", Shape::product_reduction);
}

} // namespace assay::engine
