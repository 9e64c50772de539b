// Holomorphic functions of complex numbers. Their calls return pairs, so `prepare` names each part by itself: a
// function `complex.NAME.real` or `complex.NAME.imag` of the primal parts and of the parts of the arguments
// (prepare/complex_calls.hpp). With f' = p + iq, the Cauchy-Riemann equations give d re = p dx - q dy and d im = q dx +
// p dy.

#include "core/engine/rules/functions.hpp"
#include "core/engine/rules/rule_table.hpp"

namespace assay::engine {
using namespace functions;
namespace {

struct Complex {
  Expression real, imag;
};

Complex operator+(const Complex &a, const Complex &b) {
  return {a.real + b.real, a.imag + b.imag};
}
Complex operator-(const Complex &a, const Complex &b) {
  return {a.real - b.real, a.imag - b.imag};
}
Complex operator-(const Complex &a) {
  return {-a.real, -a.imag};
}
Complex operator*(const Complex &a, const Complex &b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

/// Smith's quotient: neither overflows nor underflows where the exact one does not.
Complex operator/(const Complex &a, const Complex &b) {
  const Condition wide = fabs(b.real) >= fabs(b.imag);
  const Expression ratio = select(wide, b.imag / b.real, b.real / b.imag);
  const Expression scale = select(wide, b.real + b.imag * ratio, b.real * ratio + b.imag);
  return {select(wide, a.real + a.imag * ratio, a.real * ratio + a.imag) / scale,
          select(wide, a.imag - a.real * ratio, a.imag * ratio - a.real) / scale};
}

const Complex &one() {
  static const Complex value{1, 0};
  return value;
}
Complex sin(const Complex &z) {
  return {functions::sin(z.real) * functions::cosh(z.imag), functions::cos(z.real) * functions::sinh(z.imag)};
}
Complex cos(const Complex &z) {
  return {functions::cos(z.real) * functions::cosh(z.imag), -(functions::sin(z.real) * functions::sinh(z.imag))};
}
Complex sinh(const Complex &z) {
  return {functions::sinh(z.real) * functions::cos(z.imag), functions::cosh(z.real) * functions::sin(z.imag)};
}
Complex cosh(const Complex &z) {
  return {functions::cosh(z.real) * functions::cos(z.imag), functions::sinh(z.real) * functions::sin(z.imag)};
}
Complex log(const Complex &z) {
  return {functions::log(hypot(z.real, z.imag)), atan2(z.imag, z.real)};
}

Complex zero_where(const Complex &z, const Complex &otherwise) {
  const Condition at_zero = both(equal(z.real, 0), equal(z.imag, 0));
  return {select(at_zero, 0, otherwise.real), select(at_zero, 0, otherwise.imag)};
}

void real_part(Partials &partial, Operand x, Operand y, const Complex &derivative) {
  partial(x, derivative.real);
  partial(y, -derivative.imag);
}
void imaginary_part(Partials &partial, Operand x, Operand y, const Complex &derivative) {
  partial(x, derivative.imag);
  partial(y, derivative.real);
}

/// `derivative(w, z)` is that of w = NAME(z).
template <class Derivative>
void holomorphic(RuleTable &table, const std::string &name, Derivative derivative) {
  table.rule("complex." + name + ".real", [=](Partials &partial, Operand u, Operand v, Operand x, Operand y) {
    real_part(partial, x, y, derivative(Complex{u, v}, Complex{x, y}));
  });
  table.rule("complex." + name + ".imag", [=](Partials &partial, Operand u, Operand v, Operand x, Operand y) {
    imaginary_part(partial, x, y, derivative(Complex{u, v}, Complex{x, y}));
  });
}

/// `by_first(w, a, b)` and `by_second(w, a, b)` are the derivatives of w = NAME(a, b).
template <class ByFirst, class BySecond>
void holomorphic_of_two(RuleTable &table, const std::string &name, ByFirst by_first, BySecond by_second) {
  const auto both_partials = [=](auto part) {
    return [=](Partials &partial, Operand u, Operand v, Operand x, Operand y, Operand s, Operand t) {
      const Complex w{u, v}, a{x, y}, b{s, t};
      part(partial, x, y, by_first(w, a, b));
      part(partial, s, t, by_second(w, a, b));
    };
  };
  table.rule("complex." + name + ".real", both_partials(real_part));
  table.rule("complex." + name + ".imag", both_partials(imaginary_part));
}

using C = const Complex &;

void add_arithmetic(RuleTable &table) {
  holomorphic_of_two(table, "multiply", [](C, C, C b) { return b; }, [](C, C a, C) { return a; });
  holomorphic_of_two(table, "divide", [](C, C, C b) { return one() / b; }, [](C w, C, C b) { return -(w / b); });
  holomorphic_of_two(
      table, "pow", [](C w, C a, C b) { return zero_where(a, b * w / a); },
      [](C w, C a, C) { return zero_where(a, w * log(a)); });
}

} // namespace

void add_complex_rules(RuleTable &table) {
  add_arithmetic(table);
  holomorphic(table, "exp", [](C w, C) { return w; });
  holomorphic(table, "log", [](C, C z) { return one() / z; });
  holomorphic(table, "sqrt", [](C w, C) { return Complex{half(), 0} / w; });
  holomorphic(table, "sin", [](C, C z) { return cos(z); });
  holomorphic(table, "cos", [](C, C z) { return -sin(z); });
  holomorphic(table, "tan", [](C w, C) { return one() + w * w; });
  holomorphic(table, "sinh", [](C, C z) { return cosh(z); });
  holomorphic(table, "cosh", [](C, C z) { return sinh(z); });
  holomorphic(table, "tanh", [](C w, C) { return (one() - w) * (one() + w); });
  holomorphic(table, "asin", [](C w, C) { return one() / cos(w); });
  holomorphic(table, "acos", [](C w, C) { return -(one() / sin(w)); });
  holomorphic(table, "atan", [](C, C z) { return one() / (one() + z * z); });
  holomorphic(table, "asinh", [](C w, C) { return one() / cosh(w); });
  holomorphic(table, "acosh", [](C w, C) { return one() / sinh(w); });
  holomorphic(table, "atanh", [](C, C z) { return one() / ((one() - z) * (one() + z)); });
}

} // namespace assay::engine
