// The drivers: which combinations at which points, what becomes of a failure, and how samples join into one verdict.

#include <assay/testing/check.hpp>

#include "testutils/blame.hpp"
#include "testutils/combinations.hpp"
#include "testutils/localise.hpp"
#include "testutils/not_seen.hpp"
#include "testutils/numbers.hpp"
#include "testutils/run.hpp"
#include "testutils/shrink.hpp"
#include "testutils/stale_memory.hpp"
#include "testutils/tolerance.hpp"
#include "testutils/triangulation.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

// Points beyond those asked for, where the function is not finite or the oracle cannot tell.
constexpr unsigned most_draws = 24;
constexpr unsigned most_replacements = 3;
// Failures whose inputs are shrunk from scratch; later ones try the point that was found first.
constexpr unsigned most_full_shrinks = 3;

bool is_constant(Activity activity) {
  return activity == Activity::constant;
}

std::size_t active_count(const Combination &combination) {
  std::size_t count = !is_constant(combination.result);
  for (const Activity activity : combination.arguments)
    count += is_constant(activity) ? 0 : activity == Activity::duplicated_no_need ? 2 : 1;
  return count;
}

// Walks down to fewer activities as long as it fails in the same way, then asks all neighbours of what is left.
void find_minimal_signature(Stage &stage, Record &record) {
  const Signature &signature = stage.subject.signature();
  Combination minimal = record.combination;
  bool progress = true;
  while (progress) {
    progress = false;
    record.neighbours.clear();
    for (const Combination &neighbour : neighbours_of(signature, stage.point, minimal)) {
      if (!stage.subject.supports(neighbour))
        continue;
      const Verdict verdict = run_checks(stage, neighbour).verdict;
      record.neighbours.push_back({neighbour, verdict});
      if (verdict != record.verdict || active_count(neighbour) >= active_count(minimal))
        continue;
      minimal = neighbour;
      progress = true;
      break;
    }
  }
  if (!(minimal == record.combination))
    record.minimal = minimal;
}

// What earlier failures of the same function found.
struct Memory {
  std::vector<Arguments> failing_points;
  unsigned full_shrinks = 0;
  std::map<Mode, unsigned> localisations, experiments;
};

bool may_shrink(const Record &record) {
  return outcome_of(record.verdict) == Outcome::failed && record.verdict != Verdict::crash;
}

// A wrong reverse derivative must not become a right one that differs from a wrong forward derivative.
bool fails_alike(const Record &left, const Record &right) {
  return left.verdict == right.verdict &&
         (left.check == right.check || (left.check != dot_product_check && right.check != dot_product_check));
}

Record shrunk(Subject &subject, Record record, const CheckOptions &options, unsigned sample, Memory &memory) {
  if (!may_shrink(record))
    return record;
  if (options.shrink_steps == 0) {
    if (options.find_neighbours) {
      Stage stage(subject, record.inputs, options, sample);
      find_minimal_signature(stage, record);
    }
    return record;
  }
  const auto fails = [&](const Arguments &inputs) {
    Stage stage(subject, inputs, options, sample);
    return fails_alike(run_checks(stage, record.combination), record);
  };
  Shrunk found{record.inputs};
  const auto known = std::find_if(memory.failing_points.begin(), memory.failing_points.end(), fails);
  if (known != memory.failing_points.end())
    found = {*known, 1, 1};
  else if (memory.full_shrinks++ < most_full_shrinks)
    found = shrink_inputs(subject.signature(), record.inputs, fails, options.shrink_steps);
  if (known == memory.failing_points.end())
    memory.failing_points.push_back(found.inputs);

  Stage stage(subject, found.inputs, options, sample);
  Record simplest = run_checks(stage, record.combination);
  simplest.shrinks = found.shrinks;
  if (options.find_neighbours)
    find_minimal_signature(stage, simplest);
  return simplest;
}

// What is left of a failure when it is as simple as it can be.
Record explained(Subject &subject, Record record, const CheckOptions &options, unsigned sample, Memory &memory) {
  record = shrunk(subject, std::move(record), options, sample, memory);
  if (may_shrink(record) && options.find_neighbours &&
      memory.experiments[record.combination.mode]++ < options.localisations) {
    Stage stage(subject, record.inputs, options, sample);
    blame_rule(stage, record);
  }
  if (record.verdict != Verdict::wrong_derivative || !options.find_neighbours) // Nobody is going to read it.
    return record;
  Stage stage(subject, record.inputs, options, sample);
  triangulate(stage, record);
  hint_at_stale_memory(stage, record);
  if (memory.localisations[record.combination.mode]++ < options.localisations)
    localise(stage, record);
  return record;
}

// The points of a run: given ones, or random ones where the function is finite.
class Points {
public:
  Points(Subject &subject, const CheckOptions &options) : subject(subject), options(options) {}

  std::size_t count() const { return options.points.empty() ? std::max(1U, options.samples) : options.points.size(); }

  Stage &at(std::size_t sample, unsigned replacement) {
    std::unique_ptr<Stage> &stage = stages[{sample, replacement}];
    if (!stage)
      stage = options.points.empty()
                  ? draw(static_cast<unsigned>(sample), replacement)
                  : std::make_unique<Stage>(subject, options.points[sample], options, static_cast<unsigned>(sample));
    return *stage;
  }

  using Draw = Arguments (*)(const Signature &, const CheckOptions &, unsigned);

  /// Point `number` of those that `inputs` draws, where the function is finite.
  Stage &at_special(Draw inputs, unsigned number, unsigned sample) {
    std::unique_ptr<Stage> &stage = specials[{inputs, number}];
    for (unsigned attempt = 0; attempt < most_draws && !stage; ++attempt) {
      const unsigned index = (sample << 16U) + attempt;
      stage = std::make_unique<Stage>(subject, inputs(subject.signature(), options, index), options, sample);
      if (stage->point.verdict == Verdict::oracle_unreliable && attempt + 1 < most_draws)
        stage.reset();
    }
    return *stage;
  }

  Subject &asked() const { return subject; }

  unsigned replacements() const { return options.points.empty() && has_random_parameter() ? most_replacements : 0; }

private:
  bool has_random_parameter() const {
    const auto &parameters = subject.signature().parameters;
    return std::any_of(parameters.begin(), parameters.end(),
                       [](const Parameter &parameter) { return parameter.fixed.empty(); });
  }

  std::unique_ptr<Stage> draw(unsigned sample, unsigned replacement) {
    std::unique_ptr<Stage> stage;
    for (unsigned attempt = 0; attempt < most_draws; ++attempt) {
      const unsigned index = (sample << 16U) + (replacement << 8U) + attempt;
      stage = std::make_unique<Stage>(subject, random_inputs(subject.signature(), options, index), options, sample);
      if (stage->point.verdict != Verdict::oracle_unreliable)
        break;
    }
    return stage;
  }

  Subject &subject;
  const CheckOptions &options;
  std::map<std::pair<std::size_t, unsigned>, std::unique_ptr<Stage>> stages;
  std::map<std::pair<Draw, unsigned>, std::unique_ptr<Stage>> specials;
};

Record check_sample(Points &points, const Combination &combination, std::size_t sample) {
  Record first = run_checks(points.at(sample, 0), combination);
  for (unsigned replacement = 1; replacement <= points.replacements(); ++replacement) {
    if (first.verdict != Verdict::oracle_unreliable)
      break;
    Record other = run_checks(points.at(sample, replacement), combination);
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
      if (!is_constant(combination.arguments[index]))
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
      may_be_nonzero = may_be_nonzero || (!is_constant(activities[index]) && !point.written[index]);
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

// What a rule gives where it branches is a choice at a pole or a kink, so only the oracle that sees these is asked.
std::optional<Record> failure_at_special_points(Points &points, const Combination &combination, Points::Draw inputs,
                                                unsigned first, unsigned count) {
  for (unsigned number = 0; number < count; ++number) {
    Record record = run_edge_checks(points.at_special(inputs, number, first + number), combination);
    if (outcome_of(record.verdict) == Outcome::failed)
      return record;
  }
  return std::nullopt;
}

std::optional<Record> failure_at_edges(Points &points, const Combination &combination, const CheckOptions &options) {
  if (!options.points.empty())
    return std::nullopt;
  const auto first = static_cast<unsigned>(points.count()) + options.brief_samples;
  std::optional<Record> failure =
      failure_at_special_points(points, combination, edge_inputs, first, options.edge_samples);
  return failure ? failure
                 : failure_at_special_points(points, combination, magnitude_inputs, first + options.edge_samples,
                                             options.magnitude_samples);
}

// Failed if any failed, else undecided if any is undecided, else the last.
Record check_all_samples(Points &points, const Combination &combination, const CheckOptions &options) {
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
  if (std::optional<Record> failure = failure_at_edges(points, combination, options))
    return *std::move(failure);
  if (options.points.empty()) // Else somebody wants to know about these points.
    comparisons.judge(joined, points.asked(), points);
  return joined;
}

// What is to be known beside the verdict.
void add_limits(const Subject &subject, Record &record) {
  for (std::string &note : subject.notes())
    record.notes.push_back(std::move(note));
  record.not_seen = not_seen(subject);
}

void count(Report &report, const Record &record) {
  ++report.checked;
  switch (outcome_of(record.verdict)) {
  case Outcome::passed:
    ++report.passed;
    break;
  case Outcome::failed:
    ++report.failed;
    break;
  case Outcome::undecided:
    ++report.undecided;
    break;
  }
}

} // namespace

Record check_combination(Subject &subject, const Combination &combination, const Arguments &inputs,
                         const CheckOptions &options) {
  Memory memory;
  Record record;
  {
    Stage stage(subject, inputs, options, 0);
    record = run_checks(stage, combination);
  }
  record = explained(subject, std::move(record), options, 0, memory);
  add_limits(subject, record);
  if (options.on_record)
    options.on_record(record);
  return record;
}

// Those that are asked for, or what the budget leaves of all; the report says how many it does not.
static std::vector<Combination> chosen_combinations(Report &report, const Point &point, const CheckOptions &options) {
  if (!options.combinations.empty()) {
    std::vector<Combination> named = options.combinations;
    named.insert(named.end(), options.further.begin(), options.further.end());
    return named;
  }
  std::vector<Combination> chosen = combinations_at(report.signature, point, options);
  const std::size_t possible =
      options.budget == 0 ? chosen.size() : all_combinations_at(report.signature, point, options).size();
  if (possible > chosen.size())
    report.left_out.push_back(
        fmt::format("{} of {} combinations: the budget is {}", possible - chosen.size(), possible, options.budget));
  return chosen;
}

Report check_gradients(Subject &subject, const CheckOptions &options) {
  Report report;
  report.signature = subject.signature();
  if (options.tolerance.unfitting == Tolerance::Unfitting::error)
    require_fitting_rules(options.tolerance, report.signature);
  report.seed = options.seed;
  Points points(subject, options);
  Memory memory;
  const std::vector<Combination> all = chosen_combinations(report, points.at(0, 0).point, options);
  for (const Combination &combination : all) {
    if (!subject.supports(combination)) {
      report.left_out.push_back(describe(report.signature, combination) + ": the front end cannot express it");
      continue;
    }
    Record record = check_all_samples(points, combination, options);
    const unsigned sample = record.sample;
    record = explained(subject, std::move(record), options, sample, memory);
    add_limits(subject, record);
    count(report, record);
    if (options.on_record)
      options.on_record(record);
    report.records.push_back(std::move(record));
  }
  return report;
}

} // namespace assay::testutils
