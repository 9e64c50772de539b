#include "cli/night/trial.hpp"

#include "cli/check_function.hpp"
#include "cli/fuzz_trial.hpp"
#include "cli/installation.hpp"
#include "cli/planted_failure.hpp"
#include "cli/provenance.hpp"
#include "cli/sweep_trial.hpp"
#include "core/jit/bad_request.hpp"
#include "generators/programs/draw.hpp"
#include "generators/programs/test_program.hpp"

#include <fmt/format.h>

namespace assay::cli {

namespace {

namespace programs = gen::programs;
using reports::Record;

constexpr std::array levels_of_programs{0U, 2U};

std::vector<Record> run(const NightTrial &trial, std::uint64_t seed, const ProjectCase &what) {
  const auto found = trial.project.functions().find(what.function);
  if (found == trial.project.functions().end())
    throw jit::BadRequest(fmt::format("{} is not among the project's functions any more", what.function));
  if (!found->second.to_check)
    throw jit::BadRequest(found->second.refusal);
  const FunctionToCheck &to_check = *found->second.to_check;
  CheckRequest request = to_check.request;
  request.settings.seed = seed;
  std::vector<Record> records = check_function(request, *to_check.file, {});
  if (request.expectation == jit::CheckMark::Expectation::fails)
    judge_planted_failure(records);
  judge_known_failures(records, trial.project.known_failures(), today());
  return records;
}

std::vector<Record> run(const NightTrial &trial, std::uint64_t seed, const gen::functions::FunctionName &what) {
  SweepSettings settings;
  settings.seed = seed;
  settings.oracle = testutils::OracleChoice::automatic;
  settings.level = trial.settings.level;
  settings.program = trial.settings.program;
  return check_random_function(what, settings);
}

reports::Outcome outcome_of(const FuzzOutcome &outcome) {
  if (is_failure(outcome.verdict))
    return reports::Outcome::failed;
  return outcome.verdict == FuzzVerdict::oracle_unreliable ? reports::Outcome::undecided : reports::Outcome::passed;
}

/// Inputs and function are both in the program's text.
Record record_of(const FuzzOutcome &outcome, const std::string &text, unsigned level) {
  Record record;
  record.mode = fmt::format("-O{}", level);
  record.optimization_level = level;
  record.outcome = outcome_of(outcome);
  record.verdict = name_of(outcome.verdict);
  record.detail = outcome.detail;
  record.provenance = provenance_here(static_cast<jit::OptimizationLevel>(level));
  record.provenance.inputs = record.provenance.ir = digest_of(text);
  record.provenance.gradients = Digest().add(record.verdict).add(record.detail).text();
  return record;
}

std::vector<Record> run(const NightTrial &trial, std::uint64_t seed, const ProgramCase &what) {
  const programs::Program program = programs::draw_program(seed, what.number);
  const std::string text = programs::whole_test_of(program);
  FuzzBench bench({ASSAY_CLANG, plugin_file(), {}});
  bench.prepare(std::span(&program, 1));
  std::vector<Record> records;
  for (const unsigned level : levels_of_programs) {
    Record record = record_of(bench.test(level).front(), text, level);
    record.function = fmt::format("program {}", what.number);
    record.seed = seed;
    record.replay =
        fmt::format("{} fuzz --seed {} --only {} --levels {}", trial.settings.program, seed, what.number, level);
    record.message = fmt::format("{} in program {} at -O{}: {}\n  replay  {}\n", record.verdict, what.number, level,
                                 record.detail, record.replay);
    records.push_back(std::move(record));
  }
  return records;
}

} // namespace

std::vector<Record> run_case(const NightTrial &trial, const NightCase &night_case) {
  std::vector<Record> records =
      std::visit([&](const auto &what) { return run(trial, night_case.seed, what); }, night_case.what);
  for (Record &record : records)
    record.case_id = id_of(night_case);
  return records;
}

Record record_without_answer(const std::string &verdict, const std::string &detail) {
  Record record;
  record.mode = "the case";
  record.outcome = reports::Outcome::failed;
  record.verdict = verdict;
  record.detail = detail;
  record.message = fmt::format("{}: {}\n", verdict, detail);
  return record;
}

} // namespace assay::cli
