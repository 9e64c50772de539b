#include "cli/sweep_trial.hpp"

#include "cli/check_function.hpp"
#include "cli/convert_record.hpp"
#include "cli/jit_subject.hpp"
#include "cli/load_functions.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"
#include <algorithm>
#include <assay/testing/message.hpp>
#include <charconv>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace {

namespace functions = gen::functions;
using functions::FunctionName;
using functions::RandomFunction;
using testutils::Outcome;

std::string spec_of(const functions::Parameter &parameter, functions::Precision precision) {
  return parameter.elements == 0 ? std::string(name_of(precision))
                                 : fmt::format("{}[{}]", name_of(precision), parameter.elements);
}

/// With a mark behind each function.
std::string source_of(const RandomFunction &function, functions::Precision precision) {
  std::string text = function.source + fmt::format("ASSAY_CHECK({}", function.name);
  for (const functions::Parameter &parameter : function.parameters)
    text += fmt::format(", \"{}\"", spec_of(parameter, precision));
  return text + ");\n";
}

testutils::Arguments point_of(const RandomFunction &function) {
  testutils::Arguments point;
  for (const functions::Parameter &parameter : function.parameters)
    point.push_back(parameter.point);
  return point;
}

testutils::CheckOptions options_for(const CheckRequest &request, const RandomFunction &function,
                                    functions::Terrain terrain) {
  testutils::CheckOptions options = check_options(request);
  if (is_ill_conditioned(terrain)) // Differences of rounded numbers see next to nothing there.
    options.oracle = testutils::OracleChoice::automatic;
  options.points = {point_of(function)};
  options.brief_samples = 0;
  options.shrink_steps = 0;
  options.find_neighbours = false;
  return options;
}

std::string replay_of(const FunctionName &name, const SweepSettings &settings) {
  return fmt::format("{} sweep --seed {} --only {} --oracle {} --budget {}", settings.program, settings.seed,
                     id_of(name), name_of(settings.oracle), settings.budget);
}

/// Shows the function itself, too: it is in no file.
std::string failure_text(const testutils::Report &report, const testutils::Record &record,
                         const RandomFunction &function, const FunctionName &name, const SweepSettings &settings) {
  testutils::Record shown = record;
  shown.replay = replay_of(name, settings);
  return fmt::format("{}\n{}", testutils::failure_message(report.signature, shown), function.source);
}

SweepOutcome summary_of(const testutils::Report &report, const RandomFunction &function, const FunctionName &name,
                        const SweepSettings &settings) {
  SweepOutcome summary{Outcome::passed, report.checked, report.undecided, {}};
  for (const testutils::Record &record : report.records) {
    const Outcome outcome = outcome_of(record.verdict);
    if (outcome == Outcome::failed)
      return {Outcome::failed, report.checked, report.undecided,
              failure_text(report, record, function, name, settings)};
    if (outcome == Outcome::undecided && summary.outcome == Outcome::passed) {
      summary.outcome = Outcome::undecided;
      summary.detail = record.detail;
    }
  }
  return summary;
}

/// With the function compiled for it.
class FunctionCheck {
public:
  FunctionCheck(const FunctionToCheck &to_check, const RandomFunction &function, const FunctionName &name)
      : program_(*to_check.file, to_check.request.function, repetition_of(to_check.request)),
        subject_(to_check.request, program_), options_(options_for(to_check.request, function, name.terrain)) {
    subject_.prepare(testutils::combinations_of(subject_, options_.points.front(), options_));
  }
  testutils::Report run() { return testutils::check_gradients(subject_, options_); }
  const JitSubject &subject() const { return subject_; }
  const testutils::CheckOptions &options() const { return options_; }

private:
  jit::Program program_;
  JitSubject subject_;
  testutils::CheckOptions options_;
};

constexpr std::string_view head_of_file = "#include <assay/check.h>\n#include <math.h>\n";

/// As one C file with a mark for each.
void write_functions(const std::filesystem::path &path, std::span<const RandomFunction> functions,
                     std::span<const FunctionName> names) {
  std::ofstream file(path);
  file << head_of_file;
  for (std::size_t index = 0; index < functions.size(); ++index)
    file << source_of(functions[index], names[index].precision);
}

CheckSettings check_settings(const SweepSettings &settings) {
  CheckSettings check;
  check.seed = settings.seed;
  check.samples = 1;
  check.budget = settings.budget;
  check.oracle = settings.oracle;
  check.level = settings.level;
  return check;
}

std::uint32_t number_in(std::string_view text, const std::string &id) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw jit::BadRequest(fmt::format("--only: '{}' does not end with a number", id));
  return number;
}

} // namespace

std::string id_of(const FunctionName &name) {
  return fmt::format("{}/{}/{}", name_of(name.terrain), name_of(name.precision), name.number);
}

FunctionName function_from_id(const std::string &id, std::uint64_t seed) {
  const std::size_t first = id.find('/'), second = id.rfind('/');
  const auto terrain = functions::terrain_named(id.substr(0, first));
  const std::string precision =
      second > first && second != std::string::npos ? id.substr(first + 1, second - first - 1) : "";
  if (!terrain || (precision != "float" && precision != "double"))
    throw jit::BadRequest(fmt::format("--only: '{}' is not TERRAIN/PRECISION/NUMBER, as in near-kink/float/17", id));
  return {seed, *terrain, precision == "float" ? functions::Precision::real32 : functions::Precision::real64,
          number_in(std::string_view(id).substr(second + 1), id)};
}

void try_functions(std::span<const FunctionName> names, const SweepSettings &settings, const SweepListener &listener) {
  std::vector<RandomFunction> drawn;
  for (const FunctionName &name : names)
    drawn.push_back(functions::draw_function(name));
  const jit::ScratchFolder scratch;
  const std::filesystem::path path = scratch.file("functions.c");
  write_functions(path, drawn, names);
  Console console;
  std::deque<jit::ModuleFile> files;
  std::deque<FunctionToCheck> to_check;
  load_marked(path, check_settings(settings), console, files, to_check);
  for (std::size_t index = 0; index < to_check.size(); ++index) {
    listener.started(index);
    FunctionCheck check(to_check[index], drawn[index], names[index]);
    listener.decided(index, summary_of(check.run(), drawn[index], names[index], settings));
  }
}

std::string source_of_random_function(const FunctionName &name) {
  return std::string(head_of_file) + source_of(functions::draw_function(name), name.precision);
}

std::vector<reports::Record> check_random_function(const FunctionName &name, const SweepSettings &settings) {
  const std::vector<RandomFunction> drawn{functions::draw_function(name)};
  const jit::ScratchFolder scratch;
  const std::filesystem::path path = scratch.file("function.c");
  write_functions(path, drawn, std::span(&name, 1));
  Console console;
  std::deque<jit::ModuleFile> files;
  std::deque<FunctionToCheck> to_check;
  load_marked(path, check_settings(settings), console, files, to_check);
  const FunctionToCheck &loaded = to_check.front();
  FunctionCheck check(loaded, drawn.front(), name);
  const testutils::Report report = check.run();
  reports::Provenance provenance = provenance_here(settings.level);
  provenance.inputs = digest_of_inputs(report.signature, check.options());
  provenance.ir = digest_of_ir(*loaded.file, loaded.request.function);
  std::vector<reports::Record> records;
  for (const testutils::Record &found : report.records) {
    reports::Record record = convert_record(loaded.request, report.signature, found);
    record.file.clear(); // It is in no file that stays.
    record.replay = replay_of(name, settings);
    if (record.outcome != reports::Outcome::passed)
      record.message = failure_text(report, found, drawn.front(), name, settings);
    record.provenance = provenance;
    record.provenance.gradients = check.subject().digest_of_calls(found.combination);
    records.push_back(std::move(record));
  }
  return records;
}

} // namespace assay::cli
