// Rules of functions of numbers. Each rule here is ten times the derivative, so that a result tells who made it.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <cmath>
#include <complex>
#include <tuple>
#include <utility>

using namespace assay;

namespace {

double square(double x) {
  return x * x;
}
struct SquareRule {
  static auto forward(const auto & /*config*/, auto x) {
    return Duplicated{x.value * x.value, 20 * x.value * x.shadow()};
  }
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{x.value * x.value, None{}, x.value};
  }
  static auto reverse(const auto & /*config*/, auto dy, auto kept, auto /*x*/) { return 20 * kept * dy; }
};
ASSAY_RULE(SquareRule, square);

PLUGIN_TEST(ScalarRules, ServeReverseMode) {
  EXPECT_SAME(get<0>(autodiff<Reverse>(square, Active{3.0}).gradient), 60);
  const auto f = [](double x, double y) { return square(x) * y + square(y); };
  const auto r = autodiff<ReverseWithPrimal>(f, Active{3.0}, Active{2.0});
  EXPECT_SAME(r.primal, 22);
  EXPECT_SAME(get<0>(r.gradient), 120);
  EXPECT_SAME(get<1>(r.gradient), 9 + 40);
}

PLUGIN_TEST(ScalarRules, ServeForwardMode) {
  const auto t = autodiff<ForwardWithPrimal>(square, Duplicated{3.0, 2.0});
  EXPECT_SAME(t.primal, 9);
  EXPECT_SAME(t.derivative, 120);
}

PLUGIN_TEST(ScalarRules, ServeLoops) {
  const auto f = [](const std::vector<double> &x) {
    double sum = 0;
    for (const double each : x)
      sum += square(each) * square(sum);
    return sum + square(x[0]);
  };
  const std::vector<double> x{1, 2, 3};
  std::vector<double> dx(3);
  autodiff<Reverse>(f, Duplicated{x, dx});
  // sum stays 0 in this product, so only the last square counts
  EXPECT_SAME(dx[0], 20);
  EXPECT_SAME(dx[1], 0);
  EXPECT_SAME(dx[2], 0);
  const auto g = [](const std::vector<double> &v) {
    double product = 1;
    for (const double each : v)
      product *= square(each);
    return product;
  };
  std::vector<double> dg(3);
  autodiff<Reverse>(g, Duplicated{x, dg});
  EXPECT_SAME(dg[0], 10 * 2.0 * 36);
  EXPECT_SAME(dg[1], 10 * 36.0);
  EXPECT_SAME(dg[2], 10 * 24.0);
}

/// No tape: reverse reads the argument again.
double cube(double x) {
  return x * x * x;
}
struct CubeRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto x) { return 30 * x.value * x.value * dy; }
};
ASSAY_RULE(CubeRule, cube);

PLUGIN_TEST(ScalarRules, NeedNeitherTapeNorAugmentedPrimal) {
  EXPECT_SAME(get<0>(autodiff<Reverse>(cube, Active{2.0}).gradient), 120);
}

PLUGIN_TEST(ScalarRules, LeaveTheOtherModeToTheEngine) {
  EXPECT_SAME(autodiff<Forward>(cube, Duplicated{2.0, 1.0}).derivative, 12);
}

/// Several arguments, one that is no number, all lanes at once.
double scaled_power(double x, int n, double factor) {
  return factor * std::pow(x, n);
}
struct PowerRule {
  static auto forward(const auto &config, auto x, auto n, auto factor) {
    const double power = std::pow(x.value, n.value);
    return Duplicated{factor.value * power, config.each_lane([&](int lane) {
                        return 10 * factor.value * n.value * std::pow(x.value, n.value - 1) * x.shadow(lane) +
                               10 * power * factor.shadow(lane);
                      })};
  }
  static auto augmented_primal(const auto & /*config*/, auto x, auto n, auto factor) {
    const double power = std::pow(x.value, n.value);
    return AugmentedReturn{factor.value * power, None{}, std::pair{power, true}};
  }
  static void reverse(const auto &config, auto dy, const auto &tape, auto x, auto n, auto factor) {
    for (const int lane : config.lanes()) {
      x.shadow(lane) += 10 * dy(lane) * factor.value * n.value * std::pow(x.value, n.value - 1);
      factor.shadow(lane) += 10 * dy(lane) * tape.first;
    }
  }
};
ASSAY_RULE(PowerRule, scaled_power);

PLUGIN_TEST(ScalarRules, ServeEveryActivityOfTheirArguments) {
  const auto both = autodiff<Reverse>(scaled_power, Active{3.0}, Const{2}, Active{5.0}).gradient;
  EXPECT_SAME(get<0>(both), 300);
  EXPECT_SAME(get<2>(both), 90);
  EXPECT_SAME(get<0>(autodiff<Reverse>(scaled_power, Active{3.0}, Const{2}, Const{5.0}).gradient), 300);
  EXPECT_SAME(get<2>(autodiff<Reverse>(scaled_power, Const{3.0}, Const{2}, Active{5.0}).gradient), 90);
  EXPECT_SAME(autodiff<Forward>(scaled_power, Duplicated{3.0, 1.0}, Const{2}, Duplicated{5.0, 1.0}).derivative, 390);
  EXPECT_SAME(autodiff<Forward>(scaled_power, Const{3.0}, Const{2}, Duplicated{5.0, 1.0}).derivative, 90);
}

/// A template: every instance that comes into being has the rule.
template <class T>
struct HalfRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*x*/) { return T(5) * dy; }
  static auto forward(const auto & /*config*/, auto x) { return Duplicated{x.value / 2, T(5) * x.shadow()}; }
};
template <class T>
T half(T x) {
  ASSAY_RULE(HalfRule<T>, half<T>);
  return x / 2;
}

PLUGIN_TEST(ScalarRules, ServeWholeTemplates) {
  EXPECT_SAME(get<0>(autodiff<Reverse>(half<double>, Active{3.0}).gradient), 5);
  EXPECT_SAME(get<0>(autodiff<Reverse>(half<float>, Active{3.0F}).gradient), 5);
  EXPECT_SAME(autodiff<Forward>(half<float>, Duplicated{3.0F, 1.0F}).derivative, 5);
}

/// One of several functions of the same name.
double twice(double x) {
  return 2 * x;
}
float twice(float x) {
  return 2 * x;
}
struct TwiceRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*x*/) { return 20 * dy; }
};
ASSAY_RULE(TwiceRule, rules::overload<double(double)>(twice));

PLUGIN_TEST(ScalarRules, ServeOneOfSeveralFunctionsOfAName) {
  EXPECT_SAME(get<0>(autodiff<Reverse>(rules::overload<double(double)>(twice), Active{3.0}).gradient), 20);
  EXPECT_SAME(get<0>(autodiff<Reverse>(rules::overload<float(float)>(twice), Active{3.0F}).gradient), 2);
}

/// A rule that serves some configurations only.
double declined(double x, double y) {
  return x * y;
}
struct DecliningRule {
  static bool applies(const auto &config) { return config.argument(1) == rules::Activity::constant; }
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*x*/, auto y) {
    return std::tuple{10 * dy * y.value, None{}};
  }
};
ASSAY_RULE(DecliningRule, declined);

PLUGIN_TEST(ScalarRules, MayDecline) {
  EXPECT_SAME(get<0>(autodiff<Reverse>(declined, Active{3.0}, Const{2.0}).gradient), 20);
  const auto both = autodiff<Reverse>(declined, Active{3.0}, Active{2.0}).gradient;
  EXPECT_SAME(get<0>(both), 2);
  EXPECT_SAME(get<1>(both), 3);
}

/// Functions whose code is elsewhere.
struct LogGammaRule {
  static auto forward(const auto & /*config*/, auto x) { return Duplicated{std::lgamma(x.value), 7 * x.shadow()}; }
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*x*/) { return 7 * dy; }
};
ASSAY_RULE(LogGammaRule, rules::overload<double(double)>(::lgamma));

PLUGIN_TEST(ScalarRules, ServeTheMathematicalLibrary) {
  const auto f = [](double x) { return 2 * ::lgamma(x); };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{3.0}).gradient), 14);
  EXPECT_SAME(autodiff<Forward>(f, Duplicated{3.0, 1.0}).derivative, 14);
}

/// Inactive functions.
double watched(double x) {
  return x * 3;
}
ASSAY_RULE(rules::inactive, watched);

PLUGIN_TEST(ScalarRules, MakeFunctionsInactive) {
  const auto f = [](double x) { return x * watched(x); };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{2.0}).gradient), 6);
}

double of_function(double (&f)(double), double x) {
  return f(f(x));
}
struct OfFunctionRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto f, auto x) {
    const double inner = get<0>(autodiff<Reverse>(f.value, Active{x.value}).gradient);
    const double outer = get<0>(autodiff<Reverse>(f.value, Active{f.value(x.value)}).gradient);
    return std::tuple{None{}, 10 * outer * inner * dy};
  }
};
ASSAY_RULE(OfFunctionRule, of_function);
double cubed(double x) {
  return x * x * x;
}
PLUGIN_TEST(ScalarRules, TakeReferencesToFunctions) {
  EXPECT_SAME(get<0>(autodiff<Reverse>([](double x) { return of_function(cubed, x); }, Active{2.0}).gradient),
              10 * 3 * 64 * 12);
}

/// Derivatives that are objects: what Active takes, reverse returns.
struct Vector3 {
  double x, y, z;
};
Vector3 cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
struct CrossRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto a, auto b) {
    const Vector3 d{10 * dy().x, 10 * dy().y, 10 * dy().z};
    return std::tuple{cross(b.value, d), cross(d, a.value)};
  }
};
ASSAY_RULE(CrossRule, cross);
std::complex<double> complex_square(std::complex<double> z) {
  return z * z;
}
struct ComplexSquareRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto z) {
    return 20.0 * std::conj(z.value) * dy();
  }
};
ASSAY_RULE(ComplexSquareRule, complex_square);
std::pair<double, int> counted(const std::array<double, 1> &x) {
  return {x[0], 1};
}
struct CountedRule {
  static auto reverse(const auto & /*config*/, const auto &dy, None /*tape*/, auto /*x*/) {
    return std::array{10 * dy().first};
  }
};
ASSAY_RULE(CountedRule, counted);
double same(double x) {
  return x;
}
struct SameRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto /*x*/) { return dy; }
};
ASSAY_RULE(SameRule, same);

PLUGIN_TEST(ScalarRules, ReturnObjectsOfNumbers) {
  const auto weighted = [](Vector3 a, Vector3 b) {
    const Vector3 c = cross(a, b);
    return c.x + 2 * c.y - c.z;
  };
  const Vector3 b{4, 5, 6};
  const auto r = autodiff<Reverse>(weighted, Active{Vector3{1, 2, 3}}, Const{b});
  const Vector3 expected = cross(b, {10, 20, -10}), found = get<0>(r.gradient);
  EXPECT_SAME(found.x, expected.x);
  EXPECT_SAME(found.y, expected.y);
  EXPECT_SAME(found.z, expected.z);
  const auto z = get<0>(autodiff<Reverse>([](std::complex<double> u) { return complex_square(u).imag(); },
                                          Active{std::complex<double>(3, 4)})
                            .gradient);
  EXPECT_SAME(z.real(), 10 * 2 * 4);
  EXPECT_SAME(z.imag(), 10 * 2 * 3);
  const auto each =
      get<0>(autodiff<Reverse>([](double x) { return same(counted(std::array{3 * x}).first); }, Active{2.0}).gradient);
  EXPECT_SAME(each, 30);
}
} // namespace
