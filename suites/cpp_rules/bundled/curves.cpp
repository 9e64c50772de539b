// The rules of interpolation, quadrature, differential equations and Fourier transforms.
#include "bundled.hpp"
#include <assay/rules/fft.hpp>
#include <assay/rules/integral.hpp>
#include <assay/rules/interpolation.hpp>
#include <assay/rules/ode.hpp>

using namespace assay;
using bundled::compare_modes;
using bundled::weighed;

namespace {

using Numbers = std::vector<double>;
const Numbers nodes{0, 1, 2.5, 4};

TEST(Curves, Linear) {
  compare_modes(
      "linear", [](const Numbers &y, double q) { return rules::interpolate(nodes, y, q); }, Numbers{4, 1, 2, 3}, 1.7);
}

TEST(Curves, Cubic) {
  compare_modes(
      "cubic", [](const Numbers &y, double q) { return rules::interpolate<rules::Curve::cubic>(nodes, y, q); },
      Numbers{4, 1, 2, 3}, 2.7);
  // a parabola is its own interpolant, also outside
  const Numbers y{0, 1, 6.25, 16};
  for (const double q : {-1.0, 0.4, 1.0, 3.0, 5.0})
    EXPECT_NEAR(
        get<2>(autodiff<Reverse>(rules::interpolate<rules::Curve::cubic, Numbers>, Const{nodes}, Const{y}, Active{q})
                   .gradient),
        2 * q, 1e-12);
  EXPECT_THROW(rules::interpolate(Numbers{1}, Numbers{1}, 0.5), std::invalid_argument);
}

TEST(Curves, Integral) {
  compare_modes(
      "integral", [](double a, double b) { return rules::integral([](double x) { return std::cos(x); }, a, b, 3); },
      0.5, 1.5);
}

struct Decay {
  Numbers operator()(double t, const Numbers &x, const Numbers &p) const { return {x[1], -p[0] * x[0] + t * p[1]}; }
};

TEST(Curves, OdeAdjoint) {
  compare_modes(
      "ode", [](const Numbers &x, const Numbers &p) { return weighed(rules::ode(Decay(), x, p, 0.0, 1.5, 3)); },
      Numbers{0.5, 0.2}, Numbers{1.1, 0.7});
  const auto oscillation = [](const Numbers &x) { return rules::ode(Decay(), x, Numbers{1, 0}, 0.0, 1.0, 50)[0]; };
  const Numbers x{1, 0};
  Numbers dx(2);
  autodiff<Reverse>(oscillation, Duplicated{x, dx});
  EXPECT_NEAR(dx[0], std::cos(1), 1e-8);
  EXPECT_NEAR(dx[1], std::sin(1), 1e-8);
}

#ifdef ASSAY_HAS_FFTW
TEST(Curves, Fourier) {
  const auto spectrum = [](const Numbers &x) {
    const auto y = rules::fft({{x[0], x[1]}, {x[2], x[3]}, {x[4], 0.5}});
    return y[0].real() + 2 * y[1].imag() + 3 * y[2].real() * y[1].real();
  };
  compare_modes("fft", spectrum, Numbers{4, 1, 2, 0.5, 3});
}
#endif

} // namespace
