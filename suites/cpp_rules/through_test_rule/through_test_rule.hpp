// Rules through test_rule. Functions of one type share the code of a test, so each is made one of a vector of numbers.
// That code is compiled without optimisation, which takes a third of the time.
#pragma once

#include <assay/autodiff.hpp>
#include <assay/rules/dense.hpp>
#include <assay/testing.hpp>
#include <assay/testing/rule.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay::bundled {

using Numbers = std::vector<double>;

/// A number to which each entry of a result contributes differently.
static double weighed(const auto &y) {
  double sum = 0;
  for (decltype(y.size()) i = 0; i < y.size(); ++i)
    sum += y.data()[i] * (1 + 0.3 * double(i * i));
  return sum;
}

/// `Second` is `std::false_type` where the second order takes too long to compile.
template <class Second = std::true_type>
static void test_function(const char *name, double (*f)(const Numbers &), const Numbers &x) {
  constexpr auto lanes = in_forms<TestForm{.width = 2, .split = true}>;
  test_rule(TestOptions{.name = name, .variations = lanes, .oracle = off, .second_order = Second()}, f, x);
}

} // namespace assay::bundled
