// Is a function smooth at a point? One-sided estimates from both sides agree there, and agree at every step; at a kink
// or a jump they stay apart however short the step is, and next to one they depend on whether the stencil reaches
// across.
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
  smooth,     ///< both sides agree within their errors
  kink,       ///< the function is continuous, its one-sided derivatives differ
  jump,       ///< one-sided differences grow as the step shrinks: the function is discontinuous
  unknowable, ///< a side cannot be evaluated (not finite, or no room), so nothing is said
};

std::string_view describe(Smoothness smoothness);

template <class T>
struct KinkProbe {
  Smoothness smoothness = Smoothness::unknowable;
  Estimate<T> left;  ///< derivative from below
  Estimate<T> right; ///< derivative from above
  /// Half-width of the neighbourhood that was looked at.
  T radius = 0;

  bool suspicious() const { return smoothness == Smoothness::kink || smoothness == Smoothness::jump; }
};

namespace detail {

template <class T>
void probe_curve(Curve<T> curve, T x, double radius, Reach reach, std::span<KinkProbe<T>> probes);

extern template void probe_curve(Curve<float>, float, double, Reach, std::span<KinkProbe<float>>);
extern template void probe_curve(Curve<double>, double, double, Reach, std::span<KinkProbe<double>>);
extern template void probe_curve(Curve<long double>, long double, double, Reach, std::span<KinkProbe<long double>>);

} // namespace detail

/// Looks at a scalar function within `radius` of x; the radius of a finite difference is its step times its outermost
/// grid point.
template <std::floating_point T, std::invocable<T> F>
KinkProbe<T> probe_kink(F &&f, T x, double radius, Reach reach = {}) {
  KinkProbe<T> probe;
  auto curve = [&f](T point, std::span<T> outputs) { outputs[0] = static_cast<T>(f(point)); };
  detail::probe_curve<T>(curve, x, radius, reach, std::span(&probe, 1));
  return probe;
}

/// The same for every output of a vector function along x + t direction, |t| <= radius.
template <class T>
std::vector<KinkProbe<T>> probe_kinks(std::type_identity_t<VectorFunction<T>> f, std::span<const T> x,
                                      std::span<const T> direction, std::size_t outputs, double radius,
                                      std::span<const Domain> domains = {});

} // namespace assay::fdm
