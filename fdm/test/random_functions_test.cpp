// Thousands of random smooth functions, against dual numbers in long double: no false alarm, and honest errors.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace assay::fdm {
namespace {

/// A number and its derivative.
struct Dual {
  long double value = 0, slope = 0;
};

enum class Operation {
  constant,
  add,
  subtract,
  multiply,
  sine,
  exponential,
  hyperbolic,
  quotient,
  logarithm,
  root,
  arc
};

/// One node of a random expression; operands are earlier nodes, node 0 is the argument.
struct Node {
  Operation operation;
  std::size_t first, second;
  double constant;
};

/// SplitMix64: the test needs nothing better.
class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  double between(double lower, double upper) {
    return lower + (upper - lower) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

private:
  std::uint64_t next() {
    std::uint64_t bits = (state += 0x9e3779b97f4a7c15ULL);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    return bits ^ (bits >> 31);
  }

  std::uint64_t state;
};

std::vector<Node> random_expression(Random &random) {
  std::vector<Node> nodes;
  const std::size_t size = 3 + random.below(10);
  for (std::size_t i = 0; i < size; ++i) {
    const auto first = static_cast<Operation>(i + 1 == size ? 1 + random.below(10) : random.below(11));
    nodes.push_back({first, random.below(i + 1), random.below(i + 1), std::round(random.between(-2, 2) * 100) / 100});
  }
  return nodes;
}

template <class T>
T apply(const Node &node, T a, T b) {
  switch (node.operation) {
  case Operation::constant:
    return static_cast<T>(node.constant);
  case Operation::add:
    return a + b;
  case Operation::subtract:
    return a - b;
  case Operation::multiply:
    return a * b;
  case Operation::sine:
    return std::sin(a);
  case Operation::exponential:
    return std::exp(a / 4);
  case Operation::hyperbolic:
    return std::tanh(a);
  case Operation::quotient:
    return a / (b * b + 1);
  case Operation::logarithm:
    return std::log(a * a + 1);
  case Operation::root:
    return std::sqrt(a * a + T(0.125));
  case Operation::arc:
    return std::atan(a);
  }
  return a;
}

/// Partial derivatives by the first and the second operand.
Dual partials(const Node &node, long double a, long double b) {
  const long double value = apply<long double>(node, a, b);
  switch (node.operation) {
  case Operation::constant:
    return {0, 0};
  case Operation::add:
    return {1, 1};
  case Operation::subtract:
    return {1, -1};
  case Operation::multiply:
    return {b, a};
  case Operation::sine:
    return {std::cos(a), 0};
  case Operation::exponential:
    return {value / 4, 0};
  case Operation::hyperbolic:
    return {1 - value * value, 0};
  case Operation::quotient:
    return {1 / (b * b + 1), -2 * a * b / ((b * b + 1) * (b * b + 1))};
  case Operation::logarithm:
    return {2 * a / (a * a + 1), 0};
  case Operation::root:
    return {a / value, 0};
  case Operation::arc:
    return {1 / (1 + a * a), 0};
  }
  return {0, 0};
}

template <class T>
T evaluate(const std::vector<Node> &nodes, T x) {
  std::vector<T> values{x};
  for (const Node &node : nodes)
    values.push_back(apply<T>(node, values[node.first], values[node.second]));
  return values.back();
}

Dual differentiate(const std::vector<Node> &nodes, long double x) {
  std::vector<Dual> values{{x, 1}};
  for (const Node &node : nodes) {
    const Dual a = values[node.first];
    const Dual b = values[node.second];
    const Dual partial = partials(node, a.value, b.value);
    values.push_back({apply<long double>(node, a.value, b.value), partial.value * a.slope + partial.slope * b.slope});
  }
  return values.back();
}

struct Tally {
  int total = 0, undecided = 0, honest = 0, false_alarms = 0, suspected_kinks = 0;
};

template <class T>
Tally compare(int count, double tolerance) {
  const auto method = central_fdm(5, 1);
  Random random(7);
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const auto nodes = random_expression(random);
    const auto x = static_cast<T>(random.between(-2, 2));
    const Dual truth = differentiate(nodes, x);
    if (!std::isfinite(truth.slope) || std::fabs(truth.slope) > 1e12L)
      continue;
    const auto f = [&](T at) { return evaluate<T>(nodes, at); };
    const auto estimate = method(f, x);
    const auto error = std::fabs(static_cast<long double>(estimate.value) - truth.slope);
    ++tally.total;
    tally.undecided += estimate.reliable() ? 0 : 1;
    tally.honest += error <= static_cast<long double>(estimate.error) ? 1 : 0;
    tally.false_alarms += error > tolerance + tolerance * std::fabs(truth.slope) + estimate.error ? 1 : 0;
    tally.suspected_kinks += probe_kink(f, x, static_cast<double>(estimate.radius)).suspicious() ? 1 : 0;
  }
  return tally;
}

void expect_no_false_alarms(const Tally &tally) {
  EXPECT_EQ(tally.false_alarms, 0);
  EXPECT_LT(tally.undecided, tally.total / 200);
  EXPECT_GT(tally.honest, tally.total * 99 / 100);
  EXPECT_LT(tally.suspected_kinks, tally.total / 200);
}

TEST(RandomFunctions, RaiseNoFalseAlarmInDouble) {
  expect_no_false_alarms(compare<double>(5000, 1e-9));
}

TEST(RandomFunctions, RaiseNoFalseAlarmInFloat) {
  expect_no_false_alarms(compare<float>(5000, 3.4e-4));
}

} // namespace
} // namespace assay::fdm
