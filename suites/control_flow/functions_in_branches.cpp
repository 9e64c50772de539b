// A branch has a function whose derivative is a function that another branch has of the same number, as sin(t) and
// cos(t): a result that one branch keeps on the tape is not read in the other.
#include "support/vector_program.hpp"
#include <cmath>

namespace functions_in_branches {

using namespace assay::suites;

static double of_two_branches(const double *x, int n) {
  double product = 1;
  for (int i = 0; i < 12; ++i) {
    const double t = std::exp(x[i % n] * product);
    if (i % 3 == 1)
      product *= std::cos(t);
    else
      product *= std::sin(t);
    if (i % 4 == 2)
      product *= 1 + std::cos(t) * std::cos(t);
  }
  return product;
}

static double of_a_table(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) {
    const double t = std::log(x[i % n] + sum * sum);
    switch (i % 4) {
    case 0:
      sum += std::sinh(t) * x[0];
      break;
    case 1:
      sum += std::cosh(t) * x[1];
      break;
    case 2:
      sum -= std::sin(t) * x[2];
      break;
    default:
      sum -= std::cos(t) * x[0];
    }
  }
  return sum;
}

PLUGIN_TEST(FunctionsInBranches, of_two_branches) {
  CHECK_FUNCTION(of_two_branches, 0.1, 0.2, 0.3);
}

PLUGIN_TEST(FunctionsInBranches, of_a_table) {
  CHECK_FUNCTION(of_a_table, 1.1, 2.2, 1.3);
}

} // namespace functions_in_branches
