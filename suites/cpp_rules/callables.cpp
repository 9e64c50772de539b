// Rules of what can be called: member functions, virtual ones, function objects, lambdas; and of what calls.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <cmath>
#include <stdexcept>
#include <string>

using namespace assay;

namespace {

struct Polynomial {
  double a, b;
  double value(double x) const { return a * x * x + b * x; }
};
struct PolynomialRule {
  static auto forward(const auto &config, auto p, auto x) {
    return Duplicated{p.value.value(x.value), config.each_lane([&](int lane) {
                        double tangent = 10 * (2 * p.value.a * x.value + p.value.b) * x.shadow(lane);
                        if (p.is_active())
                          tangent += 10 * p.shadow(lane).value(x.value);
                        return tangent;
                      })};
  }
  static void reverse(const auto &config, auto dy, None /*tape*/, auto p, auto x) {
    for (const int lane : config.lanes()) {
      x.shadow(lane) += 10 * (2 * p.value.a * x.value + p.value.b) * dy(lane);
      if (p.is_const())
        continue;
      p.shadow(lane).a += 10 * x.value * x.value * dy(lane);
      p.shadow(lane).b += 10 * x.value * dy(lane);
    }
  }
};
ASSAY_RULE(PolynomialRule, &Polynomial::value);

PLUGIN_TEST(CallableRules, ServeMemberFunctions) {
  const Polynomial p{2, 5};
  Polynomial dp{0, 0};
  const auto r = autodiff<Reverse>(&Polynomial::value, Duplicated{p, dp}, Active{3.0});
  EXPECT_SAME(get<1>(r.gradient), 170);
  EXPECT_SAME(dp.a, 90);
  EXPECT_SAME(dp.b, 30);
  const auto f = [](double x) { return Polynomial{2, 5}.value(x); };
  EXPECT_SAME(autodiff<Forward>(f, Duplicated{3.0, 1.0}).derivative, 170);
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{3.0}).gradient), 170);
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const = 0;
};
struct Disc final : Shape {
  double area(double x) const override { return 3 * x * x; }
};
struct Box final : Shape {
  double area(double x) const override { return x * x; }
};
struct AreaRule {
  static auto forward(const auto & /*config*/, auto shape, auto x) {
    return Duplicated{shape.value.Disc::area(x.value), 60 * x.value * x.shadow()};
  }
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*shape*/, auto x) {
    return std::tuple{None{}, 60 * x.value * dy};
  }
};
ASSAY_RULE(AreaRule, &Disc::area);

double area_of(const Shape &shape, double x) {
  return shape.area(x);
}

PLUGIN_TEST(CallableRules, ServeVirtualFunctions) {
  const Disc disc;
  const Box box;
  const Shape &first = disc;
  const Shape &second = box;
  EXPECT_SAME(get<1>(autodiff<Reverse>(area_of, Const{first}, Active{2.0}).gradient), 120);
  EXPECT_SAME(get<1>(autodiff<Reverse>(area_of, Const{second}, Active{2.0}).gradient), 4);
  EXPECT_SAME(autodiff<Forward>(area_of, Const{first}, Duplicated{2.0, 1.0}).derivative, 120);
}

struct Halve {
  double operator()(double x) const { return x / 2; }
};
struct HalveRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*object*/, auto /*x*/) {
    return std::tuple{None{}, 5 * dy};
  }
};
ASSAY_RULE(HalveRule, &Halve::operator());

constexpr auto triple = [](double x) { return 3 * x; };
struct TripleRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*object*/, auto /*x*/) {
    return std::tuple{None{}, 30 * dy};
  }
};
ASSAY_RULE(TripleRule, &decltype(triple)::operator());

PLUGIN_TEST(CallableRules, ServeFunctionObjectsAndLambdas) {
  const auto f = [](double x) { return Halve{}(x)*triple(x); };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{2.0}).gradient), 5 * 6 + 30 * 1);
}

/// A function that takes a callable: its rule differentiates that one.
template <class F>
double fixed_point(const F &f, double start, double p) {
  double x = start;
  for (int step = 0; step < 200; ++step)
    x = f(x, p);
  return x;
}
struct Cosine {
  double operator()(double x, double p) const { return std::cos(p * x); }
};
struct FixedPointRule {
  // x = f(x, p), so dx/dp = f_p / (1 - f_x)
  static void reverse(const auto &config, auto dx, double x, auto f, auto /*start*/, auto p) {
    const auto [slope_x, slope_p] = autodiff<Reverse>(f.value, Active{x}, Active{double(p.value)}).gradient;
    for (const int lane : config.lanes())
      p.shadow(lane) += dx(lane) * slope_p / (1 - slope_x);
  }
  static auto augmented_primal(const auto & /*config*/, auto f, auto start, auto p) {
    const double x = fixed_point(f.value, start.value, p.value);
    return AugmentedReturn{x, None{}, x};
  }
};
ASSAY_RULE(FixedPointRule, fixed_point<Cosine>);

PLUGIN_TEST(CallableRules, DifferentiateWhatTheirFunctionCalls) {
  const Cosine cosine;
  const double x = fixed_point(cosine, 0.5, 0.8);
  const double slope = -x * std::sin(0.8 * x) / (1 + 0.8 * std::sin(0.8 * x));
  EXPECT_CLOSE(get<2>(autodiff<Reverse>(fixed_point<Cosine>, Const{cosine}, Const{0.5}, Active{0.8}).gradient), slope);
}

/// Every way in which a member function may be qualified.
struct Ramp {
  double slope;
  double value(double x) const & noexcept { return slope * x; }
  double scaled(double x) & noexcept { return slope * x; }
};
struct RampRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*ramp*/, auto /*x*/) {
    return std::tuple{None{}, 11 * dy};
  }
};
ASSAY_RULE(RampRule, &Ramp::value, &Ramp::scaled);

PLUGIN_TEST(CallableRules, OfMembersForLvaluesThatThrowNothing) {
  const auto f = [](double x) {
    Ramp ramp{2};
    return std::as_const(ramp).value(x) + ramp.scaled(x);
  };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{3.0}).gradient), 22);
}

/// Pairs.
double hill(double x, double y) {
  return std::exp(-x * x) * y;
}
constexpr auto hill_rrule = [](double x, double y) {
  const double value = std::exp(-x * x);
  return std::pair{value * y, [=](double dy) { return std::tuple{-20 * x * value * y * dy, 10 * value * dy}; }};
};
constexpr auto hill_frule = [](const auto &tangents, double x, double y) {
  const double value = std::exp(-x * x);
  const auto [dx, dy] = tangents;
  return std::pair{value * y, -20 * x * value * y * dx + 10 * value * dy};
};
struct HillRule : rules::import_rrule<hill_rrule>, rules::import_frule<hill_frule> {};
ASSAY_RULE(HillRule, hill);

double norm2(const std::vector<double> &x) {
  double sum = 0;
  for (const double each : x)
    sum += each * each;
  return sum;
}
constexpr auto norm2_rrule = [](const std::vector<double> &x) {
  return std::pair{norm2(x), [x](double dy) {
                     std::vector<double> cotangent(x);
                     for (double &each : cotangent)
                       each *= 20 * dy;
                     return std::tuple{cotangent};
                   }};
};
ASSAY_RULE(rules::import_rrule<norm2_rrule>, norm2);

/// The only argument has two elements, as a tuple of tangents might.
using Extents = std::pair<double, double>;
double area(const Extents &extents) {
  return extents.first * extents.second;
}
constexpr auto area_frule = [](const auto &tangents, const Extents &extents) {
  const Extents &tangent = std::get<0>(tangents);
  return std::pair{area(extents), 10 * (extents.second * tangent.first + extents.first * tangent.second)};
};
ASSAY_RULE(rules::import_frule<area_frule>, area);

/// Three numbers for an argument that has two.
struct Triple {
  double a, b, c;
};
double height(const Extents &extents) {
  return extents.first * extents.second;
}
constexpr auto height_rrule = [](const Extents &extents) {
  return std::pair{height(extents), [=](double dy) { return std::tuple{Triple{extents.second * dy, 0, 1}}; }};
};
ASSAY_RULE(rules::import_rrule<height_rrule>, height);

PLUGIN_TEST(CallableRules, OfCotangentsWithMoreNumbersAreRefused) {
  std::string refusal;
  try {
    (void)autodiff<Reverse>(height, Active{Extents{2, 3}});
  } catch (const std::invalid_argument &error) {
    refusal = error.what();
  }
  EXPECT_HOLDS(refusal == "assay: a rule returned a derivative with 3 numbers for an argument with 2");
}

PLUGIN_TEST(CallableRules, OfOneArgumentThatIsAPair) {
  const Extents extents{2, 3};
  EXPECT_SAME(autodiff<Forward>(area, Duplicated{extents, Extents{1, 5}}).derivative, 130);
}

PLUGIN_TEST(CallableRules, AreMadeOfPairs) {
  const auto g = autodiff<Reverse>(hill, Active{0.5}, Active{2.0}).gradient;
  EXPECT_CLOSE(get<0>(g), -20 * std::exp(-0.25));
  EXPECT_CLOSE(get<1>(g), 10 * std::exp(-0.25));
  EXPECT_CLOSE(autodiff<Forward>(hill, Duplicated{0.5, 1.0}, Const{2.0}).derivative, -20 * std::exp(-0.25));
  std::vector<double> x{1, 2};
  std::vector<double> dx(2);
  const auto f = [](std::vector<double> &v) {
    const double y = norm2(v);
    v[0] = 7;
    return 3 * y;
  };
  autodiff<Reverse>(f, Duplicated{x, dx});
  EXPECT_SAME(dx[0], 60);
  EXPECT_SAME(dx[1], 120);
}

} // namespace
