#include "core/widen/difference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace assay::widen {

namespace {

constexpr int usual_step = -40;
constexpr std::array further_steps{-70, -20};
// Where movements are rounded to 113 bits: of a step of 2^-28 the curvature leaves 2^-56, and the rounding 2^-84 times
// the condition number. Where that is large, a long step is better; where the function is strongly curved, a short one.
constexpr std::array rounded_steps{-28, -34, -20, -40};
constexpr int longest_rounded_step = rounded_steps[2];
// An estimate this good ends the search: relative to itself, or to the largest slope of any output.
// Of a period: as far as the argument of a periodic function may move; and as far as it moves at the step that is tried
// where that is too far.
constexpr double most_of_period = 0x1p-6, wanted_of_period = 0x1p-20;
struct GoodParts {
  double of_value, of_largest;
};
constexpr GoodParts good_parts{0x1p-50, 0x1p-60};
// Both slopes of a kink differ by more than this part of them, and by as much at half the step.
constexpr double least_kink = 0x1p-30, kept_by_a_kink = 0.75;

/// The power of two that is the size of a number. A large one has steps that are no whole numbers of periods of a
/// function that goes round in these, as sin(pi x); others have steps with which sums are exact.
double scale_of(double size) {
  constexpr double large = 0x1p16, golden_ratio = 1.2360679774997896;
  const double power = std::ldexp(1, std::ilogb(size));
  return power < large ? power : golden_ratio * power;
}

/// F at h, -h, 2h, -2h.
struct Stencil {
  std::array<Reaction, 4> reactions;
  double step;
};

std::vector<double> steps_for(double size) {
  if (!(size > 0) || !std::isfinite(size))
    return {std::ldexp(1, usual_step), std::ldexp(1, further_steps[0]), std::ldexp(1, 2 * further_steps[0])};
  const double power = scale_of(size);
  std::vector<double> steps{std::ldexp(power, usual_step)};
  if (power < 1.0 / 16 || power > 16)
    steps.push_back(std::ldexp(1, usual_step));
  for (const int exponent : further_steps)
    steps.push_back(std::ldexp(power, exponent));
  return steps;
}

std::vector<double> rounded_steps_for(double size) {
  const double power = size > 0 && std::isfinite(size) ? scale_of(size) : 1;
  std::vector<double> steps;
  for (const int exponent : rounded_steps)
    steps.push_back(std::ldexp(power, exponent));
  if (power < 1.0 / 16 || power > 16) // The function may vary on a scale of its own.
    steps.push_back(std::ldexp(1, longest_rounded_step));
  return steps;
}

Estimate estimate_at(const Stencil &stencil, std::size_t output) {
  std::array<Wide, 4> movements{};
  std::transform(stencil.reactions.begin(), stencil.reactions.end(), movements.begin(),
                 [&](const Reaction &reaction) { return reaction.movements[output]; });
  Estimate estimate;
  estimate.step = stencil.step;
  const Wide step = stencil.step;
  const Wide near = (movements[0] - movements[1]) / (2 * step), far = (movements[2] - movements[3]) / (4 * step);
  if (!is_finite(near) || !is_finite(far))
    return estimate;
  const std::vector<double> &all_noise = stencil.reactions[0].noise;
  const Wide noise = all_noise.empty() ? Wide(0) : Wide(all_noise[output]) / step;
  estimate.value = static_cast<double>(near);
  estimate.error = static_cast<double>(magnitude(near - far) + noise);
  estimate.trouble = Trouble::none;
  const Wide gap = magnitude(movements[0] + movements[1]) / step;
  const Wide wider_gap = magnitude(movements[2] + movements[3]) / (2 * step);
  const Wide slope = magnitude(movements[0] / step) + magnitude(movements[1] / step);
  const Wide least = Wide(least_kink) * slope + 2 * noise;
  if (gap > least && gap > Wide(kept_by_a_kink) * wider_gap)
    estimate.trouble = Trouble::crossing;
  else if (estimate.error > least_kink * std::abs(estimate.value) && Wide(estimate.error) > least)
    estimate.trouble = Trouble::steps_disagree;
  return estimate;
}

bool is_better(const Estimate &one, const Estimate &other) {
  if (one.goes_round != other.goes_round && one.trouble != Trouble::non_finite && other.trouble != Trouble::non_finite)
    return other.goes_round;
  if (one.may_lack != other.may_lack && one.trouble != Trouble::non_finite && other.trouble != Trouble::non_finite)
    return other.may_lack;
  if ((one.trouble == Trouble::none) != (other.trouble == Trouble::none))
    return one.trouble == Trouble::none;
  return one.error < other.error;
}

/// Where rounding moves F in jumps, near and far slopes may agree by chance. The slope at a shorter step has that noise
/// times the ratio of the steps, and one at a longer step is off by no more than its own error.
double error_beside(const Estimate &estimate, const Estimate &other) {
  const double apart = std::abs(other.value - estimate.value);
  return other.step < estimate.step ? (apart + other.error) * (other.step / estimate.step) : apart - other.error;
}

Estimate best_of(const std::vector<Estimate> &estimates, bool is_exact) {
  Estimate best;
  for (Estimate estimate : estimates) {
    for (const Estimate &other : estimates)
      if (!is_exact && estimate.trouble == Trouble::none && other.trouble == Trouble::none && !other.goes_round)
        estimate.error = std::max(estimate.error, error_beside(estimate, other));
    if (is_better(estimate, best))
      best = estimate;
  }
  return best;
}

bool all_good(const std::vector<Estimate> &estimates) {
  double largest = 0;
  for (const Estimate &estimate : estimates)
    if (std::isfinite(estimate.value))
      largest = std::max(largest, std::abs(estimate.value));
  return std::all_of(estimates.begin(), estimates.end(), [&](const Estimate &estimate) {
    return estimate.trouble == Trouble::none && !estimate.goes_round &&
           estimate.error <= std::max(good_parts.of_value * std::abs(estimate.value), good_parts.of_largest * largest);
  });
}

} // namespace

namespace {

/// False where code is not followed.
bool run_stencil(FunctionRef<Reaction(Wide step)> react, Stencil &stencil, Difference &difference) {
  constexpr std::array multiples = {1, -1, 2, -2};
  for (std::size_t point = 0; point < multiples.size(); ++point) {
    stencil.reactions[point] = react(Wide(stencil.step) * multiples[point]);
    difference.losses = stencil.reactions[point].losses;
    difference.singularities = stencil.reactions[point].singularities;
    if (!difference.losses.empty())
      return false;
  }
  return true;
}

/// Where the points decide differently; where they do not, but an output has a kink: the functions that may be why.
std::vector<std::string> edges_of(const Stencil &stencil, bool has_kink) {
  for (const Reaction &reaction : stencil.reactions)
    if (!reaction.crossings.empty())
      return reaction.crossings;
  for (const Reaction &reaction : stencil.reactions)
    if (has_kink && !reaction.kinks.empty())
      return reaction.kinks;
  return {};
}

bool has_absorbed(const Stencil &stencil) {
  return std::any_of(stencil.reactions.begin(), stencil.reactions.end(),
                     [](const Reaction &reaction) { return reaction.has_absorbed; });
}

bool meets_kinks(const Stencil &stencil) {
  return std::any_of(stencil.reactions.begin(), stencil.reactions.end(),
                     [](const Reaction &reaction) { return !reaction.kinks.empty(); });
}

double most_periods(const Stencil &stencil) {
  double most = 0;
  for (const Reaction &reaction : stencil.reactions)
    most = std::max(most, reaction.periods);
  return most;
}

std::size_t most_edges(const Stencil &stencil) {
  std::size_t most = 0;
  for (const Reaction &reaction : stencil.reactions)
    most = std::max(most, reaction.edges);
  return most;
}

void note_met(const Stencil &stencil, Difference &difference) {
  difference.edges_together = most_edges(stencil);
  std::set<std::string> met;
  for (const Reaction &reaction : stencil.reactions) {
    met.insert(reaction.crossings.begin(), reaction.crossings.end());
    met.insert(reaction.kinks.begin(), reaction.kinks.end());
  }
  difference.met.assign(met.begin(), met.end());
}

/// The edges of this stencil, or of the last one that met any.
void note_edges(const Stencil &stencil, bool is_troubled, Difference &difference) {
  std::vector<std::string> edges = is_troubled ? edges_of(stencil, true) : std::vector<std::string>();
  if (is_troubled && edges.empty())
    return;
  difference.edges = is_troubled ? most_edges(stencil) : 0;
  difference.are_decisions = is_troubled && !edges_of(stencil, false).empty() && !meets_kinks(stencil);
  difference.crossings = std::move(edges);
}

} // namespace

Difference differentiate(FunctionRef<Reaction(Wide step)> react, std::size_t outputs, double size, Rounding rounding) {
  const bool is_exact = rounding == Rounding::none;
  bool is_first = true;
  Difference difference;
  difference.outputs.resize(outputs);
  std::vector<std::vector<Estimate>> estimates(outputs); ///< At each step.
  std::vector<double> steps = is_exact ? steps_for(size) : rounded_steps_for(size);
  bool was_shortened = false;
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const double step = steps[index];
    Stencil stencil{{}, step};
    if (!run_stencil(react, stencil, difference))
      return difference;
    if (std::exchange(is_first, false))
      note_met(stencil, difference);
    const bool crossed = !edges_of(stencil, false).empty(), may_lack = has_absorbed(stencil);
    const double periods = most_periods(stencil);
    const bool goes_round = periods > most_of_period;
    if (goes_round && std::isfinite(periods) && !std::exchange(was_shortened, true))
      steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(index) + 1, step * (wanted_of_period / periods));
    for (std::size_t output = 0; output < outputs; ++output) {
      Estimate estimate = estimate_at(stencil, output);
      if (crossed)
        estimate.trouble = Trouble::crossing;
      estimate.may_lack = may_lack;
      estimate.goes_round = goes_round;
      estimates[output].push_back(estimate);
      difference.outputs[output] = best_of(estimates[output], is_exact);
    }
    const auto has_kink = [](const Estimate &estimate) { return estimate.trouble == Trouble::crossing; };
    const bool troubled = std::any_of(difference.outputs.begin(), difference.outputs.end(), has_kink);
    note_edges(stencil, troubled, difference);
    const bool is_confirmed = is_exact || (!estimates.empty() && estimates.front().size() > 1);
    if (is_confirmed && !may_lack && !troubled && all_good(difference.outputs))
      break;
  }
  return difference;
}

} // namespace assay::widen
