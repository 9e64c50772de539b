// The reactions of arithmetic. Most numbers of a run do not move, so every function first asks whether anything does.
// Functions that end in _double take values of double and narrower types, those that end in _wide take all others.

#include "core/widen/arithmetic.hpp"

#include "core/widen/functions.hpp"
#include "core/widen/reactions.hpp"
#include "core/widen/run.hpp"

extern "C" {
using assay::widen::Wide;
Wide sqrtf128(Wide), fmodf128(Wide, Wide), scalbnf128(Wide, int), truncf128(Wide), powf128(Wide, Wide);
Wide jnf128(int, Wide), ynf128(int, Wide);
}

namespace assay::widen {

namespace {

/// The run, if there is one that still counts.
Run *live_run() {
  Run *run = Run::current();
  return run && run->count_operation() ? run : nullptr;
}

bool differ_in_sign(Wide left, Wide right) {
  return (left < 0) != (right < 0);
}

/// -1, 0, 1, or 2 where they cannot be compared.
int order(Wide difference) {
  return difference < 0 ? -1 : difference > 0 ? 1 : difference == 0 ? 0 : 2;
}

/// By values alone, and by values with movements; the sum of values and movements might round the movement away.
int order_of_values(Wide left, Wide right) {
  return left < right ? -1 : left > right ? 1 : left == right ? 0 : 2;
}
int order_of_moved(Wide left, Wide left_delta, Wide right, Wide right_delta) {
  if (!is_finite(left) || !is_finite(right))
    return order_of_values(left, right);
  return order((left - right) + (left_delta - right_delta));
}

/// The movement may be too small beside the argument, or its effect too small beside the value.
Wide noted_if_absorbed(Run &run, bool is_moved, Wide reaction) {
  run.has_absorbed = run.has_absorbed || (is_moved && is_zero(reaction));
  return reaction;
}

Wide react_smoothly(const UnaryFunction &function, Wide value, Wide delta) {
  if (function.reaction && is_small_beside(delta, value)) {
    const Wide reaction = function.reaction(value, delta);
    if (is_finite(reaction))
      return reaction;
  }
  return function.wide(value + delta) - function.wide(value);
}

Wide react(const UnaryFunction &function, Run &run, Wide value, Wide delta, const char *site) {
  switch (function.shape) {
  case Shape::smooth:
    if (function.period != 0)
      run.most_periods = std::max(run.most_periods, static_cast<double>(magnitude(delta)) / function.period);
    return noted_if_absorbed(run, !is_zero(delta), react_smoothly(function, value, delta));
  case Shape::root:
    return delta / (sqrtf128(value + delta) + sqrtf128(value));
  case Shape::size:
    if (value != 0 && !differ_in_sign(value, value + delta))
      return value < 0 ? -delta : delta;
    run.note_kink("an absolute value", site);
    return magnitude(value + delta) - magnitude(value);
  case Shape::step: {
    const Wide reaction = react_smoothly(function, value, delta);
    if (!is_zero(reaction))
      run.note_kink("a step of a rounding function", site);
    return reaction;
  }
  }
  return 0;
}

struct Pair {
  Wide left, left_delta, right, right_delta;
};

/// Minimum, maximum or excess, as `order` has chosen among the values.
struct Choice {
  Wide value, delta;
};
Choice choose(Selection selection, const Pair &pair, int order) {
  if (selection == Selection::excess)
    return order > 0 ? Choice{pair.left - pair.right, pair.left_delta - pair.right_delta} : Choice{0, 0};
  if (order == 2 ? pair.left == pair.left : selection == Selection::smaller ? order <= 0 : order >= 0)
    return {pair.left, pair.left_delta};
  return {pair.right, pair.right_delta};
}

Wide select(Selection selection, Run &run, const Pair &pair, const char *site) {
  const int before = order_of_values(pair.left, pair.right);
  const int after = order_of_moved(pair.left, pair.left_delta, pair.right, pair.right_delta);
  const Choice chosen = choose(selection, pair, before);
  if (before == after)
    return chosen.delta;
  const Choice other = choose(selection, pair, after);
  if (!is_zero(pair.left_delta - pair.right_delta))
    run.note_kink("a minimum or maximum", site);
  return (other.value - chosen.value) + other.delta;
}

Wide react(const BinaryFunction &function, Run &run, const Pair &pair, const char *site) {
  if (const auto reaction = binary_reaction(function.name, pair.left, pair.left_delta, pair.right, pair.right_delta))
    return *reaction;
  if (function.selection == Selection::none)
    return noted_if_absorbed(run, !is_zero(pair.left_delta) || !is_zero(pair.right_delta),
                             function.wide(pair.left + pair.left_delta, pair.right + pair.right_delta) -
                                 function.wide(pair.left, pair.right));
  if (function.selection != Selection::sign)
    return select(function.selection, run, pair, site);
  if (pair.left == 0 || pair.right == 0 || differ_in_sign(pair.right, pair.right + pair.right_delta))
    run.note_kink("a change of sign", site);
  const bool same = differ_in_sign(pair.left, 0) == differ_in_sign(pair.right, 0);
  if (pair.left != 0 && pair.right != 0 && !differ_in_sign(pair.right, pair.right + pair.right_delta) &&
      !differ_in_sign(pair.left, pair.left + pair.left_delta))
    return same ? pair.left_delta : -pair.left_delta;
  return function.wide(pair.left + pair.left_delta, pair.right + pair.right_delta) -
         function.wide(pair.left, pair.right);
}

Wide product(Wide left, Wide left_delta, Wide right, Wide right_delta) {
  return left * right_delta + left_delta * right + left_delta * right_delta;
}

Wide quotient(Wide left, Wide left_delta, Wide right, Wide right_delta) {
  return (left_delta - left / right * right_delta) / (right + right_delta);
}

bool still(Wide one, Wide other) {
  return is_zero(one) && is_zero(other);
}

bool is_singular(Singularity singularity, Wide value) {
  switch (singularity) {
  case Singularity::nowhere:
    return false;
  case Singularity::at_zero:
    return value == 0;
  case Singularity::at_one:
    return value == 1;
  case Singularity::at_minus_one:
    return value == -1;
  case Singularity::at_both_ones:
    return value == 1 || value == -1;
  }
  return false;
}

bool is_singular(const BinaryFunction &function, Wide left, Wide right) {
  if (left != 0)
    return false;
  return function.name == "pow" ? right < 1 && right != 0
                                : right == 0 && (function.name == "atan2" || function.name == "hypot");
}

/// Of doubles as they are: each operation asks, and a conversion is a call.
template <class Number>
void note_infinite(Number left, Number right) {
  if (is_finite(left) && is_finite(right))
    return;
  if (Run *run = Run::current())
    run->note_singularity("a number that is not finite", nullptr);
}

void look_for_singularity(const UnaryFunction &function, Wide value, const char *site) {
  note_infinite<Wide>(value, 0);
  if (!is_singular(function.singularity, value))
    return;
  if (Run *run = Run::current())
    run->note_singularity("a function without a finite derivative", site);
}

void look_for_singularity(const BinaryFunction &function, Wide left, Wide right, const char *site) {
  note_infinite(left, right);
  if (!is_singular(function, left, right))
    return;
  if (Run *run = Run::current())
    run->note_singularity("a function without a finite derivative", site);
}

template <class Number>
void look_for_pole(Number left, Number right) {
  note_infinite(left, right);
  if (!is_zero(right))
    return;
  if (Run *run = Run::current())
    run->note_singularity("a division by zero", nullptr);
}

} // namespace

} // namespace assay::widen

using namespace assay::widen;

Wide assay_wide_add(Wide left, Wide right) {
  if (is_zero(right))
    return left;
  if (is_zero(left))
    return right;
  return live_run() ? left + right : 0;
}

Wide assay_wide_subtract(Wide left, Wide right) {
  if (is_zero(right))
    return left;
  return live_run() ? left - right : 0;
}

Wide assay_wide_multiply_double(double left, Wide left_delta, double right, Wide right_delta) {
  note_infinite(left, right);
  return still(left_delta, right_delta) || !live_run() ? 0 : product(left, left_delta, right, right_delta);
}
Wide assay_wide_multiply_wide(Wide left, Wide left_delta, Wide right, Wide right_delta) {
  note_infinite(left, right);
  return still(left_delta, right_delta) || !live_run() ? 0 : product(left, left_delta, right, right_delta);
}

Wide assay_wide_divide_double(double left, Wide left_delta, double right, Wide right_delta) {
  look_for_pole(left, right);
  return still(left_delta, right_delta) || !live_run() ? 0 : quotient(left, left_delta, right, right_delta);
}
Wide assay_wide_divide_wide(Wide left, Wide left_delta, Wide right, Wide right_delta) {
  look_for_pole(left, right);
  return still(left_delta, right_delta) || !live_run() ? 0 : quotient(left, left_delta, right, right_delta);
}

Wide assay_wide_unary_double(unsigned function, double value, Wide delta, const char *site) {
  look_for_singularity(unary_function_at(function), value, site);
  Run *run = is_zero(delta) ? nullptr : live_run();
  return run ? react(unary_function_at(function), *run, value, delta, site) : 0;
}
Wide assay_wide_unary_wide(unsigned function, Wide value, Wide delta, const char *site) {
  look_for_singularity(unary_function_at(function), value, site);
  Run *run = is_zero(delta) ? nullptr : live_run();
  return run ? react(unary_function_at(function), *run, value, delta, site) : 0;
}

Wide assay_wide_binary_double(unsigned function, double left, Wide left_delta, double right, Wide right_delta,
                              const char *site) {
  look_for_singularity(binary_function_at(function), left, right, site);
  Run *run = still(left_delta, right_delta) ? nullptr : live_run();
  return run ? react(binary_function_at(function), *run, {left, left_delta, right, right_delta}, site) : 0;
}
Wide assay_wide_binary_wide(unsigned function, Wide left, Wide left_delta, Wide right, Wide right_delta,
                            const char *site) {
  look_for_singularity(binary_function_at(function), left, right, site);
  Run *run = still(left_delta, right_delta) ? nullptr : live_run();
  return run ? react(binary_function_at(function), *run, {left, left_delta, right, right_delta}, site) : 0;
}

Wide assay_wide_power_of_integer(Wide value, Wide delta, int exponent) {
  return is_zero(delta) || !live_run() ? 0 : powf128(value + delta, exponent) - powf128(value, exponent);
}

Wide assay_wide_bessel(int second_kind, int order, Wide value, Wide delta) {
  if (is_zero(delta) || !live_run())
    return 0;
  return second_kind ? ynf128(order, value + delta) - ynf128(order, value)
                     : jnf128(order, value + delta) - jnf128(order, value);
}

Wide assay_wide_divide_complex(unsigned part, Wide a, Wide a_delta, Wide b, Wide b_delta, Wide c, Wide c_delta, Wide d,
                               Wide d_delta) {
  if ((still(a_delta, b_delta) && still(c_delta, d_delta)) || !live_run())
    return 0;
  return complex_quotient(part, a + a_delta, b + b_delta, c + c_delta, d + d_delta) -
         complex_quotient(part, a, b, c, d);
}

Wide assay_wide_complex(unsigned function, unsigned part, Wide a, Wide a_delta, Wide b, Wide b_delta) {
  if (still(a_delta, b_delta) || !live_run())
    return 0;
  if (complex_function_at(function).name == "clog")
    if (const auto reaction = complex_log_reaction(part, a, a_delta, b, b_delta))
      return *reaction;
  return complex_value(function, part, a + a_delta, b + b_delta) - complex_value(function, part, a, b);
}

Wide assay_wide_scale(Wide delta, int exponent) {
  return is_zero(delta) ? delta : scalbnf128(delta, exponent);
}

void assay_wide_compare_double(double left, Wide left_delta, double right, Wide right_delta, const char *site) {
  if (still(left_delta, right_delta))
    return;
  assay_wide_compare_wide(left, left_delta, right, right_delta, site);
}
void assay_wide_compare_wide(Wide left, Wide left_delta, Wide right, Wide right_delta, const char *site) {
  Run *run = still(left_delta, right_delta) ? nullptr : live_run();
  if (run && order_of_values(left, right) != order_of_moved(left, left_delta, right, right_delta))
    run->cross("a comparison", site);
}

void assay_wide_to_integer(Wide value, Wide delta, const char *site) {
  Run *run = is_zero(delta) ? nullptr : live_run();
  if (run && truncf128(value) != truncf128(value + delta))
    run->cross("a conversion to an integer", site);
}
