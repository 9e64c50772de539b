#include "cli/night/emission.hpp"

#include "cli/check_function.hpp"
#include "cli/jit_subject.hpp"
#include "cli/reproducer.hpp"
#include "cli/shapes.hpp"
#include "cli/sweep_trial.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/extract.hpp"
#include "generators/programs/draw.hpp"
#include "generators/programs/test_program.hpp"
#include "reports/grouping.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using jit::BadRequest;
using reports::Record;

void make_folder(const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw BadRequest(fmt::format("--emit: cannot make the folder {}: {}", folder.string(), error.message()));
}

void write(const fs::path &file, const std::string &text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush())
    throw BadRequest(fmt::format("--emit: cannot write {}", file.string()));
}

/// IR and assembly after differentiation, beside the program.
void add_compiled(Emission &emission, const EmittedProgram &program) {
  fs::path ir = program.path, assembly = program.path;
  ir.replace_extension("differentiated.ll");
  assembly.replace_extension("s");
  const ProgramBuild build(program.settings, program.file, program.path, Instrumentation::none);
  build.write_ir(ir);
  build.write_assembly(assembly);
  emission.files.insert(emission.files.end(), {program.path, ir, assembly});
  emission.programs.push_back(program);
}

/// Failures first; of `mode`, if it is not empty.
const Record *shown_record(const std::vector<Record> &records, const std::string &mode) {
  const auto is_shown = [&](const Record &record) {
    return !record.parameters.empty() && record.activities.size() == record.parameters.size() &&
           (mode.empty() || record.mode == mode);
  };
  for (const reports::Outcome outcome :
       {reports::Outcome::failed, reports::Outcome::undecided, reports::Outcome::passed})
    for (const Record &record : records)
      if (record.outcome == outcome && is_shown(record))
        return &record;
  return nullptr;
}

/// A case that passed, crashed or gave no answer has no inputs in its record: it is shown at its first random point.
Record with_inputs(const Record &record, const CheckRequest &request) {
  Record shown = record;
  const testutils::Signature signature = signature_of(request);
  if (shown.inputs.size() == signature.parameters.size())
    return shown;
  shown.inputs.clear();
  const testutils::Arguments inputs = testutils::random_inputs(signature, check_options(request), 0);
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    shown.inputs.push_back({signature.parameters[index].name, inputs[index]});
  return shown;
}

/// A function that does not come to an end has a record without a derivative: the program asks for the gradient by all
/// numbers, and comes no further than the function does.
Record of_gradient(Record record, const CheckRequest &request) {
  record.mode = "reverse";
  record.width = 1;
  record.result_activity = request.function.result ? "Active" : "";
  record.parameters.clear();
  record.activities.clear();
  for (std::size_t index = 0; index < request.arguments.size(); ++index) {
    const jit::ArgumentSpec &spec = request.arguments[index];
    record.parameters.push_back(request.function.parameters[index].name);
    record.activities.emplace_back(spec.constant || !jit::is_real(spec.type) ? "Const"
                                   : spec.is_pointer()                       ? "Duplicated"
                                                                             : "Active");
  }
  return record;
}

/// `f.c:12`
std::string line_of_first_wrong(const Record &record) {
  return record.first_wrong ? record.first_wrong->place.substr(0, record.first_wrong->place.find(' ')) : std::string();
}

/// A program of the record, which includes the source where it lies.
void add_program(Emission &emission, const CheckRequest &asked, const Record &record, const std::string &stem,
                 const fs::path &folder) {
  const CheckRequest request = record.argument_specs.empty() ? largest_shape(asked) : at_the_shape(asked, record);
  fs::path source = fs::absolute(request.file).lexically_normal();
  const std::string extension = request.file.extension().string();
  const fs::path adapter = folder / ("adapter" + extension);
  if (!request.adapter.empty())
    source = adapter.filename();
  const auto text = reproducer_program(request, with_inputs(record, request), source.string());
  if (!text)
    return;
  if (!request.adapter.empty())
    write(adapter, request.adapter);
  const fs::path path = folder / (stem + extension);
  write(path, *text);
  add_compiled(emission,
               {path, request.file, reports::combination_text(record), line_of_first_wrong(record), request.settings});
}

} // namespace

Emission emit_function(const FunctionToCheck &to_check, const std::vector<Record> &records, const fs::path &folder) {
  make_folder(folder);
  const fs::path ir = folder / "function.ll";
  write(ir, jit::extract_function(*to_check.file, to_check.request.function));
  Emission emission;
  const Record *first = shown_record(records, {});
  if (first)
    add_program(emission, to_check.request, *first, "program", folder);
  else if (!records.empty())
    add_program(emission, to_check.request, of_gradient(records.front(), to_check.request), "program", folder);
  if (const Record *second = first ? shown_record(records, first->mode == "forward" ? "reverse" : "forward") : nullptr)
    add_program(emission, to_check.request, *second, "program-" + second->mode, folder);
  emission.files.push_back(ir);
  return emission;
}

namespace {

Emission emit(const NightTrial &trial, std::uint64_t seed, const ProjectCase &what, const std::vector<Record> &records,
              const fs::path &folder) {
  const auto found = trial.project.functions().find(what.function);
  if (found == trial.project.functions().end() || !found->second.to_check)
    throw BadRequest(fmt::format("--emit: {} cannot be compiled", what.function));
  FunctionToCheck to_check = *found->second.to_check;
  to_check.request.settings.seed = seed;
  return emit_function(to_check, records, folder);
}

Emission emit(const NightTrial &trial, std::uint64_t seed, const gen::functions::FunctionName &what,
              const std::vector<Record> &records, const fs::path &folder) {
  const fs::path source = folder / "random.c";
  write(source, source_of_random_function(what));
  Console console;
  std::deque<jit::ModuleFile> files;
  std::deque<FunctionToCheck> functions;
  load_marked(source, trial.settings, console, files, functions);
  functions.front().request.settings.seed = seed;
  return emit_function(functions.front(), records, folder);
}

Emission emit(const NightTrial &trial, std::uint64_t seed, const ProgramCase &what, const std::vector<Record> &records,
              const fs::path &folder) {
  const fs::path path = folder / "program.c";
  write(path, gen::programs::whole_test_of(gen::programs::draw_program(seed, what.number)));
  const auto failed = std::ranges::find(records, reports::Outcome::failed, &Record::outcome);
  CheckSettings settings = trial.settings;
  settings.sources = {};
  settings.sources.flags = {"-ffp-contract=off"};
  settings.level = static_cast<jit::OptimizationLevel>(failed == records.end() ? 0 : failed->optimization_level);
  Emission emission;
  add_compiled(emission, {path, path, fmt::format("-O{}", static_cast<unsigned>(settings.level)), {}, settings});
  return emission;
}

} // namespace

Emission emit_case(const NightTrial &trial, const NightCase &night_case, const std::vector<Record> &records,
                   const fs::path &folder) {
  make_folder(folder);
  return std::visit([&](const auto &what) { return emit(trial, night_case.seed, what, records, folder); },
                    night_case.what);
}

} // namespace assay::cli
