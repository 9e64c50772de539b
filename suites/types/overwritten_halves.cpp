// A double in a union of which an integer overwrites a part: what is left of the number is moved along with the
// integer, and carries nothing that anyone reads.
#include "support/second_order.hpp"
#include <cstdint>
#include <cstring>
#include <utility>

namespace {

enum class Failure : std::int32_t { none, negative, large };

/// As std::expected: the number or the reason why there is none.
struct Result {
  union {
    double value;
    Failure failure;
  };
  bool holds;
  Result(double number) : value(number), holds(true) {}
  Result(Failure reason) : failure(reason), holds(false) {}
  Result(const Result &other) : holds(other.holds) {
    if (holds)
      value = other.value;
    else
      failure = other.failure;
  }
  Result &operator=(const Result &) = default;
  void exchange(Result &other) {
    if (holds && other.holds)
      std::swap(value, other.value);
    else if (holds)
      give_to(other);
    else if (other.holds)
      other.give_to(*this);
    else
      std::swap(failure, other.failure);
  }
  void give_to(Result &other) {
    const Failure reason = other.failure;
    other.value = value;
    other.holds = true;
    failure = reason;
    holds = false;
  }
};

Result root(double x) {
  if (x < 0)
    return Failure::negative;
  return std::sqrt(x);
}

double numbers_or_reasons(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const Result made = root(x[i] - 0.5);
    const Result copy = made.holds ? Result(made.value * x[0]) : made;
    sum += copy.holds ? copy.value : x[i] * double(int(copy.failure));
  }
  return sum;
}

double exchanged(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Result one = root(x[i] - 0.5), other = one.holds ? Result(one.value * x[0]) : one;
    if (i == 2)
      other = Failure::large;
    if (i != 1) {
      one.exchange(other);
      sum += other.holds ? other.value * other.value : x[i];
      sum += one.holds ? one.value : double(int(one.failure)) * x[0];
    }
  }
  return sum;
}

/// The first 32 bits of a number are a number of nearly the same size.
double without_last_bits(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x[i], sizeof bits);
    bits &= 0xffffffff00000000U;
    double head = 0;
    std::memcpy(&head, &bits, sizeof head);
    sum += head * (x[i] - head) + head * x[0];
  }
  return sum;
}

} // namespace

PLUGIN_TEST(OverwrittenHalves, ANumberOrAReasonIsCopied) {
  CHECK_FUNCTION(numbers_or_reasons, 0.7, 1.1, 0.2, 0.9);
  CHECK_SECOND_ORDER(numbers_or_reasons, 0.7, 1.1, 0.2, 0.9);
}
PLUGIN_TEST(OverwrittenHalves, ANumberOrAReasonIsExchanged) {
  CHECK_FUNCTION(exchanged, 0.7, 1.1, 0.9, 0.2);
  CHECK_SECOND_ORDER(exchanged, 0.7, 1.1, 0.9, 0.2);
}
PLUGIN_TEST(OverwrittenHalves, WhatIsLeftOfANumberGrowsAsItDoes) {
  double x[] = {1.5, 0.75}, gradient[2] = {};
  __enzyme_autodiff<void>((void *)without_last_bits, enzyme_dup, x, gradient, enzyme_const, 2);
  EXPECT_CLOSE(gradient[0], 1.5 + 1.5 + 0.75);
  EXPECT_CLOSE(gradient[1], 1.5);
}
