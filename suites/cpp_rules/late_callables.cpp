// Rules that differentiate what they are given, where that is only known when the program runs: functions by pointers,
// member functions, std::function, and closures that refer to constants.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/rules/root.hpp>
#include <functional>

using namespace assay;

namespace {

struct Model {
  double k = 2;
  double square(double x, double p) const { return k * x * x - p; }
  double fourth(double x, double p) const { return k * x * x * x * x - p * p / 2; }
};
using Member = double (Model::*)(double, double) const;
volatile int chosen = 0; // what is not known when compiling

/// At p = 8 each root of these functions is 2, and its derivative 1/8.
void expect_root(const auto &root_of, const auto &given) {
  EXPECT_CLOSE(get<1>(autodiff<Reverse>(root_of, Const{given}, Active{8.0}).gradient), 0.125);
  EXPECT_CLOSE(autodiff<Forward>(root_of, Const{given}, Duplicated{8.0, 1.0}).derivative, 0.125);
  const auto both = autodiff<Forward>(root_of, Const{given}, BatchDuplicated{8.0, std::array{1.0, 2.0}}).derivative;
  EXPECT_CLOSE(both[1], 0.25);
}

double square(double x, double p) {
  return 2 * x * x - p;
}
double fourth(double x, double p) {
  return 2 * x * x * x * x - p * p / 2;
}
using Plain = double (*)(double, double);
double root_of_plain(const Plain &f, double p) {
  return rules::root(f, 1.0, p);
}

PLUGIN_TEST(LateCallables, ArePointersToFunctions) {
  expect_root(root_of_plain, chosen == 1 ? fourth : square);
  expect_root(root_of_plain, chosen == 0 ? fourth : square);
}

using Anything = std::function<double(double, double)>;
double root_of_anything(const Anything &f, double p) {
  return rules::root(f, 1.0, p);
}

PLUGIN_TEST(LateCallables, AreHeldByStdFunction) {
  const double k = 2;
  Anything f = [&k](double x, double p) { return k * x * x - p; };
  expect_root(root_of_anything, f);
  if (chosen == 0)
    f = fourth;
  expect_root(root_of_anything, f);
}

double root_of_reference(const Model &model, double p) {
  return rules::root([&model](double x, double q) { return model.k * x * x - q; }, 1.0, p);
}
struct Scaled {
  const Model *model;
  double scale;
  double operator()(double x, double p) const { return scale * model->k * x * x - p; }
};
double root_of_scaled(const Model &model, double p) {
  return rules::root(Scaled{&model, 1}, 1.0, p);
}
double root_of_object(const Scaled &scaled, double p) {
  return rules::root(scaled, 1.0, p);
}

PLUGIN_TEST(LateCallables, ReferToConstants) {
  const Model model;
  expect_root(root_of_reference, model);
  expect_root(root_of_scaled, model);
  expect_root(root_of_object, Scaled{&model, 1});
}

/// The objects that call the derivatives are reached by pointers of the same type as the functions that are
/// differentiated.
struct Bound {
  Model model;
  Member f;
  double operator()(double x, double p) const { return (model.*f)(x, p); }
};
double root_of_bound(const Bound &bound, double p) {
  return rules::root(bound, 1.0, p);
}
struct Solver {
  Bound bound;
  double reverse(double p, double scale) const {
    return scale * get<1>(autodiff<Reverse>(root_of_bound, Const{bound}, Active{p}).gradient);
  }
  double forward(double p, double scale) const {
    return scale * autodiff<Forward>(root_of_bound, Const{bound}, Duplicated{p, 1.0}).derivative;
  }
};

PLUGIN_TEST(LateCallables, AreMembersLikeThoseThatDifferentiateThem) {
  double (Solver::*const derivatives[])(double, double) const = {&Solver::reverse, &Solver::forward}; // NOLINT
  for (const Member f : {&Model::square, &Model::fourth})
    for (const auto derivative : derivatives)
      EXPECT_CLOSE((Solver{Bound{{}, f}}.*derivative)(8, 3), 0.375);
}

double root_of_member(const Model &model, Member f, double p) {
  return rules::root([&model, f](double x, double q) { return (model.*f)(x, q); }, 1.0, p);
}

PLUGIN_TEST(LateCallables, AreMembersOfConstants) {
  const Model model;
  const Member f = chosen == 0 ? &Model::fourth : &Model::square;
  EXPECT_CLOSE(get<2>(autodiff<Reverse>(root_of_member, Const{model}, Const{f}, Active{8.0}).gradient), 0.125);
}

} // namespace
