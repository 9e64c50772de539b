// Active arguments that are objects: matrices of fixed size, pairs, tuples, optionals, variants, and structs of these.
// Their adjoints come back with their own type.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/eigen.hpp>
#include <assay/rules.hpp>
#include <complex>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using namespace assay;
using Eigen::Vector3d;

namespace {

double squared_norm(const Vector3d &v) {
  return v.squaredNorm();
}
struct Body {
  Vector3d position;
  double mass;
  Eigen::Matrix2d inertia;
};
double energy(const Body &b) {
  return b.mass * b.position.squaredNorm() + b.inertia(0, 1) * b.inertia(1, 0);
}
const Vector3d v(1, 2, 3);
const Body body{v, 2, Eigen::Matrix2d::Constant(3)};

/// The adjoint of the only argument, which has the argument's type.
template <class F, class T>
T adjoint(F f, const T &x) {
  return std::get<0>(autodiff<Reverse>(f, Active{x}).gradient);
}

PLUGIN_TEST(ActiveObjects, AreMatricesOfFixedSize) {
  EXPECT_SAME(adjoint(squared_norm, v)(2), 6.0);
  const auto changed = autodiff<ReverseWithPrimal>(
      [](Vector3d x) {
        x *= 2;
        return x.dot(x);
      },
      Active{v});
  EXPECT_SAME(std::get<0>(changed.gradient)(2), 24.0);
  EXPECT_SAME(changed.primal, 56.0);
  EXPECT_SAME(adjoint([](const Eigen::Vector2f &x) { return x(0) * x(1); }, Eigen::Vector2f(2, 3))(0), 3.0);
  EXPECT_SAME(adjoint([](const Eigen::Array22d &a) { return (a * a).sum(); },
                      Eigen::Array22d(Eigen::Array22d::Constant(3)))(1, 1),
              6.0);
  const Eigen::Matrix2cd z = Eigen::Matrix2cd::Constant({3, 4});
  EXPECT_SAME(adjoint([](const Eigen::Matrix2cd &m) { return std::norm(m(0, 1)); }, z)(0, 1).imag(), 8.0);
}

PLUGIN_TEST(ActiveObjects, AreOtherObjectsOfEigenWithoutMemoryOfTheirOwn) {
  using Bounded = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;
  Bounded bounded(2);
  bounded << 1, 5;
  const Bounded by_bounded = adjoint([](const Bounded &x) { return x.squaredNorm(); }, bounded);
  EXPECT_SAME(static_cast<double>(by_bounded.size()), 2.0);
  EXPECT_SAME(by_bounded(1), 10.0);
  using Diagonal = Eigen::DiagonalMatrix<double, 3>;
  EXPECT_SAME(
      adjoint([](const Diagonal &d) { return d.diagonal()(0) * d.diagonal()(2); }, Diagonal(1, 2, 3)).diagonal()(0),
      3.0);
  const auto turned =
      adjoint([](const Eigen::Quaterniond &q) { return q.x() * q.w() + q.y(); }, Eigen::Quaterniond(1, 2, 3, 4));
  EXPECT_SAME(turned.w(), 2.0);
  EXPECT_SAME(turned.y(), 1.0);
}

PLUGIN_TEST(ActiveObjects, HoldOneAnother) {
  const Body by_body = adjoint(energy, body);
  EXPECT_SAME(by_body.position(0), 4.0);
  EXPECT_SAME(by_body.mass, 14.0);
  EXPECT_SAME(by_body.inertia(0, 1), 3.0);
  EXPECT_SAME(by_body.inertia(0, 0), 0.0);
  using Two = std::array<Vector3d, 2>;
  EXPECT_SAME(adjoint([](const Two &a) { return a[0].dot(a[1]); }, Two{v, 2 * v})[0](1), 4.0);
  const auto by_pair = adjoint([](const auto &p) { return p.first * p.second(1); }, std::pair{2.0, v});
  EXPECT_SAME(by_pair.first, 2.0);
  EXPECT_SAME(by_pair.second(1), 2.0);
}

PLUGIN_TEST(ActiveObjects, AreTuplesOptionalsAndVariants) {
  const auto by_tuple = adjoint([](const auto &t) { return std::get<0>(t) * double(std::get<1>(t)) * std::get<2>(t); },
                                std::tuple<double, float, int>{2, 3, 4});
  EXPECT_SAME(std::get<0>(by_tuple), 12.0);
  EXPECT_SAME(std::get<1>(by_tuple), 8.0);
  const auto square = [](const std::optional<double> &x) { return x ? *x * *x : 0; };
  EXPECT_SAME(adjoint(square, std::optional<double>(3)).value(), 6.0);
  EXPECT_HOLDS(!adjoint(square, std::optional<double>()).has_value());
  const auto norm = [](const std::optional<Vector3d> &x) { return x ? x->squaredNorm() : 0; };
  EXPECT_SAME(adjoint(norm, std::optional(v)).value()(2), 6.0);
  const auto choice = [](const std::variant<int, double> &x) { return x.index() == 1 ? 3 * std::get<1>(x) : 0; };
  EXPECT_SAME(std::get<1>(adjoint(choice, std::variant<int, double>(2.0))), 3.0);
  EXPECT_SAME(adjoint([](std::complex<double> z) { return std::norm(z); }, std::complex<double>(3, 4)).imag(), 8.0);
}

PLUGIN_TEST(ActiveObjects, HaveAnAdjointForEachLane) {
  const auto scaled = [](const Vector3d &x, const std::vector<double> &w, std::vector<double> &y) {
    y[0] = x(0) * w[0];
    y[1] = x(2) * w[1];
  };
  const std::vector<double> w{2, 5};
  std::vector<double> y(2);
  std::array seeds{std::vector<double>{1, 0}, std::vector<double>{0, 1}};
  const auto r = autodiff<Reverse>(scaled, Active{v}, Const{w}, BatchDuplicated{y, seeds});
  const std::array<Vector3d, 2> &lanes = std::get<0>(r.gradient);
  EXPECT_SAME(lanes[0](0), 2.0);
  EXPECT_SAME(lanes[1](0), 0.0);
  EXPECT_SAME(lanes[1](2), 5.0);
}

PLUGIN_TEST(ActiveObjects, GoThroughBothPasses) {
  const auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(energy, type<Active<Body>>);
  auto first = forward(Active{body});
  auto second = forward(Active{Body{2 * v, 1, body.inertia}});
  EXPECT_SAME(first.primal, 37.0);
  const auto by_second = reverse(Active{body}, 2.0, second.tape);
  const auto by_first = reverse(Active{body}, 1.0, first.tape);
  EXPECT_SAME(std::get<0>(by_second).position(0), 8.0);
  EXPECT_SAME(std::get<0>(by_first).position(2), 12.0);
  const auto thunk = autodiff_thunk<Reverse, Active>(squared_norm, type<Active<Vector3d>>);
  EXPECT_SAME(std::get<0>(thunk(Active{v}).gradient)(1), 4.0);
}

PLUGIN_TEST(ActiveObjects, AreDifferentiatedAgain) {
  const auto gradient = [](const Vector3d &x) {
    return adjoint([](const Vector3d &y) { return y(0) * y(0) * y(1); }, x);
  };
  const Vector3d along = autodiff<Forward>(gradient, Duplicated{v, Vector3d(1, 0, 0)}).derivative;
  EXPECT_SAME(along(0), 4.0);
  EXPECT_SAME(along(1), 2.0);
  Eigen::Vector2cd z;
  z << std::complex<double>(1, 2), std::complex<double>(3, 1);
  const auto holomorphic =
      autodiff<ReverseHolomorphic>([](const Eigen::Vector2cd &x) { return x(0) * x(1); }, Active{z});
  EXPECT_SAME(std::get<0>(holomorphic.gradient)(0).imag(), 1.0);
  const auto seeded = autodiff<Reverse>([](const Vector3d &x) { return Vector3d(x.cross(Vector3d(0, 0, 1))); },
                                        Seed{Vector3d(1, 0, 0)}, Active{v});
  EXPECT_SAME(std::get<0>(seeded.gradient)(1), 1.0);
}

// ---- rules return what Active takes ----

double norm_by_rule(const Vector3d &x) {
  return x.squaredNorm();
}
struct NormRule { // ten times the derivative, to be told from the engine's own
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto x) { return Vector3d(20 * dy * x.value); }
};
ASSAY_RULE(NormRule, norm_by_rule);

double norm_by_pair(const Eigen::VectorXd &x) {
  return x.squaredNorm();
}
constexpr auto first_of_norm = [](const Eigen::VectorXd &x) {
  return std::pair{x.squaredNorm(),
                   [x](double dy) { return std::tuple<Eigen::VectorXd>(20 * dy * x.head(x.size() > 2 ? 1 : 2)); }};
};
ASSAY_RULE(rules::import_rrule<first_of_norm>, norm_by_pair);

PLUGIN_TEST(ActiveObjects, AreReturnedByRules) {
  EXPECT_SAME(adjoint(norm_by_rule, v)(2), 60.0);
  Vector3d dv = Vector3d::Zero();
  autodiff<Reverse>(norm_by_rule, Duplicated{v, dv});
  EXPECT_SAME(dv(1), 40.0);
}

PLUGIN_TEST(ActiveObjects, AreRefusedFromRulesWithAnotherNumberOfElements) {
  const Eigen::VectorXd two = Eigen::VectorXd::Constant(2, 3.0), three = Eigen::VectorXd::Constant(3, 3.0);
  Eigen::VectorXd by_two = Eigen::VectorXd::Zero(2), by_three = Eigen::VectorXd::Zero(3);
  autodiff<Reverse>(norm_by_pair, Duplicated{two, by_two});
  EXPECT_SAME(by_two(1), 60.0);
  std::string refusal;
  try {
    autodiff<Reverse>(norm_by_pair, Duplicated{three, by_three});
  } catch (const std::invalid_argument &error) {
    refusal = error.what();
  }
  EXPECT_HOLDS(refusal == "assay: a rule returned a derivative with 1 numbers for an argument with 3");
}

} // namespace
