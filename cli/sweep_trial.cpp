#include "cli/sweep_trial.hpp"

#include "cli/check_function.hpp"
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

/// Shows the function itself, too: it is in no file.
std::string failure_text(const testutils::Report &report, const testutils::Record &record,
                         const RandomFunction &function, const FunctionName &name, const SweepSettings &settings) {
  testutils::Record shown = record;
  shown.replay = fmt::format("{} sweep --seed {} --only {} --oracle {} --budget {}", settings.program, settings.seed,
                             id_of(name), name_of(settings.oracle), settings.budget);
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

SweepOutcome check_one(const FunctionToCheck &to_check, const RandomFunction &function, const FunctionName &name,
                       const SweepSettings &settings) {
  const CheckRequest &request = to_check.request;
  jit::Program program(*to_check.file, request.function, repetition_of(request));
  JitSubject subject(request, program);
  const testutils::CheckOptions options = options_for(request, function, name.terrain);
  subject.prepare(testutils::combinations_of(subject, options.points.front(), options));
  return summary_of(testutils::check_gradients(subject, options), function, name, settings);
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
  const jit::ScratchFolder scratch;
  const std::filesystem::path path = scratch.file("functions.c");
  std::ofstream file(path);
  file << "#include <assay/check.h>\n#include <math.h>\n";
  for (const FunctionName &name : names) {
    drawn.push_back(functions::draw_function(name));
    file << source_of(drawn.back(), name.precision);
  }
  file.close();

  CheckSettings check;
  check.seed = settings.seed;
  check.samples = 1;
  check.budget = settings.budget;
  check.oracle = settings.oracle;
  check.level = settings.level;
  Console console;
  std::deque<jit::ModuleFile> files;
  std::deque<FunctionToCheck> to_check;
  load_marked(path, check, console, files, to_check);
  for (std::size_t index = 0; index < to_check.size(); ++index) {
    listener.started(index);
    listener.decided(index, check_one(to_check[index], drawn[index], names[index], settings));
  }
}

} // namespace assay::cli
