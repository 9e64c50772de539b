// Operations that are linear in pieces. At a kink: fabs'(0) = 0; fmin and fmax follow the operand that the primal
// takes, the first one at a tie; steps have derivative zero everywhere. Where the result is NaN by propagation, so is
// the derivative.

#include "core/engine/rules/functions.hpp"
#include "core/engine/rules/rule_table.hpp"

namespace assay::engine {
using namespace functions;

static void add_steps(RuleTable &table) {
  for (const char *name : {"floor", "ceil", "trunc", "round", "roundeven", "rint", "nearbyint", "logb"})
    table.cheap(name, [](Partials &, Operand) {});
  for (const char *name : {"nextafter", "nexttoward"})
    table.cheap(name, [](Partials &partial, Operand x, Operand) { partial(x, 1); });
  for (const char *name : {"nextup", "nextdown"})
    table.cheap(name, [](Partials &partial, Operand x) { partial(x, 1); });
}

/// The first operand is taken where `first` holds, the second one elsewhere.
static void choose(Partials &partial, const Expression &x, const Expression &y, const Condition &first) {
  partial(x, select(first, 1, 0));
  partial(y, select(first, 0, 1));
}

static void add_extrema(RuleTable &table) {
  // A NaN operand is ignored.
  table.cheap("fmax", [](Partials &partial, Operand x, Operand y) {
    choose(partial, x, y, both(unordered_or_at_least(x, y), is_number(x)));
  });
  table.cheap("fmin", [](Partials &partial, Operand x, Operand y) {
    choose(partial, x, y, both(unordered_or_at_least(y, x), is_number(x)));
  });
  for (const char *name : {"maxnum", "maximumnum", "fmaximum_num"})
    table.alias(name, "fmax");
  for (const char *name : {"minnum", "minimumnum", "fminimum_num"})
    table.alias(name, "fmin");

  // A NaN operand is propagated.
  table.cheap("maximum", [](Partials &partial, Operand x, Operand y) {
    const Expression not_a_number = unmultiplied(x + y);
    partial(x, select(x >= y, 1, select(x < y, 0, not_a_number)));
    partial(y, select(x >= y, 0, select(x < y, 1, not_a_number)));
  });
  table.cheap("minimum", [](Partials &partial, Operand x, Operand y) {
    const Expression not_a_number = unmultiplied(x + y);
    partial(x, select(x <= y, 1, select(x > y, 0, not_a_number)));
    partial(y, select(x <= y, 0, select(x > y, 1, not_a_number)));
  });
  table.alias("fmaximum", "maximum");
  table.alias("fminimum", "minimum");
  table.cheap("fdim", [](Partials &partial, Operand x, Operand y) {
    const Expression zero_or_nan = select(x <= y, 0, unmultiplied(x + y));
    partial(x, select(x > y, 1, zero_or_nan));
    partial(y, select(x > y, -1, zero_or_nan));
  });
}

/// The operand of the larger, or the smaller, magnitude. The result is one of the operands; a tie is the first one's
/// unless the sign of the result tells otherwise.
static void add_extrema_of_magnitude(RuleTable &table) {
  for (const char *name :
       {"fmaximum_mag", "fmaximum_mag_num", "fmaxmag", "fminimum_mag", "fminimum_mag_num", "fminmag"})
    table.cheap(name, [](Partials &partial, Operand x, Operand y) {
      const Expression not_a_number = unmultiplied(result());
      partial(x, select(equal(result(), x), 1, select(equal(result(), y), 0, not_a_number)));
      partial(y, select(equal(result(), x), 0, select(equal(result(), y), 1, not_a_number)));
    });
}

void add_piecewise_rules(RuleTable &table) {
  add_steps(table);
  add_extrema(table);
  add_extrema_of_magnitude(table);
  // Elsewhere x is zero or NaN, and so is its derivative, whatever the seed.
  table.cheap("fabs", [](Partials &partial, Operand x) {
    partial(x, select(ordered_and_different(x, 0), select(x < 0, -1, 1), unmultiplied(x)));
  });
  table.cheap("copysign", [](Partials &partial, Operand x, Operand sign) {
    partial(x,
            select(is_number(x), select(copysign(1, x) < 0, -copysign(1, sign), copysign(1, sign)), unmultiplied(x)));
  });
}

} // namespace assay::engine
