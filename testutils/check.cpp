// The drivers: the combinations of a run, and the report on them.

#include <assay/testing/check.hpp>

#include "testutils/check_points.hpp"
#include "testutils/combinations.hpp"
#include "testutils/explain_failure.hpp"
#include "testutils/not_seen.hpp"
#include "testutils/observation.hpp"
#include "testutils/tolerance.hpp"

#include <fmt/format.h>

namespace assay::testutils {

namespace {

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

// Those that are asked for, or what the budget leaves of all; the report says how many it does not.
std::vector<Combination> chosen_combinations(Report &report, const Point &point, const CheckOptions &options) {
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

} // namespace

Record check_combination(Subject &subject, const Combination &combination, const Arguments &inputs,
                         const CheckOptions &options) {
  EarlierFailures earlier;
  Record record;
  {
    Stage stage(subject, inputs, options, 0);
    record = run_checks(stage, combination);
  }
  record = explain_failure(subject, std::move(record), options, 0, earlier);
  add_limits(subject, record);
  if (options.on_record)
    options.on_record(record);
  return record;
}

Report check_gradients(Subject &subject, const CheckOptions &options) {
  Report report;
  report.signature = subject.signature();
  if (options.tolerance.unfitting == Tolerance::Unfitting::error)
    require_fitting_rules(options.tolerance, report.signature);
  report.seed = options.seed;
  Points points(subject, options);
  EarlierFailures earlier;
  Observation observation(points, options);
  const std::vector<Combination> all = chosen_combinations(report, points.at(0, 0).point, options);
  for (const Combination &combination : all) {
    if (!subject.supports(combination)) {
      report.left_out.push_back(describe(report.signature, combination) + ": the front end cannot express it");
      continue;
    }
    Record record = check_points(points, combination, options);
    const unsigned sample = record.sample;
    record = explain_failure(subject, std::move(record), options, sample, earlier);
    observation.add_to(record);
    add_limits(subject, record);
    count(report, record);
    if (options.on_record)
      options.on_record(record);
    report.records.push_back(std::move(record));
  }
  return report;
}

} // namespace assay::testutils
