// The rules of eigensystems, singular values and the matrix exponential; against closed forms.
#include "bundled.hpp"
#include <assay/rules/eigensystem.hpp>
#include <assay/rules/exponential.hpp>
#include <assay/rules/svd.hpp>

using namespace assay;
using bundled::compare_modes;
using bundled::weighed;

namespace {

using Matrix = Eigen::MatrixXd;
using Rows = std::vector<double>;

TEST(Decompositions, Eigensystem) {
  const auto both = [](const Rows &a) {
    const auto y = rules::eigensystem(a);
    return weighed(y.values) + 0.5 * weighed(y.vectors);
  };
  compare_modes("eigensystem", both, Rows{4, 0, 1, 3});
}

TEST(Decompositions, EigensystemWithEqualValues) {
  // exp(A) of the unit matrix, by its eigensystem: what does not depend on the basis has the right derivative
  const auto trace_of_cube = [](const Matrix &a) {
    const auto y = rules::eigensystem(a);
    double sum = 0;
    for (Eigen::Index i = 0; i < y.values.size(); ++i)
      sum += y.values[i] * y.values[i] * y.values[i];
    return sum;
  };
  const Matrix unit = 2 * Matrix::Identity(3, 3);
  Matrix da = Matrix::Zero(3, 3);
  autodiff<Reverse>(trace_of_cube, Duplicated{unit, da});
  EXPECT_LT((da - 12 * Matrix::Identity(3, 3)).norm(), 1e-13);
}

TEST(Decompositions, SingularValues) {
  const auto all = [](const Matrix &a) {
    const auto y = rules::svd(a);
    return weighed(y.values) + 0.5 * weighed(y.u) - 0.7 * weighed(y.v);
  };
  compare_modes("svd", all, Matrix{{4, 1}, {0.5, 3}, {0.3, 0.7}});
}

TEST(Decompositions, NuclearNormAtARankOneMatrix) {
  const Matrix a{{1, 1}, {1, 1}};
  Matrix da = Matrix::Zero(2, 2);
  autodiff<Reverse>([](const Matrix &x) { return rules::svd(x).values[0]; }, Duplicated{a, da});
  EXPECT_LT((da - a / 2).norm(), 1e-14);
}

TEST(Decompositions, Exponential) {
  compare_modes("exponential", [](const Rows &a) { return weighed(rules::exponential(a)); }, Rows{0.4, 0.1, 0.2, -0.3});
  const Rows nothing(4);
  Rows da(4);
  autodiff<Reverse>([](const Rows &a) { return rules::exponential(a)[1]; }, Duplicated{nothing, da});
  EXPECT_EQ(da, (Rows{0, 1, 0, 0}));
}

} // namespace
