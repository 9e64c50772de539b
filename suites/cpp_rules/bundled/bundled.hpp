// What the tests of the bundled rules share.
#pragma once

#include <assay/autodiff.hpp>
#include <assay/to_vec.hpp>
#include <cmath>
#include <gtest/gtest.h>

namespace assay::bundled {

/// A number to which each entry of a result contributes differently.
double weighed(const auto &y) {
  double sum = 0;
  for (decltype(y.size()) i = 0; i < y.size(); ++i)
    sum += y.data()[i] * (1 + 0.3 * double(i * i));
  return sum;
}

/// `f` is a lambda that makes a number of what the rule's function returns. Forward and reverse mode against finite
/// differences along the gradient.
template <class F, class... A>
static void compare_modes(const char *name, const F &f, const A &...arguments) {
  const auto [point, from_point] = to_vec(std::tuple<A...>(arguments...));
  const auto [adjoints, from_adjoints] = to_vec(gradient<Reverse>(f, arguments...));
  double length = 0;
  for (const double each : adjoints)
    length += each * each;
  length = std::sqrt(length);
  const auto moved = [&](double scale, double distance) {
    std::vector<double> to(point.size());
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = scale * point[i] + distance * adjoints[i] / length;
    return from_point(to);
  };
  const auto at = [&](double distance) { return std::apply(f, moved(1, distance)); };
  const double step = 1e-3;
  const double difference = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
  const double tangent = std::apply(
      [&](const A &...direction) { return autodiff<Forward>(f, Duplicated{arguments, direction}...).derivative; },
      moved(0, 1));
  EXPECT_GT(length, 0) << name;
  EXPECT_NEAR(tangent, length, 1e-12 * length) << name << ": forward against reverse mode";
  EXPECT_NEAR(difference, length, 1e-8 * length) << name << ": finite differences against reverse mode";
}

} // namespace assay::bundled
