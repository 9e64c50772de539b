#include "cli/convert_record.hpp"

#include "cli/recorded_options.hpp"
#include "reports/grouping.hpp"
#include "testutils/report_record.hpp"

namespace assay::cli {

namespace {

reports::Record described(const CheckRequest &request, const testutils::Signature &signature) {
  reports::Record record;
  record.file = request.file.string();
  const SourceOptions &sources = request.settings.sources;
  record.flags = sources.flags;
  record.build = sources.build ? sources.build->string() : std::string();
  for (const std::filesystem::path &file : sources.with)
    record.with.push_back(file.string());
  record.function = request.function.name;
  record.argument_specs = spec_texts(request);
  for (const testutils::Parameter &parameter : signature.parameters)
    record.parameters.push_back(parameter.title());
  record.optimization_level = static_cast<unsigned>(request.settings.level);
  record.rtol = request.settings.rtol;
  record.atol = request.settings.atol;
  record.options = recorded_options(request);
  record.seed = request.settings.seed;
  record.replay = replay_command(request, request.settings.seed);
  return record;
}

} // namespace

reports::Record convert_record(const CheckRequest &request, const testutils::Signature &signature,
                               const testutils::Record &source) {
  reports::Record record = testutils::report_record(signature, source);
  const reports::Record origin = described(request, signature);
  record.file = origin.file;
  record.flags = origin.flags;
  record.build = origin.build;
  record.with = origin.with;
  record.argument_specs = origin.argument_specs;
  record.optimization_level = origin.optimization_level;
  record.rtol = origin.rtol;
  record.atol = origin.atol;
  record.options = origin.options;
  record.seed = origin.seed;
  if (record.replay.empty())
    record.replay = origin.replay;
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
    testutils::describe_combination(record, signature, *combination);
  else
    record.mode = "the function itself";
  record.outcome = reports::Outcome::failed;
  record.verdict = testutils::name_of(testutils::Verdict::crash);
  return record;
}

} // namespace assay::cli
