#include "cli/reproducer.hpp"

#include "cli/installation.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/extract.hpp"
#include "core/jit/shared_memory.hpp"
#include "reports/grouping.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

void write_file(const fs::path &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush())
    throw jit::BadRequest(fmt::format("--reproducer: cannot write {}", path.string()));
}

std::string stem_of(const CheckRequest &request, const reports::Record &record) {
  std::string stem = request.function.name + "-" + record.mode;
  if (record.split)
    stem += "-split";
  if (record.width != 1)
    stem += fmt::format("-{}", record.width);
  if (record.runtime_activity)
    stem += "-runtime-activity";
  if (const std::string aliases = jit::describe_aliases(request.function, request.arguments); !aliases.empty())
    stem += "-" + aliases;
  std::ranges::replace_if(stem, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '-'; }, '_');
  return stem;
}

/// The inputs are in the specs.
CheckRequest at_the_inputs(CheckRequest request, const fs::path &file, const reports::Record &record) {
  request.file = file;
  request.name = request.function.linkage_name;
  request.settings.samples = 1;
  request.settings.modes = {record.mode == "forward" ? testutils::Mode::forward : testutils::Mode::reverse};
  std::size_t input = 0; // A parameter that shares memory has no numbers of its own.
  for (jit::ArgumentSpec &spec : request.arguments)
    if (spec.object.clear(); !spec.alias) { // The adapter itself takes numbers.
      if (jit::is_real(spec.type))
        spec.reals = record.inputs[input].values;
      ++input;
    }
  return request;
}

std::string head_of(const CheckRequest &request, const reports::Record &record, const fs::path &program) {
  const char *compiler = jit::language_of(program) == jit::Language::c ? "clang-22" : "clang++-22";
  const fs::path folder = fs::absolute(request.file).parent_path();
  return fmt::format("// {} in {}, seed {}, sample {}\n// {} -O{} -fpass-plugin={} -I{} -I{} {} -lm && ./a.out\n",
                     record.verdict, reports::combination_text(record), record.seed, record.sample, compiler,
                     record.optimization_level, plugin_file().string(), folder.string(), include_directory().string(),
                     program.string());
}

void add_line(reports::Record &record, const std::string &label, const std::string &text) {
  record.message += fmt::format("  {:<12}{}\n", label, text);
}

} // namespace

bool can_be_reproduced(const reports::Record &record) {
  return record.outcome == reports::Outcome::failed && record.inputs.size() == record.parameters.size() &&
         record.activities.size() == record.parameters.size();
}

void write_reproducer(const fs::path &folder, const CheckRequest &request, const jit::ModuleFile &file,
                      reports::Record &record) {
  const std::string stem = stem_of(request, record);
  const std::string copy = "of_" + request.file.filename().string(); // Not a name that a program includes by chance.
  if (const auto program = reproducer_program(request, record, copy)) {
    std::error_code error;
    fs::copy_file(request.file, folder / copy, fs::copy_options::overwrite_existing, error);
    if (error)
      throw jit::BadRequest(fmt::format("--reproducer: cannot write {}", (folder / copy).string()));
    const fs::path path = folder / (stem + request.file.extension().string());
    write_file(path, head_of(request, record, path) + *program);
    add_line(record, "program", path.string());
  }
  const fs::path path = folder / (stem + ".ll");
  const std::string replay = replay_command(at_the_inputs(request, path, record), record.seed);
  write_file(path, "; " + replay + "\n" + jit::extract_function(file, request.function));
  add_line(record, "alone", replay);
}

} // namespace assay::cli
