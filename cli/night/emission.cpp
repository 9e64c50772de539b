#include "cli/night/emission.hpp"

#include "cli/check_function.hpp"
#include "cli/external_process.hpp"
#include "cli/installation.hpp"
#include "cli/jit_subject.hpp"
#include "cli/reproducer.hpp"
#include "cli/shapes.hpp"
#include "cli/sweep_trial.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/extract.hpp"
#include "generators/programs/draw.hpp"
#include "generators/programs/test_program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using jit::BadRequest;
using reports::Record;
using Paths = std::vector<fs::path>;

void write(const fs::path &file, const std::string &text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush())
    throw BadRequest(fmt::format("--emit: cannot write {}", file.string()));
}

/// The compiler and its flags for the program of a case.
std::vector<std::string> compiler_words(const fs::path &program, unsigned level) {
  return {ASSAY_CLANG + std::string(program.extension() == ".c" ? "" : "++"),
          fmt::format("-O{}", level),
          "-w",
          "-ffp-contract=off",
          "-fpass-plugin=" + plugin_file().string(),
          "-I" + include_directory().string(),
          program.string()};
}

void compile(std::vector<std::string> words, const std::vector<std::string> &more) {
  constexpr std::chrono::seconds limit(120);
  words.insert(words.end(), more.begin(), more.end());
  const ProgramEnd end = run_external(words, limit);
  if (end.kind != ProgramEnd::Kind::exited || end.code != 0)
    throw BadRequest(fmt::format("--emit: {} does not compile", words[words.size() - more.size() - 1]), end.output);
}

/// IR and assembly after differentiation, beside the program.
void add_compiled(Paths &files, const fs::path &program, unsigned level) {
  fs::path ir = program, assembly = program;
  ir.replace_extension("differentiated.ll");
  assembly.replace_extension("s");
  compile(compiler_words(program, level), {"-S", "-emit-llvm", "-o", ir.string()});
  compile(compiler_words(program, level), {"-S", "-o", assembly.string()});
  files.push_back(ir);
  files.push_back(assembly);
}

const Record *shown_record(const std::vector<Record> &records) {
  const auto has_activities = [](const Record &record) {
    return !record.parameters.empty() && record.activities.size() == record.parameters.size();
  };
  for (const reports::Outcome outcome :
       {reports::Outcome::failed, reports::Outcome::undecided, reports::Outcome::passed})
    for (const Record &record : records)
      if (record.outcome == outcome && has_activities(record))
        return &record;
  return nullptr;
}

/// What passed has no inputs in its record: it is shown at its first random point.
Record with_inputs(const Record &record, const CheckRequest &request) {
  Record shown = record;
  const testutils::Signature signature = signature_of(request);
  const testutils::Arguments inputs = testutils::random_inputs(signature, check_options(request), 0);
  for (std::size_t index = 0; shown.inputs.empty() && index < inputs.size(); ++index)
    shown.inputs.push_back({signature.parameters[index].name, inputs[index]});
  return shown;
}

Paths emit_function(const FunctionToCheck &to_check, const std::vector<Record> &records, const fs::path &folder) {
  const fs::path ir = folder / "function.ll";
  write(ir, jit::extract_function(*to_check.file, to_check.request.function));
  Paths files;
  const Record *record = shown_record(records);
  const std::string copy = "of_" + to_check.request.file.filename().string();
  const CheckRequest request = largest_shape(to_check.request);
  const auto program = record ? reproducer_program(request, with_inputs(*record, request), copy) : std::nullopt;
  if (program) {
    std::error_code error;
    fs::copy_file(to_check.request.file, folder / copy, fs::copy_options::overwrite_existing, error);
    if (error)
      throw BadRequest(fmt::format("--emit: cannot write {}", (folder / copy).string()));
    const fs::path path = folder / ("program" + to_check.request.file.extension().string());
    write(path, *program);
    files.push_back(path);
    add_compiled(files, path, record->optimization_level);
  }
  files.push_back(ir);
  return files;
}

Paths emit(const NightTrial &trial, std::uint64_t, const ProjectCase &what, const std::vector<Record> &records,
           const fs::path &folder) {
  const auto found = trial.project.functions().find(what.function);
  if (found == trial.project.functions().end() || !found->second.to_check)
    throw BadRequest(fmt::format("--emit: {} cannot be compiled", what.function));
  return emit_function(*found->second.to_check, records, folder);
}

Paths emit(const NightTrial &trial, std::uint64_t, const gen::functions::FunctionName &what,
           const std::vector<Record> &records, const fs::path &folder) {
  const fs::path source = folder / "random.c";
  write(source, source_of_random_function(what));
  Console console;
  std::deque<jit::ModuleFile> files;
  std::deque<FunctionToCheck> functions;
  load_marked(source, trial.settings, console, files, functions);
  return emit_function(functions.front(), records, folder);
}

Paths emit(const NightTrial &, std::uint64_t seed, const ProgramCase &what, const std::vector<Record> &records,
           const fs::path &folder) {
  const fs::path path = folder / "program.c";
  write(path, gen::programs::whole_test_of(gen::programs::draw_program(seed, what.number)));
  const auto failed = std::ranges::find(records, reports::Outcome::failed, &Record::outcome);
  Paths files{path};
  add_compiled(files, path, failed == records.end() ? 0 : failed->optimization_level);
  return files;
}

} // namespace

Paths emit_case(const NightTrial &trial, const NightCase &night_case, const std::vector<Record> &records,
                const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw BadRequest(fmt::format("--emit: cannot make the folder {}: {}", folder.string(), error.message()));
  return std::visit([&](const auto &what) { return emit(trial, night_case.seed, what, records, folder); },
                    night_case.what);
}

void debug_program(const fs::path &program, unsigned level) {
  fs::path binary = program;
  binary.replace_extension("debugged");
  compile(compiler_words(program, level), {"-g", "-o", binary.string(), "-lm"});
  const std::string path = binary.string();
  ::execlp("gdb", "gdb", "-q", "-ex", "set breakpoint pending on", "-ex",
           "rbreak ^(diffe|fwddiffe|augmented|splitdiffe)[.]", "-ex", "run", path.c_str(),
           static_cast<char *>(nullptr));
  throw BadRequest(fmt::format("--debug: gdb cannot be started: {}; install gdb", std::strerror(errno)));
}

} // namespace assay::cli
