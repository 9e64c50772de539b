// The examples of docs/interface.md, "Names of Enzyme.jl". A test (examples_test.cpp) finds each of the table's
// examples here.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <assay/typetree.hpp>
#include <complex>
#include <tuple>
#include <utility>
#include <vector>

using namespace assay;

namespace {

static_assert(DifferentiationMode<decltype(Forward)>);

double square(double x) {
  return x * x;
}
double product(double x, double y) {
  return x * y;
}
double sum_of_squares(const std::vector<double> &A) {
  double sum = 0;
  for (double element : A)
    sum += element * element;
  return sum;
}
double scaled_first(std::vector<double> &A, double v) {
  const double result = A[0] * v;
  A[0] = 0;
  return result;
}
std::vector<double> pair(const std::vector<double> &x) {
  return {x[0] * x[1], x[1]};
}
void powers(std::vector<double> &y, const std::vector<double> &x) {
  y[0] = x[0] * x[0] + x[1];
  y[1] = x[0] * x[1];
}
struct Model {
  double scale;
  std::vector<double> weights;
};
double evaluate(const Model &model) {
  return model.scale * model.weights[0];
}
std::complex<double> complex_square(std::complex<double> z) {
  return z * z;
}

// ---- rules; each derivative is ten times the engine's own, to be told from it ----

double cube(double x) {
  return x * x * x;
}
struct CubeRule {
  static auto forward(const auto &config, auto x) {
    return Duplicated{cube(x.value),
                      config.each_lane([&](int lane) { return 30 * x.value * x.value * x.shadow(lane); })};
  }
  static auto augmented_primal(const auto &config, auto x) {
    const double value = config.needs_primal() ? cube(x.value) : 0;
    return AugmentedReturn{value, None{}, x.value};
  }
  static auto reverse(const auto & /*config*/, auto dy, double kept, auto /*x*/) { return 30 * kept * kept * dy; }
};
ASSAY_RULE(CubeRule, cube);

double first_square(const std::vector<double> &x) {
  return x[0] * x[0];
}
struct FirstSquareRule {
  static auto augmented_primal(const auto &config, auto x) {
    const bool keeps = config.overwritten(0);
    return AugmentedReturn{first_square(x.value), None{}, keeps ? x.value[0] : 0.0};
  }
  static void reverse(const auto &config, const auto &dy, double kept, auto x) {
    const double first = config.overwritten(0) ? kept : x.value[0];
    for (int lane = 0; lane < config.width(); ++lane)
      x.shadow(lane)[0] += 20 * first * dy(lane);
  }
};
ASSAY_RULE(FirstSquareRule, first_square);

double counted(double x) {
  return x;
}
ASSAY_RULE(rules::inactive, counted);
long measured(double x) {
  return static_cast<long>(x);
}
ASSAY_RULE(rules::inactive_noinl, measured);

double fourth(double x) {
  return x * x * x * x;
}
constexpr auto fourth_rrule = [](double x) {
  return std::pair{fourth(x), [x](double dy) { return std::tuple{40 * x * x * x * dy}; }};
};
constexpr auto fourth_frule = [](const auto &tangents, double x) {
  return std::pair{fourth(x), 40 * x * x * x * std::get<0>(tangents)};
};
struct FourthRule : rules::import_rrule<fourth_rrule>, rules::import_frule<fourth_frule> {};
ASSAY_RULE(FourthRule, fourth);

PLUGIN_TEST(Examples, Rules) {
  EXPECT_SAME(autodiff<Forward>(cube, Duplicated{2.0, 1.0}).derivative, 120.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(cube, Active{2.0}).gradient), 120.0);
  const std::vector<double> x{3};
  std::vector<double> dx(1), dx2(1);
  autodiff<Reverse>(first_square, BatchDuplicated{x, std::tie(dx, dx2)});
  EXPECT_SAME(dx2[0], 60.0);
  const auto scaled = [](double x) { return x * counted(x) * measured(x); };
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(scaled, Active{3.0}).gradient), 9.0);
  EXPECT_SAME(autodiff<Forward>(fourth, Duplicated{1.0, 1.0}).derivative, 40.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(fourth, Active{1.0}).gradient), 40.0);
}

PLUGIN_TEST(Examples, Annotations) {
  std::vector<double> A{1, 2, 3}, dA(3), dA2(3);
  Model model{2, {3}}, dmodel = make_zero(model);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(product, Active{2.0}, Const{3.0}).gradient), 3.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(square, Active{3.0}).gradient), 6.0);
  autodiff<Reverse>(sum_of_squares, Duplicated{A, dA});
  EXPECT_SAME(dA[2], 6.0);
  autodiff<Reverse>(sum_of_squares, DuplicatedNoNeed{A, dA});
  EXPECT_SAME(dA[2], 12.0);
  EXPECT_SAME(autodiff<Forward>(square, BatchDuplicated{3.0, std::array{1.0, 2.0}}).derivative[1], 12.0);
  autodiff<Reverse>(sum_of_squares, BatchDuplicatedNoNeed{A, std::tie(dA, dA2)});
  EXPECT_SAME(dA2[2], 6.0);
  autodiff<Reverse>(evaluate, MixedDuplicated{model, dmodel});
  EXPECT_SAME(dmodel.weights[0], 2.0);
}

PLUGIN_TEST(Examples, Modes) {
  EXPECT_SAME(autodiff<Forward>(square, Duplicated{3.0, 1.0}).derivative, 6.0);
  EXPECT_SAME(autodiff<ForwardWithPrimal>(square, Duplicated{3.0, 1.0}).primal, 9.0);
  EXPECT_SAME(autodiff<ReverseWithPrimal>(square, Active{3.0}).primal, 9.0);
  EXPECT_SAME(std::get<0>(autodiff<ReverseHolomorphic>(complex_square, Active{std::complex(1.0, 2.0)}).gradient).imag(),
              4.0);
  EXPECT_SAME(std::get<0>(autodiff<set_runtime_activity(Reverse)>(square, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<set_strong_zero(Reverse)>(square, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<set_loose_types(Reverse)>(square, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<set_strict_aliasing<false>(Reverse)>(square, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<set_type_warning<false>(Reverse)>(square, Active{3.0}).gradient), 6.0);
}

PLUGIN_TEST(Examples, Thunks) {
  std::vector<double> A{2.2}, dA{0};
  double v = 3.3;
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(
      scaled_first, type<Duplicated<std::vector<double>>>, type<Active<double>>);
  auto [tape, primal, shadow] = forward(Duplicated{A, dA}, Active{v});
  auto g = reverse(Duplicated{A, dA}, Active{v}, 1.0, tape);
  EXPECT_CLOSE(primal, 7.26);
  EXPECT_CLOSE(std::get<1>(g), 2.2);
  EXPECT_CLOSE(dA[0], 3.3);
  auto thunk = autodiff_thunk<Forward, Duplicated>(square, type<Duplicated<double>>);
  EXPECT_SAME(thunk(Duplicated{3.0, 1.0}).derivative, 6.0);
  auto [first, second] = autodiff_deferred_thunk<ReverseSplitNoPrimal, Active>(square, type<Active<double>>);
  using TapeType = tape_type<ReverseSplitNoPrimal, Active, decltype((square)), Active<double>>;
  TapeType kept = first(Active{3.0}).tape;
  EXPECT_SAME(std::get<0>(second(Active{3.0}, 1.0, kept)), 6.0);
  constexpr auto mode = set_modified_between<false>(ReverseSplitWithPrimal);
  EXPECT_HOLDS(mode.options.kept_between == 1);
}

PLUGIN_TEST(Examples, WholeFunctions) {
  const std::vector<double> x{2, 3}, v{1, 0};
  std::vector<double> dx(2), y(2);
  EXPECT_SAME(gradient<Reverse>(sum_of_squares, x)[1], 6.0);
  gradient(Reverse, dx, sum_of_squares, x);
  EXPECT_SAME(dx[1], 6.0);
  EXPECT_SAME(gradient<Forward>(sum_of_squares, x)[1], 6.0);
  EXPECT_SAME((gradient<Forward, Chunk<4>>(sum_of_squares, x)[1]), 6.0);
  EXPECT_SAME(jacobian<Forward>(pair, x)(0, 1), 2.0);
  EXPECT_SAME((jacobian<Forward, Chunk<2>>(pair, x)(0, 1)), 2.0);
  EXPECT_SAME((jacobian<Reverse, Outputs<2>, Chunk<2>>(pair, x)(0, 1)), 2.0);
  EXPECT_SAME(jacobian<Forward>(powers, y, x)(0, 0), 4.0);
  EXPECT_SAME(hvp(sum_of_squares, x, v)[0], 2.0);
  EXPECT_SAME(hvp_and_gradient(sum_of_squares, x, v).gradient[1], 6.0);
  EXPECT_SAME(hessian<Chunk<2>>(sum_of_squares, x)(1, 1), 2.0);
}

PLUGIN_TEST(Examples, HigherOrderAndShadows) {
  const auto slope = [](double x) { return autodiff_deferred<Forward>(square, Duplicated{x, 1.0}).derivative; };
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(slope, Active{3.0}).gradient), 2.0);
  std::vector<double> shadow = make_zero(std::vector<double>{1, 2});
  shadow[0] = 5;
  set_zero(shadow);
  EXPECT_SAME(shadow[0], 0.0);
  shadow[0] = 5;
  EXPECT_SAME(remake_zero(shadow)[0], 0.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(square, Seed{2.0}, Active{3.0}).gradient), 12.0);
  EXPECT_HOLDS(typetree<Model>().text() == "{0: double, 8: pointer to {0: double}, 16: pointer, 24: pointer}");
}

} // namespace
