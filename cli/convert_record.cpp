#include "cli/convert_record.hpp"

#include "reports/grouping.hpp"
#include <assay/testing/message.hpp>

namespace assay::cli {

namespace {

reports::Outcome report_outcome(testutils::Verdict verdict) {
  switch (testutils::outcome_of(verdict)) {
  case testutils::Outcome::passed:
    return reports::Outcome::passed;
  case testutils::Outcome::failed:
    return reports::Outcome::failed;
  case testutils::Outcome::undecided:
    return reports::Outcome::undecided;
  }
  return reports::Outcome::failed;
}

reports::Element element_of(const testutils::Comparison &row) {
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
  return element;
}

std::vector<reports::Input> inputs_of(const testutils::Signature &signature, const testutils::Arguments &inputs) {
  std::vector<reports::Input> result;
  for (std::size_t index = 0; index < inputs.size(); ++index)
    result.push_back({signature.parameters[index].name, inputs[index]});
  return result;
}

void describe_combination(reports::Record &record, const testutils::Signature &signature,
                          const testutils::Combination &combination) {
  record.mode = testutils::name_of(combination.mode);
  record.width = combination.width;
  record.split = combination.form == testutils::Form::split;
  record.runtime_activity = combination.runtime_activity == testutils::RuntimeActivity::on;
  if (signature.result)
    record.result_activity = testutils::name_of(combination.result);
  for (const testutils::Activity activity : combination.arguments)
    record.activities.emplace_back(testutils::name_of(activity));
}

reports::Record described(const CheckRequest &request, const testutils::Signature &signature) {
  reports::Record record;
  record.file = request.file.string();
  record.function = request.function.name;
  for (const jit::ArgumentSpec &spec : request.arguments)
    record.argument_specs.push_back(to_string(spec));
  for (const testutils::Parameter &parameter : signature.parameters)
    record.parameters.push_back(parameter.name);
  record.optimization_level = static_cast<unsigned>(request.settings.level);
  record.seed = request.settings.seed;
  record.replay = replay_command(request, request.settings.seed);
  return record;
}

} // namespace

reports::Record convert_record(const CheckRequest &request, const testutils::Signature &signature,
                               const testutils::Record &source) {
  reports::Record record = described(request, signature);
  describe_combination(record, signature, source.combination);
  record.sample = source.sample;
  record.outcome = report_outcome(source.verdict);
  record.verdict = testutils::name_of(source.verdict);
  record.check = source.check;
  record.detail = source.detail;
  record.oracle = source.oracle;
  record.oracle_reasons = source.oracle_reasons;
  record.passed_checks = source.passed;
  for (const testutils::Comparison &row : source.worst)
    record.worst.push_back(element_of(row));
  record.compared = source.compared;
  for (const testutils::Witness &witness : source.witnesses)
    record.witnesses.push_back({witness.name, witness.value, witness.error, witness.taylor_slope});
  record.odd_one = source.odd_one;
  if (const auto &first = source.first_wrong)
    record.first_wrong = {first->what,     first->place,     first->derivative,
                          first->expected, first->execution, first->executions};
  record.hints = source.hints;
  for (const testutils::Neighbour &neighbour : source.neighbours)
    record.neighbours.push_back(testutils::describe(signature, neighbour.combination) + ": " +
                                std::string(testutils::name_of(neighbour.verdict)));
  record.inputs = inputs_of(signature, source.inputs);
  if (!source.replay.empty())
    record.replay = source.replay;
  if (record.outcome != reports::Outcome::passed)
    record.message = testutils::failure_message(signature, source);
  return record;
}

void mark_refused(reports::Record &record, const std::string &reason) {
  record.verdict = no_derivative;
  record.check.clear();
  record.detail = reason;
  record.message = "no derivative for " + reports::combination_text(record) + "\n  " + reason;
  record.hints.clear();
}

reports::Record unfinished_record(const CheckRequest &request, const testutils::Signature &signature,
                                  const testutils::Combination *combination) {
  reports::Record record = described(request, signature);
  if (combination)
    describe_combination(record, signature, *combination);
  else
    record.mode = "the function itself";
  record.outcome = reports::Outcome::failed;
  record.verdict = testutils::name_of(testutils::Verdict::crash);
  return record;
}

} // namespace assay::cli
