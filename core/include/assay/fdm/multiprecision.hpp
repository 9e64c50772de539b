// Finite differences in the floating-point types of Boost.Multiprecision, for functions that are templates:
//
//     using boost::multiprecision::cpp_dec_float_50;
//     const auto f = [](const auto &x) { return sin(x) * x; };
//     auto slope = fdm::central_fdm(9, 1)(f, cpp_dec_float_50(1));          // about 40 digits
//
// Everything of <assay/fdm.hpp> except the kink probe then takes them as it takes double. The coefficients are exact
// rationals rounded to the type. This header needs Boost; no other header of Assay does.
#pragma once

#include <assay/fdm/detail/at_step.hpp>
#include <assay/fdm/detail/exact_coefficients.hpp>
#include <assay/fdm/detail/lines.hpp>
#include <assay/fdm/detail/old_boost.hpp>
#include <assay/fdm/detail/richardson.hpp>

#include <boost/multiprecision/number.hpp>

#include <array>
#include <limits>
#include <vector>

namespace assay::fdm::detail {

/// Coefficients that are solved for anew: those that the method keeps have too few digits.
template <class T>
class SolvedCoefficients {
public:
  explicit SolvedCoefficients(const FiniteDifferenceMethod &method)
      : at{solved(method, -1), solved(method, 0), solved(method, 1)} {}
  std::span<const T> center() const { return at[1]; }
  std::span<const T> neighbour(std::size_t position) const { return at[position]; }

private:
  /// For the derivative at x + d h: its points lie at g - d as seen from there.
  static std::vector<T> solved(const FiniteDifferenceMethod &method, double distance) {
    std::vector<double> grid = method.grid;
    for (double &point : grid)
      point -= distance;
    return solve_for_coefficients<T>(grid, method.derivative);
  }

  std::array<std::vector<T>, 3> at;
};

template <class Backend, boost::multiprecision::expression_template_option Expressions>
  requires(boost::multiprecision::number_category<Backend>::value == boost::multiprecision::number_kind_floating_point)
struct RealTraits<boost::multiprecision::number<Backend, Expressions>> {
  using Number = boost::multiprecision::number<Backend, Expressions>;
  using Wide = Number;
  using Coefficients = SolvedCoefficients<Number>;

  /// A power of the radix, at least the distance to the next number.
  static Number spacing_at(const Number &x) {
    constexpr int radix = std::numeric_limits<Number>::radix;
    constexpr int digits = radix == 2 ? std::numeric_limits<Number>::digits : std::numeric_limits<Number>::digits10;
    if (x == 0)
      return std::numeric_limits<Number>::epsilon();
    const Number leading = radix == 2 ? Number(floor(log2(x))) : Number(floor(log10(x)));
    return pow(Number(radix), Number(leading + 1 - digits));
  }
};

} // namespace assay::fdm::detail
