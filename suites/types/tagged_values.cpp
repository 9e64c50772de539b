// Values that are a number or an integer, as an interpreter has them: a union beside a tag, passed and kept by value.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <cstdlib>

namespace {

struct Number {
  int is_real;
  union {
    double real;
    int whole;
  };
};

Number number_of(int i, const double *x) {
  Number number;
  number.is_real = i & 1;
  if (number.is_real)
    number.real = x[i] * x[i];
  else
    number.whole = i;
  return number;
}
double value_of(const Number &number) {
  return number.is_real ? number.real : number.whole;
}
double array_of_numbers(const double *x, int n) {
  auto *numbers = static_cast<Number *>(std::malloc(std::size_t(n) * sizeof(Number)));
  for (int i = 0; i < n; ++i)
    numbers[i] = number_of(i, x);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += value_of(numbers[i]) * x[0];
  std::free(numbers);
  return sum;
}
Number combined(Number one, Number other) {
  Number result;
  if (!one.is_real && !other.is_real) {
    result.is_real = 0;
    result.whole = one.whole + other.whole;
  } else {
    result.is_real = 1;
    result.real = value_of(one) * value_of(other);
  }
  return result;
}
double folded_numbers(const double *x, int n) {
  Number stack[8];
  for (int i = 0; i < n; ++i)
    stack[i] = number_of(i, x);
  Number result = stack[0];
  for (int i = 1; i < n; ++i)
    result = combined(result, stack[i]);
  return value_of(result);
}

/// The number and the address meet in a register before they are stored.
struct WideOperand {
  unsigned tag : 3;
  signed exponent : 8;
  union {
    double number;
    struct {
      float a, b;
    } pair;
    const double *place;
  };
};
double value_of(const WideOperand &operand) {
  const double value = operand.tag == 0   ? operand.number
                       : operand.tag == 1 ? *operand.place
                                          : double(operand.pair.a) * operand.pair.b;
  return std::ldexp(value, operand.exponent);
}
double operands_beside_pairs(const double *x, int n) {
  WideOperand stack[4];
  int top = 0;
  double sum = 0;
  for (int i = 0; i < 3 * n; ++i) {
    WideOperand operand;
    operand.exponent = i % 3 - 1;
    operand.tag = unsigned(i) % 2;
    if (operand.tag == 0)
      operand.number = x[i % n] * x[i % n];
    else
      operand.place = x + i % n;
    stack[top++] = operand;
    if (top == 4)
      for (sum *= sum; top > 0; --top)
        sum += value_of(stack[top - 1]) * top;
  }
  return sum;
}

/// Read in two ways where branches have met: optimisation loads a double once and takes the float out of its bits.
struct Real {
  int kind;
  union {
    double wide;
    float narrow;
    long whole;
    double sum[2];
  };
};
double value_of(const Real &real) {
  switch (real.kind) {
  case 1:
    return real.narrow;
  case 2:
    return double(real.whole);
  case 3:
    return real.sum[0] + real.sum[1];
  default:
    return real.wide;
  }
}
double narrowed_below_one(const double *x, int n) {
  auto *copies = static_cast<double *>(std::malloc(6 * sizeof(double)));
  for (int i = 0; i < 6; ++i)
    copies[i] = float(x[0]);
  Real real = {};
  real.wide = float(x[0]);
  if (value_of(real) < n) {
    real.kind = 1;
    real.narrow = -float(copies[0]);
  }
  const double result = copies[2] / (std::cos(value_of(real) + 0.5) + 4);
  std::free(copies);
  return result;
}

} // namespace

PLUGIN_TEST(TaggedValues, HoldDoublesOrFloats) {
  for (double at : {0.4, 1.4}) {
    const double x[1] = {at};
    double shadow[1] = {0};
    __enzyme_autodiff<void>((void *)narrowed_below_one, enzyme_dup, x, shadow, enzyme_const, 1);
    const double sign = at < 1 ? -1 : 1, inner = std::cos(sign * at + 0.5) + 4;
    const double expected = 1 / inner + sign * at * std::sin(sign * at + 0.5) / (inner * inner);
    EXPECT_CLOSE_FLOAT(shadow[0], expected);
  }
}

PLUGIN_TEST(TaggedValues, InAnArray) {
  CHECK_FUNCTION(array_of_numbers, 1.1, 0.9, 0.4, 0.3);
}
PLUGIN_TEST(TaggedValues, PassedByValue) {
  CHECK_FUNCTION(folded_numbers, 1.1, 0.9, 0.4, 0.3, 0.8);
}
PLUGIN_TEST(TaggedValues, ThatMayBeAddressesOrTwoFloats) {
  CHECK_FUNCTION(operands_beside_pairs, 0.3, 0.7, -0.4);
}
PLUGIN_TEST(TaggedValues, HaveSecondDerivatives) {
  CHECK_SECOND_ORDER(array_of_numbers, 1.1, 0.9, 0.4, 0.3);
}
