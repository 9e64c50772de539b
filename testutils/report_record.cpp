#include "testutils/report_record.hpp"

#include "reports/timing.hpp"

#include <assay/testing/message.hpp>

namespace assay::testutils {

static reports::Outcome report_outcome(Verdict verdict) {
  switch (outcome_of(verdict)) {
  case Outcome::passed:
    return reports::Outcome::passed;
  case Outcome::failed:
    return reports::Outcome::failed;
  case Outcome::undecided:
    return reports::Outcome::undecided;
  }
  return reports::Outcome::failed;
}

static reports::Element element_of(const Comparison &row) {
  reports::Element element;
  element.path = row.path;
  element.ad = row.ad;
  element.expected = row.expected;
  element.incoming = row.incoming;
  element.absolute_error = row.absolute_error;
  element.relative_error = row.relative_error;
  element.ulp_error = row.ulp_error;
  element.tolerance = row.tolerance;
  element.oracle_error = row.oracle_error;
  element.oracle_step = row.oracle_step;
  element.second = row.second;
  element.second_error = row.second_error;
  return element;
}

static std::optional<reports::HeapCost> heap_cost(const std::optional<HeapCost> &cost) {
  return cost ? std::optional(reports::HeapCost{cost->allocations, cost->most_bytes}) : std::nullopt;
}

static reports::StepStudy step_study(const StepStudy &source) {
  reports::StepStudy study{source.path, source.derivative, source.expected, source.taylor_slope, {}};
  for (const StepRow &row : source.rows)
    study.rows.push_back({row.step, row.forward, row.central});
  return study;
}

void describe_combination(reports::Record &record, const Signature &signature, const Combination &combination) {
  record.mode = name_of(combination.mode);
  record.width = combination.width;
  record.split = combination.form == Form::split;
  record.runtime_activity = combination.runtime_activity == RuntimeActivity::on;
  if (signature.result)
    record.result_activity = name_of(combination.result);
  for (const Activity activity : combination.arguments)
    record.activities.emplace_back(name_of(activity));
}

reports::Record report_record(const Signature &signature, const Record &source) {
  reports::Record record;
  record.function = signature.function;
  for (const Parameter &parameter : signature.parameters)
    record.parameters.push_back(parameter.title());
  describe_combination(record, signature, source.combination);
  record.seed = source.seed;
  record.sample = source.sample;
  record.outcome = report_outcome(source.verdict);
  record.verdict = name_of(source.verdict);
  record.check = source.check;
  record.detail = source.detail;
  record.oracle = source.oracle;
  record.backend = source.backend;
  record.second_oracle = source.second_oracle;
  record.oracle_reasons = source.oracle_reasons;
  record.passed_checks = source.passed;
  for (const Comparison &row : source.worst)
    record.worst.push_back(element_of(row));
  record.compared = source.compared;
  record.heap = heap_cost(source.heap);
  record.heap_of_function = heap_cost(source.heap_of_function);
  if (source.lost) {
    record.lost_digits = in_words(*source.lost);
    record.digits_lost = source.lost->digits;
  }
  if (source.times)
    record.times = {reports::timing_of(source.times->function), reports::timing_of(source.times->derivative)};
  if (source.steps)
    record.steps = step_study(*source.steps);
  for (const Witness &witness : source.witnesses)
    record.witnesses.push_back({witness.name, witness.value, witness.error, witness.taylor_slope});
  record.odd_one = source.odd_one;
  if (const auto &first = source.first_wrong)
    record.first_wrong = {first->what,     first->place,     first->derivative,
                          first->expected, first->execution, first->executions};
  record.hints = source.hints;
  record.rule = source.rule;
  record.notes = source.notes;
  record.not_seen = source.not_seen;
  for (const Neighbour &neighbour : source.neighbours)
    record.neighbours.push_back(describe(signature, neighbour.combination) + ": " +
                                std::string(name_of(neighbour.verdict)));
  for (std::size_t index = 0; index < source.inputs.size(); ++index)
    record.inputs.push_back({signature.parameters[index].name, source.inputs[index]});
  record.replay = source.replay;
  if (record.outcome != reports::Outcome::passed)
    record.message = failure_message(signature, source);
  return record;
}

} // namespace assay::testutils
