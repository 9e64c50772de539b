// One finite difference of a curve: scale, bounds, step, estimate, confirmation.
//
//   1. The bound estimator's stencil, at its default step times a length scale, gives max|f^(p)| and max|f| for every
//   output.
//   2. The function's round-off is measured closely around x; it counts where it is larger than eps * max|f|.
//      Where what was seen of f^(p) is no more than that round-off leaves, and the error would be large, longer
//      stencils are tried: a function of few digits that varies slowly shows nothing of itself on the usual ones.
//   3. They give the step that makes  C1 h^-q + C2 h^(p-q)  least, and that sum is the predicted error.
//   4. The estimate at that step; then once more with a shorter step: their difference joins the error.
//   5. Where an output stays without a finite or an acceptable answer, other length scales and, near the edge of a
//   domain,
//      one-sided grids are tried, and the answer with the least error is kept.
//
// The length scale is 1 to begin with, then |x|, then ever shorter ones: for a function that is not finite around x, or
// that varies faster than the first stencils could see.
#pragma once

#include <assay/fdm/detail/samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace assay::fdm::detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// std::pow of long double takes longer than a small function, and is asked for each output.
inline long double integer_power(long double base, int exponent) {
  if (exponent < 0)
    return 1 / integer_power(base, -exponent);
  long double power = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 != 0)
      power *= base;
  return power;
}

/// C1 h^-q + C2 h^(p-q) for one output, and the step chosen by it. In long double, as powers of steps leave the range
/// of double.
struct ErrorModel {
  long double roundoff = 0;   // C1
  long double truncation = 0; // C2
  double radius = 0;          // How far from x the bounds were looked for.
  bool finite = true;
  long double near_roundoff = 0; // C1 of usual stencils, where longer ones were tried: those may see larger values.

  long double predict(const FiniteDifferenceMethod &method, long double step) const {
    return roundoff * integer_power(step, -method.derivative) +
           truncation * integer_power(step, method.order() - method.derivative);
  }

  double best_step(const FiniteDifferenceMethod &method) const {
    const double p = method.order(), q = method.derivative;
    if (method.derivative == 0) // Interpolation: round-off does not grow, so the shorter the better.
      return 0;
    // As a power of two, since std::pow of long double takes longer than a short function.
    return std::exp2(static_cast<double>(std::log2(q / (p - q) * (roundoff / truncation))) / p);
  }
};

inline double epsilon_of(const FiniteDifferenceMethod &method, double type_epsilon) {
  return std::max(method.options.epsilon, type_epsilon);
}

inline ErrorModel assumed_model(const FiniteDifferenceMethod &method, double epsilon, double value_magnitude,
                                double scale) {
  const long double value = value_magnitude;
  const long double derivative =
      method.options.condition * value / integer_power(static_cast<long double>(scale), method.order());
  return {epsilon * method.options.factor * value * method.roundoff_multiplier,
          derivative * method.truncation_multiplier};
}

/// max|f^(p)| near x, from the samples of the method that estimates it.
template <class T>
long double largest_derivative(const FiniteDifferenceMethod &observer,
                               const typename RealTraits<T>::Coefficients &coefs, const Samples<T> &samples,
                               std::size_t output) {
  long double largest = 0;
  for (std::size_t position = 0; position < observer.coefs_neighbourhood.size(); ++position)
    largest = std::max(largest, static_cast<long double>(magnitude(
                                    samples.combine(coefs.neighbour(position), observer.derivative, output))));
  return largest;
}

template <class T>
class Differentiator {
public:
  Differentiator(const FiniteDifferenceMethod &used, const Site<T> &at)
      : method(used), site(at), epsilon(epsilon_of(used, epsilon_of<T>())) {}

  /// Estimates of all outputs with one length scale.
  std::vector<Estimate<T>> attempt(double scale) const;

private:
  using Coefficients = typename RealTraits<T>::Coefficients;

  const Coefficients &coefficients(const FiniteDifferenceMethod &of) const {
    return known_coefficients.try_emplace(&of, of).first->second;
  }
  double default_step(const FiniteDifferenceMethod &of, double scale) const {
    return assumed_model(of, epsilon, 1, scale).best_step(of);
  }
  double wanted_step(const ErrorModel &model, double scale) const {
    return model.truncation > 0 && model.roundoff > 0 ? model.best_step(method) : default_step(method, scale);
  }
  T limited_step(const FiniteDifferenceMethod &of, double wanted, double scale) const;
  std::vector<ErrorModel> models(const FiniteDifferenceMethod &of, double scale) const;
  void measure_noise(std::vector<ErrorModel> &of, double scale) const;
  long double least_error(const ErrorModel &model) const {
    return model.predict(method, static_cast<long double>(model.best_step(method)));
  }
  /// With the round-off of the values that a difference is made of, where the model is one of longer stencils.
  ErrorModel seen_at(ErrorModel model, double value) const {
    if (model.near_roundoff > 0)
      model.roundoff = std::max(model.near_roundoff, assumed_model(method, epsilon, value, 1).roundoff);
    return model;
  }
  bool is_hidden_by_noise(const ErrorModel &model, double value, double step) const;
  void look_farther(std::vector<ErrorModel> &of, double scale) const;
  T common_step(const FiniteDifferenceMethod &of, double scale) const;
  std::map<T, std::vector<std::size_t>> outputs_by_step(const std::vector<ErrorModel> &of,
                                                        const std::vector<std::size_t> &outputs, double scale) const;
  void estimate_by(const std::vector<ErrorModel> &of, const std::vector<std::size_t> &outputs, double scale,
                   std::vector<Estimate<T>> &estimates) const;
  void estimate(T step, const std::vector<std::size_t> &outputs, const std::vector<ErrorModel> &of,
                std::vector<Estimate<T>> &estimates) const;
  void confirm(T step, const std::vector<std::size_t> &outputs, const std::vector<ErrorModel> &of,
               std::vector<Estimate<T>> &estimates) const;

  const FiniteDifferenceMethod &method;
  const Site<T> &site;
  double epsilon;
  mutable std::map<const FiniteDifferenceMethod *, Coefficients> known_coefficients;
};

template <class T>
T Differentiator<T>::limited_step(const FiniteDifferenceMethod &of, double wanted, double scale) const {
  // A slowly varying function or a method of high order asks for very long steps, which leave the neighbourhood of x.
  const double room = largest_step(of.grid, site.place.reach, of.options.max_range);
  const double longest = std::min(room, 1000 * default_step(of, scale));
  return resolved_step(site.place.x, radius(of.grid), std::min(wanted, longest), room);
}

/// One step for all outputs, for stencils that only serve to estimate magnitudes.
template <class T>
T Differentiator<T>::common_step(const FiniteDifferenceMethod &of, double scale) const {
  if (!of.bound_estimator)
    return limited_step(of, default_step(of, scale), scale);
  double sum_of_logarithms = 0;
  const auto outputs = models(of, scale);
  for (const ErrorModel &model : outputs)
    sum_of_logarithms += std::log(model.finite && model.truncation > 0 && model.roundoff > 0 ? model.best_step(of)
                                                                                             : default_step(of, scale));
  return limited_step(of, std::exp(sum_of_logarithms / static_cast<double>(outputs.size())), scale);
}

template <class T>
std::vector<ErrorModel> Differentiator<T>::models(const FiniteDifferenceMethod &of, double scale) const {
  const FiniteDifferenceMethod &observer = of.bound_estimator ? *of.bound_estimator : of;
  const T step = of.bound_estimator ? common_step(observer, scale) : limited_step(of, default_step(of, scale), scale);
  std::vector<ErrorModel> result(site.outputs);
  if (!(step > 0)) {
    for (ErrorModel &model : result)
      model.finite = false;
    return result;
  }
  const auto samples = site.sample(observer.grid, step);
  for (std::size_t output = 0; output < site.outputs; ++output) {
    const double value = samples.largest(output);
    result[output] = assumed_model(of, epsilon, value, scale);
    result[output].radius = radius(observer.grid) * static_cast<double>(step);
    result[output].finite = samples.finite(output);
    if (!of.bound_estimator)
      continue;
    const long double derivative = largest_derivative(observer, coefficients(observer), samples, output);
    const long double hidden = epsilon * of.options.factor * value * observer.roundoff_multiplier /
                               integer_power(static_cast<long double>(step), observer.derivative);
    const long double bound = derivative > 0 ? derivative : hidden; // Of a constant no more is known.
    if (bound > 0)
      result[output].truncation = bound * of.truncation_multiplier;
  }
  return result;
}

/// Raises the round-off of each model to that of fourth differences, at points so close that f itself contributes
/// nothing to them.
template <class T>
void Differentiator<T>::measure_noise(std::vector<ErrorModel> &of, double scale) const {
  constexpr double closer = 1.0 / 8;
  constexpr double most_over_root_mean_square = 2;
  if (method.options.noise_points == 0)
    return;
  double shortest = std::pow(epsilon, 0.25) * scale;
  for (const ErrorModel &model : of)
    if (model.finite)
      shortest = std::min(shortest, wanted_step(model, scale));
  std::vector<double> grid(static_cast<std::size_t>(method.options.noise_points));
  std::iota(grid.begin(), grid.end(), -std::floor(static_cast<double>(grid.size()) / 2));
  if (site.place.reach.below < site.place.reach.above)
    std::iota(grid.begin(), grid.end(), 0.0);
  const double room = largest_step(grid, site.place.reach, method.options.max_range);
  const T spacing = resolved_step(site.place.x, radius(grid), std::min(shortest * closer, room), room);
  if (!(spacing > 0))
    return;
  const auto samples = site.sample(grid, spacing);
  for (std::size_t output = 0; output < of.size(); ++output) {
    const long double noise = most_over_root_mean_square * method.options.factor * samples.noise(output);
    of[output].roundoff = std::max(of[output].roundoff, noise * method.roundoff_multiplier);
    of[output].finite = of[output].finite && samples.finite(output);
  }
}

/// Whether what a stencil of this step shows of f^(p) may be round-off alone, while the error that follows is no small
/// part of the value.
template <class T>
bool Differentiator<T>::is_hidden_by_noise(const ErrorModel &model, double value, double step) const {
  constexpr double small_part = 1e-10, margin = 16;
  const FiniteDifferenceMethod &observer = *method.bound_estimator;
  // More than sums of many numbers collect is no round-off: a jump beside x.
  constexpr double most_roundings = 256;
  if (!model.finite || !(model.roundoff > 0) || !(model.truncation > 0) ||
      model.roundoff > most_roundings * assumed_model(method, epsilon, value, 1).roundoff)
    return false;
  const long double noise = model.roundoff / method.roundoff_multiplier * observer.roundoff_multiplier /
                            integer_power(static_cast<long double>(step), observer.derivative);
  return model.truncation <= margin * noise * method.truncation_multiplier && least_error(model) > small_part * value;
}

/// Bounds |f^(p)| again by stencils four times longer each, for outputs of which noise alone was seen so far.
template <class T>
void Differentiator<T>::look_farther(std::vector<ErrorModel> &of, double scale) const {
  constexpr double longer = 4;
  constexpr int most_looks = 3;
  if (!method.bound_estimator || method.derivative == 0)
    return;
  const FiniteDifferenceMethod &observer = *method.bound_estimator;
  const double room = largest_step(observer.grid, site.place.reach, method.options.max_range);
  auto step = static_cast<double>(common_step(observer, scale));
  std::vector<bool> hidden(of.size(), true);
  for (int look = 0; look < most_looks; ++look) {
    const double next = step * longer;
    if (!(next > 0) || next > room)
      return;
    const T used = resolved_step(site.place.x, radius(observer.grid), next, room);
    const auto samples = site.sample(observer.grid, used);
    bool any_hidden = false;
    for (std::size_t output = 0; output < of.size(); ++output) {
      ErrorModel &model = of[output];
      const double value = samples.largest(output);
      hidden[output] = hidden[output] && samples.finite(output) && is_hidden_by_noise(model, value, step);
      if (!hidden[output])
        continue;
      ErrorModel farther = assumed_model(method, epsilon, value, scale);
      const long double bound =
          method.truncation_multiplier * largest_derivative(observer, coefficients(observer), samples, output);
      farther.truncation = bound > 0 ? bound : model.truncation / integer_power(longer, observer.derivative);
      farther.roundoff = std::max(farther.roundoff, model.roundoff);
      farther.near_roundoff = model.near_roundoff > 0 ? model.near_roundoff : model.roundoff;
      farther.radius = radius(observer.grid) * static_cast<double>(used);
      hidden[output] = least_error(farther) < least_error(model);
      if (!hidden[output])
        continue;
      model = farther;
      any_hidden = true;
    }
    if (!any_hidden)
      return;
    step = next;
  }
}

/// Outputs whose best steps are within a small factor share one step, a power of two; at most a few steps are used.
template <class T>
std::map<T, std::vector<std::size_t>> Differentiator<T>::outputs_by_step(const std::vector<ErrorModel> &of,
                                                                         const std::vector<std::size_t> &outputs,
                                                                         double scale) const {
  constexpr std::size_t most_steps = 4;
  std::vector<double> wanted(of.size());
  for (const std::size_t output : outputs)
    wanted[output] = wanted_step(of[output], scale);
  std::map<T, std::vector<std::size_t>> groups;
  for (double coarseness = 2; !outputs.empty() && (groups.empty() || groups.size() > most_steps); coarseness *= 2) {
    std::map<double, std::vector<std::size_t>> by_wanted_step;
    for (const std::size_t output : outputs) {
      const double step = wanted[output];
      by_wanted_step[of.size() > 1 ? std::exp2(coarseness * std::round(std::log2(step) / coarseness)) : step].push_back(
          output);
    }
    groups.clear();
    for (const auto &[step, members] : by_wanted_step) {
      std::vector<std::size_t> &group = groups[limited_step(method, step, scale)];
      group.insert(group.end(), members.begin(), members.end());
    }
  }
  return groups;
}

template <class T>
void Differentiator<T>::estimate(T step, const std::vector<std::size_t> &outputs, const std::vector<ErrorModel> &of,
                                 std::vector<Estimate<T>> &estimates) const {
  const auto samples = site.sample(method.grid, step);
  const Coefficients &coefs = coefficients(method);
  for (const std::size_t output : outputs) {
    Estimate<T> &estimate = estimates[output];
    const ErrorModel model = seen_at(of[output], samples.largest(output));
    estimate.step = step;
    estimate.radius = std::max(static_cast<T>(of[output].radius), T(step * static_cast<T>(radius(method.grid))));
    estimate.value = static_cast<T>(samples.combine(coefs.center(), method.derivative, output));
    estimate.error = static_cast<T>(model.predict(method, static_cast<long double>(step)));
    const bool finite = of[output].finite && samples.finite(output) && is_finite(estimate.value);
    estimate.trouble = finite ? Trouble::none : Trouble::non_finite;
    if (!finite)
      estimate.error = std::numeric_limits<T>::infinity();
  }
}

/// The difference to a shorter step joins the error. It weighs round-off more and truncation less, so it sees either
/// where the model errs.
template <class T>
void Differentiator<T>::confirm(T step, const std::vector<std::size_t> &outputs, const std::vector<ErrorModel> &of,
                                std::vector<Estimate<T>> &estimates) const {
  const T far_beyond = 100;
  const double wanted = static_cast<double>(step) * method.options.confirmation;
  const T shorter = resolved_step(site.place.x, radius(method.grid), wanted, static_cast<double>(step));
  if (!(shorter > 0) || shorter == step)
    return;
  const auto samples = site.sample(method.grid, shorter);
  const Coefficients &coefs = coefficients(method);
  for (const std::size_t output : outputs) {
    Estimate<T> &estimate = estimates[output];
    if (!estimate.reliable())
      continue;
    const ErrorModel model = seen_at(of[output], samples.largest(output));
    const auto second = static_cast<T>(samples.combine(coefs.center(), method.derivative, output));
    const T difference = magnitude(T(second - estimate.value));
    const T allowed = estimate.error + static_cast<T>(model.predict(method, static_cast<long double>(shorter)));
    if (!is_finite(second))
      estimate.trouble = Trouble::non_finite;
    else if (difference > far_beyond * allowed)
      estimate.trouble = Trouble::steps_disagree;
    estimate.error += difference;
  }
}

/// Estimates of some outputs, each with the step that its model gives.
template <class T>
void Differentiator<T>::estimate_by(const std::vector<ErrorModel> &of, const std::vector<std::size_t> &outputs,
                                    double scale, std::vector<Estimate<T>> &estimates) const {
  for (const auto &[step, members] : outputs_by_step(of, outputs, scale)) {
    if (!(step > 0)) {
      for (const std::size_t output : members)
        estimates[output].trouble = Trouble::no_room;
      continue;
    }
    estimate(step, members, of, estimates);
    if (method.options.confirmation > 0)
      confirm(step, members, of, estimates);
  }
}

/// Longer stencils count where the usual ones, which fewer kinks and jumps lie within, do not contradict it.
template <class T>
std::vector<Estimate<T>> Differentiator<T>::attempt(double scale) const {
  std::vector<Estimate<T>> estimates(site.outputs);
  auto near = models(method, scale);
  measure_noise(near, scale);
  auto far = near;
  look_farther(far, scale);
  std::vector<std::size_t> outputs(site.outputs);
  std::iota(outputs.begin(), outputs.end(), std::size_t{0});
  estimate_by(near, outputs, scale, estimates);
  std::erase_if(outputs, [&](std::size_t output) { return !(far[output].radius > near[output].radius); });
  std::vector<Estimate<T>> others = estimates;
  estimate_by(far, outputs, scale, others);
  for (const std::size_t output : outputs) {
    const Estimate<T> &one = estimates[output], &other = others[output];
    if (!one.reliable() || !other.reliable() || !(other.error < one.error))
      continue;
    if (magnitude(T(one.value - other.value)) <= T(one.error + other.error))
      estimates[output] = other;
  }
  return estimates;
}

/// Keeps the better of two answers for each output; two that contradict each other put both errors in doubt.
template <class T>
void keep_better(std::span<Estimate<T>> kept, const std::vector<Estimate<T>> &others) {
  for (std::size_t output = 0; output < kept.size(); ++output) {
    Estimate<T> &one = kept[output];
    const Estimate<T> &other = others[output];
    const bool both = one.reliable() && other.reliable();
    const T gap = both ? magnitude(T(one.value - other.value)) : T(0);
    const T doubt = gap > T(one.error + other.error) ? T(gap + std::max(one.error, other.error)) : T(0);
    const bool first = one.step == 0 && !one.reliable();
    const bool better = one.reliable() != other.reliable() ? other.reliable() : first || other.error < one.error;
    if (better)
      one = other;
    one.error = std::max(one.error, doubt);
  }
}

/// Good enough that no other length scale needs to be tried: half the digits that the function has. Beside a larger
/// value of the function, a small derivative has that only where nothing but round-off is left.
template <class T>
bool acceptable(const FiniteDifferenceMethod &method, const Estimate<T> &estimate, const T &value_magnitude) {
  constexpr double roundings = 16;
  const double epsilon = epsilon_of(method, epsilon_of<T>());
  const auto of_derivative = static_cast<T>(std::sqrt(epsilon));
  const auto of_value = static_cast<T>(std::max<double>(std::sqrt(epsilon_of<T>()), roundings * epsilon));
  return estimate.reliable() &&
         estimate.error <= std::max(T(of_derivative * magnitude(estimate.value)), T(of_value * value_magnitude));
}

template <class T>
bool all_reliable(std::span<const Estimate<T>> estimates) {
  return std::all_of(estimates.begin(), estimates.end(), [](const Estimate<T> &one) { return one.reliable(); });
}

template <class T>
bool all_acceptable(const FiniteDifferenceMethod &method, std::span<const Estimate<T>> estimates,
                    std::span<const T> value_magnitudes) {
  for (std::size_t output = 0; output < estimates.size(); ++output)
    if (!acceptable(method, estimates[output], value_magnitudes[output]))
      return false;
  return true;
}

/// All length scales, the likeliest first, until every output has an acceptable answer.
template <class T>
void try_scales(const FiniteDifferenceMethod &method, const Site<T> &site, std::span<const T> value_magnitudes,
                std::span<Estimate<T>> kept) {
  const Differentiator<T> differentiator(method, site);
  keep_better(kept, differentiator.attempt(1));
  const auto done = [&] { return all_acceptable<T>(method, kept, value_magnitudes); };
  const double size = site.place.length;
  if (!done() && size > 0 && std::isfinite(size) && std::fabs(std::log2(size)) > 2)
    keep_better(kept, differentiator.attempt(size));
  constexpr double shortest = 1.0 / (1ULL << 40);
  if (!done())
    keep_better(kept, differentiator.attempt(1.0 / 16));
  for (double scale = 1.0 / 256; scale > shortest && !all_reliable<T>(kept); scale /= 16)
    keep_better(kept, differentiator.attempt(scale));
}

/// The one-sided method of the same order, if the domain leaves much more room on one side than the method's own grid
/// has.
inline std::vector<FiniteDifferenceMethod> roomier_methods(const FiniteDifferenceMethod &method, Reach reach) {
  constexpr double much = 4;
  const double own = largest_step(method.grid, reach, method.options.max_range);
  const double span = std::min(reach.below, reach.above);
  if (own == infinity || span == infinity || std::max(reach.below, reach.above) < much * span)
    return {};
  const auto make = reach.above > reach.below ? forward_fdm : backward_fdm;
  return {make(method.order(), method.derivative, method.options)};
}

template <class T>
void differentiate_curve(const FiniteDifferenceMethod &method, Curve<T> curve, const Place<T> &place,
                         std::span<Estimate<T>> estimates) {
  if (estimates.empty())
    return;
  for (Estimate<T> &estimate : estimates)
    estimate = Estimate<T>{};
  std::vector<T> magnitudes(estimates.size());
  curve(place.x, magnitudes);
  if (std::none_of(magnitudes.begin(), magnitudes.end(), [](const T &value) { return is_finite(value); }))
    return;
  for (T &one : magnitudes)
    one = magnitude(one) / static_cast<T>(std::max(1.0, place.length));
  const Site<T> site{curve, place, estimates.size()};
  try_scales<T>(method, site, magnitudes, estimates);
  if (all_acceptable<T>(method, estimates, magnitudes))
    return;
  for (const FiniteDifferenceMethod &other : roomier_methods(method, place.reach))
    try_scales<T>(other, site, magnitudes, estimates);
}

} // namespace assay::fdm::detail
