#include "testutils/check_points.hpp"

#include "testutils/magnitudes.hpp"
#include "testutils/numbers.hpp"
#include "testutils/scanned_inputs.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

Record check_sample(Points &points, const Combination &combination, std::size_t sample) {
  const auto run = points.depth() == Depth::every_check ? run_checks : run_brief_checks;
  Record first = run(points.at(sample, 0), combination);
  for (unsigned replacement = 1; replacement <= points.replacements(); ++replacement) {
    if (first.verdict != Verdict::oracle_unreliable)
      break;
    Record other = run(points.at(sample, replacement), combination);
    if (other.verdict != Verdict::oracle_unreliable)
      return other;
  }
  return first;
}

// Whether the function varies between points, but not when its active inputs alone do: a parameter that it does not
// use.
bool leaves_unused(Subject &subject, Points &points, const Combination &combination) {
  constexpr std::size_t most_others = 4;
  const Point &here = points.at(0, 0).point;
  const Values outputs = flat_outputs(here.primal, here.outputs);
  bool varies = false;
  for (std::size_t sample = 1; sample <= most_others; ++sample) {
    const Point &there = points.at(sample, 0).point;
    if (there.verdict != Verdict::pass)
      continue;
    Arguments mixed = here.inputs;
    for (std::size_t index = 0; index < mixed.size(); ++index)
      if (combination.arguments[index] != Activity::constant)
        mixed[index] = there.inputs[index];
    try {
      if (!same_bits(flat_outputs(subject.evaluate(mixed), here.outputs), outputs))
        return false;
    } catch (const SubjectError &) {
      return false;
    }
    varies = varies || !same_bits(flat_outputs(there.primal, here.outputs), outputs);
  }
  return varies;
}

// What has passed, and how much of it said something.
struct Comparisons {
  std::size_t points = 0, nonzero = 0;

  void add(const Record &record) {
    ++points;
    nonzero += record.nonzero;
  }

  /// A pass is none where every derivative is zero at every point: a wrong one may be as well. By what the function
  /// overwrites the derivative has to be zero.
  void judge(Record &record, Subject &subject, Points &all) const {
    const Point &point = all.at(0, 0).point;
    const auto &activities = record.combination.arguments;
    bool may_be_nonzero = false;
    for (std::size_t index = 0; index < activities.size(); ++index)
      may_be_nonzero = may_be_nonzero || (activities[index] != Activity::constant && !point.written[index]);
    if (record.verdict != Verdict::pass || nonzero != 0 || !may_be_nonzero ||
        leaves_unused(subject, all, record.combination))
      return;
    record.verdict = Verdict::nothing_compared;
    record.detail = fmt::format("every derivative is zero, or too small to be told from zero, at {}",
                                points == 1 ? "the point" : fmt::format("all {} points", points));
  }
};

// Faults behind a branch show only at points that take it: more points, with fewer checks at each.
std::optional<Record> failure_at_brief_points(Points &points, const Combination &combination,
                                              const CheckOptions &options, Comparisons &comparisons) {
  if (!options.points.empty())
    return std::nullopt;
  for (std::size_t sample = points.count(); sample < points.count() + options.brief_samples; ++sample) {
    Record record = run_brief_checks(points.at(sample, 0), combination);
    comparisons.add(record);
    if (outcome_of(record.verdict) == Outcome::failed)
      return record;
  }
  return std::nullopt;
}

/// Whether a number is so large, or so small, that a registered rule may end an iteration early which it relies on.
/// Generated code follows the function, until oracles see nothing of what varies on a scale of 1. Within the limits of
/// a domain everything is asked for.
bool is_far(Subject &subject, const Combination &combination, const Arguments &inputs, double large) {
  constexpr double small = 0x1p-60, least_for_generated = 0x1p60;
  const Signature &signature = subject.signature();
  if (subject.rules(combination).empty())
    large = std::max(large, least_for_generated);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (parameter.element == ElementType::integer || !parameter.fixed.empty() ||
        (std::isfinite(parameter.domain.low) && std::isfinite(parameter.domain.high)))
      continue;
    for (const double value : inputs[index])
      if (const double size = std::abs(value) / parameter.domain.scale; size > large || (size < small && size != 0))
        return true;
  }
  return false;
}

// What a rule gives where it branches is a choice at a pole or a kink, so only the oracle that sees these is asked.
std::optional<Record> failure_at_special_points(Points &points, const Combination &combination, Points::Draw inputs,
                                                unsigned first, unsigned count, std::vector<std::string> &notes,
                                                double large = 0x1p10) {
  for (unsigned number = 0; number < count; ++number) {
    Stage *stage = points.at_special(inputs, first + number);
    if (!stage)
      return std::nullopt;
    const bool far = is_far(points.asked(), combination, stage->point.inputs, large);
    Record record = far ? run_range_checks(*stage, combination) : run_edge_checks(*stage, combination);
    if (outcome_of(record.verdict) == Outcome::failed)
      return record;
    for (std::string &note : record.notes)
      if (std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
  }
  return std::nullopt;
}

/// Three for eight.
unsigned fair_part_of(unsigned magnitude_samples) {
  return 3 * magnitude_samples / 8;
}

/// One for four: in turns, numbers that are vast and minute.
unsigned far_part_of(unsigned magnitude_samples) {
  return magnitude_samples / 4;
}

std::optional<Record> failure_at_edges(Points &points, const Combination &combination, const CheckOptions &options,
                                       std::vector<std::string> &notes) {
  if (!options.points.empty())
    return std::nullopt;
  const auto first = static_cast<unsigned>(points.count()) + options.brief_samples;
  std::optional<Record> failure =
      failure_at_special_points(points, combination, edge_inputs, first, options.edge_samples, notes);
  if (!failure)
    failure = failure_at_special_points(points, combination, magnitude_inputs, first + options.edge_samples,
                                        options.magnitude_samples, notes);
  const bool is_generated = points.asked().knows_rules() && points.asked().rules(combination).empty();
  if (!failure && is_generated)
    failure = failure_at_special_points(points, combination, fair_magnitude_inputs, first + options.edge_samples,
                                        fair_part_of(options.magnitude_samples), notes);
  if (!failure && is_generated)
    failure = failure_at_special_points(points, combination, uneven_magnitude_inputs, first + options.edge_samples,
                                        fair_part_of(options.magnitude_samples), notes);
  const bool has_rules = points.asked().knows_rules() && !points.asked().rules(combination).empty();
  if (!failure && has_rules)
    failure = failure_at_special_points(points, combination, far_magnitude_inputs, first + options.edge_samples,
                                        far_part_of(options.magnitude_samples), notes);
  return failure;
}

// Whether everything is active that can be, in the plain form.
bool is_widest(const Signature &signature, const Combination &combination) {
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    if (signature.parameters[index].differentiable() && combination.arguments[index] == Activity::constant)
      return false;
  const bool has_result = !signature.result_differentiable() || combination.result != Activity::constant;
  return has_result && combination.width == 1 && combination.form == Form::combined;
}

/// One case of many that a rule has is met by few points, and each kind of numbers by few of these.
std::optional<Record> failure_at_scanned_points(Points &points, const Combination &combination,
                                                const CheckOptions &options) {
  constexpr unsigned behind_all_others = 1000, special_part = 4; // One in so many is of each kind of special ones.
  // Beyond, so many points would leave the range of approximate rules; branches there are searched for anyway.
  constexpr double large = 0x1p4;
  const unsigned count = options.scanned_samples;
  if (!options.points.empty() || count == 0 || !is_widest(points.asked().signature(), combination) ||
      points.asked().rules(combination).empty())
    return std::nullopt;
  for (unsigned sample = behind_all_others; sample < behind_all_others + count; ++sample) {
    Stage *stage = points.at_special(scanned_inputs, sample);
    if (stage == nullptr)
      continue;
    Record record = run_brief_checks(*stage, combination);
    if (outcome_of(record.verdict) == Outcome::failed)
      return record;
  }
  std::vector<std::string> notes; // At these points so many numbers are beyond `large`.
  std::optional<Record> failure = failure_at_special_points(points, combination, magnitude_inputs, behind_all_others,
                                                            count / special_part, notes, large);
  return failure ? failure
                 : failure_at_special_points(points, combination, edge_inputs, behind_all_others, count / special_part,
                                             notes, large);
}

// Code behind a branch is mostly the same for all activities: all points where everything is active, some elsewhere,
// drawn with the combination.
std::vector<std::size_t> branch_points_for(const Signature &signature, const Combination &combination,
                                           const CheckOptions &options) {
  constexpr std::size_t elsewhere = 3;
  const std::size_t count = options.branch_points.size();
  std::vector<std::size_t> numbers;
  if (count <= elsewhere || is_widest(signature, combination)) {
    for (std::size_t number = 0; number < count; ++number)
      numbers.push_back(number);
    return numbers;
  }
  gen::Stream stream({.seed = options.seed,
                      .suite = options.suite,
                      .name = describe(signature, combination),
                      .purpose = "branch points"});
  for (std::size_t number = 0; number < elsewhere; ++number)
    numbers.push_back(static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(count) - 1)));
  return numbers;
}

} // namespace

std::optional<Record> failure_at_branches(Points &points, const Combination &combination, const CheckOptions &options) {
  if (!options.points.empty())
    return std::nullopt;
  const auto first =
      static_cast<unsigned>(points.count()) + options.brief_samples + options.edge_samples + options.magnitude_samples;
  for (const std::size_t number : branch_points_for(points.asked().signature(), combination, options)) {
    Stage &stage = points.at_branch(number, first + static_cast<unsigned>(number));
    // Thresholds may be large, but where 1 is lost beside a number the function itself is no guide to its rules.
    const bool far = is_far(points.asked(), combination, stage.point.inputs, 0x1p50);
    const bool is_side = options.branch_points[number].kind == BranchPoint::Kind::side;
    Record record = far       ? run_range_checks(stage, combination)
                    : is_side ? run_side_checks(stage, combination)
                              : run_threshold_checks(stage, combination);
    if (outcome_of(record.verdict) == Outcome::failed)
      return record;
  }
  return std::nullopt;
}

Record check_points(Points &points, const Combination &combination, const CheckOptions &options) {
  Record joined;
  Comparisons comparisons;
  for (std::size_t sample = 0; sample < points.count(); ++sample) {
    Record record = check_sample(points, combination, sample);
    record.notes.insert(record.notes.begin(), joined.notes.begin(), joined.notes.end());
    if (joined.lost && (!record.lost || record.lost->digits < joined.lost->digits))
      record.lost = joined.lost;
    comparisons.add(record);
    const Outcome outcome = outcome_of(record.verdict);
    if (sample == 0 || outcome != Outcome::passed || outcome_of(joined.verdict) == Outcome::passed)
      joined = std::move(record);
    if (outcome == Outcome::failed)
      return joined;
  }
  if (std::optional<Record> failure = failure_at_brief_points(points, combination, options, comparisons))
    return *std::move(failure);
  if (std::optional<Record> failure = failure_at_edges(points, combination, options, joined.notes))
    return *std::move(failure);
  if (std::optional<Record> failure = failure_at_branches(points, combination, options))
    return *std::move(failure);
  if (std::optional<Record> failure = failure_at_scanned_points(points, combination, options))
    return *std::move(failure);
  if (options.points.empty()) // Else somebody wants to know about these points.
    comparisons.judge(joined, points.asked(), points);
  return joined;
}

} // namespace assay::testutils
