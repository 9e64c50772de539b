// Vectors have the properties that their names promise, at every step of shrinking.
#include <assay/generators.hpp>

#include "generators/test/expect_always.hpp"

#include <cmath>
#include <numeric>

namespace assay::gen {
namespace {

double sum_of(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Simplex, IsPositiveWithTheSumOne) {
  expect_always(simplex(4), [](const std::vector<double> &p) {
    return p.size() == 4 && *std::min_element(p.begin(), p.end()) > 0 && std::abs(sum_of(p) - 1) < 1e-14;
  });
}

TEST(Stochastic, HasRowsWithTheSumOne) {
  expect_always(stochastic(2, 3), [](const Matrix<double> &m) {
    return m.values.size() == 6 && std::abs(m(0, 0) + m(0, 1) + m(0, 2) - 1) < 1e-14 &&
           std::abs(m(1, 0) + m(1, 1) + m(1, 2) - 1) < 1e-14;
  });
}

TEST(UnitVector, HasLengthOneAlsoWhereItShrinksToNothing) {
  expect_always(unit_vector(3), [](const std::vector<double> &v) {
    return std::abs(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 1) < 1e-14;
  });
  EXPECT_EQ(simplest(unit_vector(3)), (std::vector<double>{1, 0, 0}));
}

TEST(Sorted, IsAscending) {
  expect_always(sorted(real(-1, 1), 5),
                [](const std::vector<double> &x) { return std::is_sorted(x.begin(), x.end()); });
}

TEST(Quantised, IsAMultipleWithinTheBounds) {
  expect_always(quantised(0.25, -1, 2), [](double x) { return x >= -1 && x <= 2 && std::fmod(x, 0.25) == 0; });
  EXPECT_THROW(quantised(1, 0.25, 0.75), std::invalid_argument);
}

} // namespace
} // namespace assay::gen
