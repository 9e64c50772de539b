// Is a function smooth near a point? Fourth differences tell: where they are largest in the neighbourhood, it is looked
// at again, four times closer, and so on. They fall by 4^4 from level to level where the function is smooth, by 4 at a
// kink (the derivative jumps), and not at all at a jump.
//
// An estimate can be good and the point still be a kink (|x| at 0 has a central difference of exactly 0), so a check
// that finds a disagreement asks here before it calls a derivative wrong.
#pragma once

#include <assay/fdm/method.hpp>
#include <assay/fdm/vector.hpp>

#include <algorithm>
#include <concepts>
#include <string_view>
#include <vector>

namespace assay::fdm {

enum class Smoothness {
  smooth,     ///< no kink or jump that rises above the round-off
  kink,       ///< the derivative jumps, or changes too fast to be resolved
  jump,       ///< the function itself jumps
  unknowable, ///< the function is not finite in the neighbourhood, or there is no room: nothing is said
};

std::string_view describe(Smoothness smoothness);

template <class T>
struct KinkProbe {
  Smoothness smoothness = Smoothness::unknowable;
  Estimate<T> left;  ///< derivative from below
  Estimate<T> right; ///< derivative from above
  /// Where the function is least smooth.
  T location = std::numeric_limits<T>::quiet_NaN();

  bool suspicious() const { return smoothness == Smoothness::kink || smoothness == Smoothness::jump; }
};

namespace detail {

template <class T>
void probe_curve(Curve<T> curve, const Place<T> &place, double radius, std::span<KinkProbe<T>> probes);

extern template void probe_curve(Curve<float>, const Place<float> &, double, std::span<KinkProbe<float>>);
extern template void probe_curve(Curve<double>, const Place<double> &, double, std::span<KinkProbe<double>>);
extern template void probe_curve(Curve<long double>, const Place<long double> &, double,
                                 std::span<KinkProbe<long double>>);

} // namespace detail

/// Looks at a scalar function within `radius` of x; the radius of a finite difference is its step times its outermost
/// grid point.
template <std::floating_point T, std::invocable<T> F>
KinkProbe<T> probe_kink(F &&f, T x, double radius, Reach reach = {}) {
  KinkProbe<T> probe;
  auto curve = [&f](T point, std::span<T> outputs) { outputs[0] = static_cast<T>(f(point)); };
  detail::probe_curve<T>(curve, detail::place_at(x, reach), radius, std::span(&probe, 1));
  return probe;
}

/// The same for every output of a vector function along x + t direction, |t| <= radius.
template <class T>
std::vector<KinkProbe<T>> probe_kinks(std::type_identity_t<VectorFunction<T>> f, std::span<const T> x,
                                      std::span<const T> direction, std::size_t outputs, double radius,
                                      std::span<const Domain> domains = {});

} // namespace assay::fdm
