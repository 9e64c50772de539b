// The rules of what is defined by an equation: linear systems, roots and fixed points.
#include "bundled.hpp"
#include <assay/rules/fixed_point.hpp>
#include <assay/rules/root.hpp>
#include <assay/rules/solve.hpp>
#include <assay/rules/sparse_solve.hpp>

using namespace assay;
using bundled::compare_modes;
using bundled::weighed;

namespace {

using Numbers = std::vector<double>;

TEST(Implicit, Solve) {
  compare_modes(
      "solve", [](const Numbers &a, const Numbers &b) { return weighed(rules::solve(a, b)); }, Numbers{4, 1, 2, 3},
      Numbers{1, 2});
}

TEST(Implicit, SolveWithMatricesOfTheFunctionsOwn) {
  const auto f = [](const Numbers &x) {
    const Eigen::MatrixXd a{{x[0], x[1]}, {x[2], x[3]}};
    const Eigen::VectorXd b{{x[1], x[0]}};
    return weighed(rules::solve(a, b));
  };
  compare_modes("solve", f, Numbers{4, 1, 2, 3});
}

TEST(Implicit, SolveWithMatricesOfFloats) {
  const Eigen::MatrixXf a{{4, 1}, {2, 3}};
  const Eigen::VectorXf b{{1, 2}};
  Eigen::MatrixXf da = Eigen::MatrixXf::Zero(2, 2);
  Eigen::VectorXf db = Eigen::VectorXf::Zero(2);
  const auto f = [](const Eigen::MatrixXf &m, const Eigen::VectorXf &v) { return rules::solve(m, v)[0]; };
  autodiff<Reverse>(f, Duplicated{a, da}, Duplicated{b, db}); // x = (0.1, 0.6), row 0 of the inverse (0.3, -0.1)
  EXPECT_NEAR(db[1], -0.1, 1e-6);
  EXPECT_NEAR(da(1, 1), 0.06, 1e-6);
  EXPECT_NEAR(autodiff<Forward>(f, Duplicated{a, Eigen::MatrixXf(Eigen::MatrixXf::Ones(2, 2))}, Const{b}).derivative,
              -0.14, 1e-6);
}

TEST(Implicit, SparseSolve) {
  const auto of_arrow = [](const Numbers &x) {
    rules::SparseMatrix a(3, 3);
    for (int i = 0; i < 3; ++i)
      a.insert(i, i) = 3 + x[0] * i;
    a.insert(0, 2) = x[0];
    a.insert(2, 1) = x[1];
    a.makeCompressed();
    return weighed(rules::sparse_solve(a, Eigen::VectorXd{{x[1], 2, 3}}));
  };
  compare_modes("sparse_solve", of_arrow, Numbers{1, 2});
  EXPECT_THROW(rules::sparse_solve(rules::SparseMatrix(2, 2), Eigen::VectorXd::Zero(2)), std::domain_error);
}

struct SquareRoot {
  double operator()(double x, double p) const { return x * x - p; }
};
TEST(Implicit, Root) {
  compare_modes("root", [](double p) { return rules::root(SquareRoot(), 1.0, p); }, 2.0);
}

struct Contraction {
  Numbers operator()(const Numbers &x, const Numbers &p) const {
    return {0.3 * std::cos(x[1]) * p[0], 0.4 * std::sin(x[0]) + p[1] * 0.2 * x[1]};
  }
};
struct Halving {
  Numbers operator()(const Numbers &x, const Numbers &p) const { return {0.5 * x[0] + p[0]}; }
};
TEST(Implicit, FixedPoint) {
  compare_modes(
      "fixed_point", [](const Numbers &p) { return weighed(rules::fixed_point(Contraction(), Numbers{0, 0}, p)); },
      Numbers{1.1, 0.7});
  const Numbers p{3}; // x = 2 p
  Numbers dp(1);
  autodiff<Reverse>([](const Numbers &v) { return rules::fixed_point(Halving(), Numbers{0}, v)[0]; },
                    Duplicated{p, dp});
  EXPECT_NEAR(dp[0], 2, 1e-14);
}

} // namespace
