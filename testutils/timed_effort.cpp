#include "testutils/timed_effort.hpp"

#include "testutils/effort.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// By the processor time of the process, or by a clock that runs on.
double seconds_by(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least of a few calls; of a function that mostly waits, a part of the time on the clock.
double time_of_call(Subject &subject, const Arguments &inputs) {
  constexpr int most_calls = 3;
  constexpr double long_enough = 0.05, part_of_waiting = 0.5;
  double least = std::numeric_limits<double>::infinity();
  for (int call = 0; call < most_calls && !(call > 0 && least > long_enough); ++call) {
    const double before = seconds_by(CLOCK_PROCESS_CPUTIME_ID), wall_before = seconds_by(CLOCK_MONOTONIC);
    static_cast<void>(subject.evaluate(inputs));
    least = std::min(least, std::max(seconds_by(CLOCK_PROCESS_CPUTIME_ID) - before,
                                     part_of_waiting * (seconds_by(CLOCK_MONOTONIC) - wall_before)));
  }
  return std::exp2(std::floor(std::log2(std::max(least, 1e-9))));
}

CallCost cost_of(double seconds) {
  constexpr double seconds_of_operation = 0.4e-9, part_of_reals = 0.25;
  const double operations = seconds / seconds_of_operation;
  return {static_cast<std::uint64_t>(operations), static_cast<std::uint64_t>(part_of_reals * operations), 0};
}

std::string in_words(double seconds) {
  constexpr double milli = 1e-3, most_in_milli = 0.1;
  return seconds < most_in_milli ? fmt::format("a call takes about {:.2g} ms", seconds / milli)
                                 : fmt::format("a call takes about {:.2g} s", seconds);
}

} // namespace

std::string fit_into_time(Subject &subject, CheckOptions &options, double seconds_of_call) {
  const bool is_as_given = !options.combinations.empty() || options.budget != 0; // Those are not to be left out.
  OfferedCombinations offered;
  if (!options.combinations.empty())
    offered = {options.combinations, options.further};
  else if (options.budget != 0)
    offered.usual = combinations_of(subject, options.points.front(), options);
  else
    offered = offered_combinations({{&subject, options.points.front()}}, options);
  if (is_as_given)
    offered = {all_of(std::move(offered)), {}};
  WantedEffort wanted;
  wanted.seconds = options.seconds;
  wanted.combinations = offered.usual.size();
  wanted.budget = is_as_given ? wanted.combinations : 0;
  wanted.samples = static_cast<unsigned>(options.points.size());
  wanted.has_further_points = false;
  wanted.cost = in_words(seconds_of_call);
  const CostOfShape shape = cost_of_shape(cost_of(seconds_of_call), subject.signature());
  const Effort effort = choose_effort({shape}, wanted);
  options.depth = effort.depth;
  options.points.resize(std::max(1U, std::min(wanted.samples, effort.samples)));
  options.explanations = std::min(options.explanations, effort.explanations);
  options.shrink_steps = std::min(options.shrink_steps, effort.shrink_steps);
  options.localisations = std::min(options.localisations, effort.localisations);
  options.earlier_calls = std::min(options.earlier_calls, effort.earlier_calls);
  if (!effort.wide_shapes.front() && options.oracle == OracleChoice::automatic)
    options.oracle = OracleChoice::finite_differences;
  const std::size_t possible = offered.usual.size() + offered.patterns.size();
  std::vector<Combination> fitting = fit_combinations(std::move(offered), effort, options);
  if (fitting.size() < possible) {
    options.combinations = std::move(fitting);
    options.further.clear();
  }
  return effort.left_out;
}

std::string fit_into_time(Subject &subject, CheckOptions &options) {
  if (options.seconds == 0 || options.points.empty())
    return {};
  try {
    return fit_into_time(subject, options, time_of_call(subject, options.points.front()));
  } catch (const SubjectError &) { // The check itself says so.
    return {};
  }
}

} // namespace assay::testutils
