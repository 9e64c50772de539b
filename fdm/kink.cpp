// Zooming in on the largest fourth difference of a curve.
#include <assay/fdm/kink.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace assay::fdm {

namespace {

constexpr std::size_t intervals = 16;

constexpr int most_levels = 6;

/// Values of one output at equally spaced points of [low, high].
template <class T>
struct Window {
  T low, high;
  std::array<T, intervals + 1> values;

  T spacing() const { return (high - low) / static_cast<T>(intervals); }
  T point(std::size_t i) const { return low + spacing() * static_cast<T>(i); }

  bool finite() const {
    return std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); });
  }

  T fourth_difference(std::size_t i) const {
    return std::fabs(values[i - 2] - 4 * values[i - 1] + 6 * values[i] - 4 * values[i + 1] + values[i + 2]);
  }

  /// Where the fourth difference is largest.
  std::size_t roughest() const {
    std::size_t best = 2;
    for (std::size_t i = 3; i + 2 < values.size(); ++i)
      if (fourth_difference(i) > fourth_difference(best))
        best = i;
    return best;
  }

  /// What round-off alone may make of a fourth difference (its coefficients sum to 16), in the values and, through the
  /// slope, in an argument of the given length.
  T noise(T length) const {
    T largest = 0;
    T steepest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::fabs(values[i]));
      if (i > 0)
        steepest = std::max(steepest, std::fabs(values[i] - values[i - 1]) / spacing());
    }
    return 32 * std::numeric_limits<T>::epsilon() * (largest + steepest * length);
  }
};

template <class T>
class Prober {
public:
  Prober(detail::Curve<T> examined, double argument_length, std::size_t of_output, std::size_t all_outputs)
      : curve(examined), length(static_cast<T>(argument_length)), output(of_output), buffer(all_outputs) {}

  KinkProbe<T> probe(T x, T low, T high) {
    KinkProbe<T> result;
    const Window<T> widest = look(low, high);
    if (!widest.finite())
      return result;
    set_sides(x, widest, result);
    zoom_in(widest, result);
    return result;
  }

private:
  Window<T> look(T low, T high) {
    Window<T> window{low, high, {}};
    for (std::size_t i = 0; i <= intervals; ++i) {
      curve(window.point(i), buffer);
      window.values[i] = buffer[output];
    }
    return window;
  }

  /// Every level is four times closer: the half width falls from 8 spacings to 2. Fourth differences then fall by 256
  /// where f is smooth; by 4 at a kink, give or take another 4 for where it lies between the points; by 1 at a jump.
  void zoom_in(Window<T> window, KinkProbe<T> &result) {
    constexpr T between_kink_and_smooth = 32;
    constexpr T visible =
        2 * between_kink_and_smooth; // Relative to the noise, so that falling into it proves smoothness.
    std::size_t roughest = window.roughest();
    const T first = window.fourth_difference(roughest);
    result.smoothness = Smoothness::smooth;
    for (int level = 1; level <= most_levels && window.fourth_difference(roughest) > visible * window.noise(length);
         ++level) {
      const T before = window.fourth_difference(roughest);
      const T center = window.point(roughest);
      const T half_width = 2 * window.spacing();
      window = look(center - half_width, center + half_width);
      roughest = window.roughest();
      const T after = std::max(window.fourth_difference(roughest), window.noise(length));
      result.location = window.point(roughest);
      if (before > between_kink_and_smooth * after) {
        result.smoothness = Smoothness::smooth;
        return;
      }
      const double power = std::log(static_cast<double>(first / after)) / (level * std::log(4.0));
      result.smoothness = power < 0.5 ? Smoothness::jump : Smoothness::kink;
    }
  }

  void set_sides(T x, const Window<T> &window, KinkProbe<T> &result) {
    const T room_above = window.high - x;
    const T room_below = x - window.low;
    if (room_above > 0)
      result.right = one_sided(x, room_above / 4);
    if (room_below > 0)
      result.left = one_sided(x, -room_below / 4);
  }

  /// Derivative from one side by four points; the error is how far three points disagree.
  Estimate<T> one_sided(T x, T step) {
    std::array<T, 4> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      curve(x + static_cast<T>(i) * step, buffer);
      values[i] = buffer[output];
    }
    const T three = (-3 * values[0] + 4 * values[1] - values[2]) / (2 * step);
    const T four = (-11 * values[0] + 18 * values[1] - 9 * values[2] + 2 * values[3]) / (6 * step);
    const bool finite = std::isfinite(four);
    return {four, finite ? std::fabs(four - three) : std::numeric_limits<T>::infinity(), std::fabs(step),
            3 * std::fabs(step), finite ? Trouble::none : Trouble::non_finite};
  }

  detail::Curve<T> curve;
  T length;
  std::size_t output;
  std::vector<T> buffer;
};

} // namespace

std::string_view describe(Smoothness smoothness) {
  switch (smoothness) {
  case Smoothness::smooth:
    return "smooth";
  case Smoothness::kink:
    return "the derivative jumps";
  case Smoothness::jump:
    return "the function jumps";
  case Smoothness::unknowable:
    return "not finite in the neighbourhood";
  }
  return "unknown";
}

namespace detail {

template <class T>
void probe_curve(Curve<T> curve, const Place<T> &place, double radius, std::span<KinkProbe<T>> probes) {
  const T low = place.x - static_cast<T>(std::min(radius, place.reach.below));
  const T high = place.x + static_cast<T>(std::min(radius, place.reach.above));
  for (std::size_t output = 0; output < probes.size(); ++output) {
    probes[output] = KinkProbe<T>{};
    if (low < high)
      probes[output] = Prober<T>(curve, place.length, output, probes.size()).probe(place.x, low, high);
  }
}

template void probe_curve(Curve<float>, const Place<float> &, double, std::span<KinkProbe<float>>);
template void probe_curve(Curve<double>, const Place<double> &, double, std::span<KinkProbe<double>>);
template void probe_curve(Curve<long double>, const Place<long double> &, double, std::span<KinkProbe<long double>>);

} // namespace detail

template <class T>
std::vector<KinkProbe<T>> probe_kinks(std::type_identity_t<VectorFunction<T>> f, std::span<const T> x,
                                      std::span<const T> direction, std::size_t outputs, double radius,
                                      std::span<const Domain> domains) {
  std::vector<KinkProbe<T>> probes(outputs);
  std::vector<T> point(x.size());
  const auto line = [&](T t, std::span<T> values) {
    for (std::size_t i = 0; i < point.size(); ++i)
      point[i] = x[i] + t * direction[i];
    f(point, values);
  };
  T length = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (direction[i] != 0)
      length = std::max(length, std::fabs(x[i] / direction[i]));
  const detail::Place<T> place{T(0), static_cast<double>(length), line_reach<T>(x, direction, domains)};
  detail::probe_curve<T>(line, place, radius, probes);
  return probes;
}

template std::vector<KinkProbe<float>> probe_kinks<float>(VectorFunction<float>, std::span<const float>,
                                                          std::span<const float>, std::size_t, double,
                                                          std::span<const Domain>);
template std::vector<KinkProbe<double>> probe_kinks<double>(VectorFunction<double>, std::span<const double>,
                                                            std::span<const double>, std::size_t, double,
                                                            std::span<const Domain>);
template std::vector<KinkProbe<long double>> probe_kinks<long double>(VectorFunction<long double>,
                                                                      std::span<const long double>,
                                                                      std::span<const long double>, std::size_t, double,
                                                                      std::span<const Domain>);

} // namespace assay::fdm
