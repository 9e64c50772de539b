#include "cli/reproducer.hpp"

#include "cli/compile_flags.hpp"
#include "cli/installation.hpp"
#include "cli/program_build.hpp"
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

/// What is linked as machine code; the file has all other code in it.
std::vector<fs::path> machine_code_of(std::vector<fs::path> with) {
  std::erase_if(with, [](const fs::path &file) { return jit::language_of(file) != jit::Language::other; });
  return with;
}

/// The inputs are in the specs.
CheckRequest at_the_inputs(CheckRequest request, const fs::path &file, const reports::Record &record) {
  request.file = file;
  request.name = request.function.linkage_name;
  request.settings.samples = 1;
  request.settings.sources.with = machine_code_of(std::move(request.settings.sources.with));
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

bool has_halves(const CheckRequest &request) {
  const auto is_half = [](const jit::ArgumentSpec &spec) { return jit::is_of_16_bits(spec.type); };
  return std::ranges::any_of(request.arguments, is_half) ||
         (request.function.result &&
          jit::is_of_16_bits(jit::real_of(*request.function.result).value_or(jit::Scalar::real64)));
}

/// What the compiler is given: the program with its flags, or, where these are those of a build or other files belong
/// to it, the program as bitcode that is linked with them already.
std::vector<std::string> inputs_of_compiler(const CheckRequest &request, const fs::path &program) {
  const SourceOptions &sources = request.settings.sources;
  const auto is_standard = [](const std::string &flag) { return flag.starts_with("-std="); };
  const bool is_old = !request.adapter.empty() && std::ranges::any_of(sources.flags, is_standard); // It is C++20.
  std::vector<std::string> words;
  if (!sources.build && sources.with.empty() && !is_old) {
    words = flags_of_user(sources.flags).flags;
    if (has_halves(request))
      words.emplace_back("-rtlib=compiler-rt"); // Other libraries of compilers may not have the conversions.
    words.push_back("-I" + fs::absolute(request.file).parent_path().string());
    words.push_back("-I" + include_directory().string());
    words.push_back(program.string());
    return words;
  }
  fs::path bitcode = program;
  bitcode.replace_extension("bc");
  const ProgramBuild build(request.settings, request.file, program, Instrumentation::none);
  build.write_bitcode(bitcode);
  words.push_back(bitcode.string());
  for (const fs::path &file : build.machine_code())
    words.push_back(file.string());
  return words;
}

/// The first two lines.
std::string head_of(const CheckRequest &request, const reports::Record &record, const fs::path &program) {
  const bool is_c = jit::language_of(program) == jit::Language::c;
  std::string line = fmt::format("{} -O{} -fpass-plugin={}", is_c ? "clang-22" : "clang++-22 -std=c++20",
                                 record.optimization_level, plugin_file().string());
  for (const std::string &word : inputs_of_compiler(request, program))
    line += " " + shell_word(word);
  return fmt::format("// {} in {}, seed {}, sample {}\n// {} -lm && ./a.out\n", record.verdict,
                     reports::combination_text(record), record.seed, record.sample, line);
}

/// The file beside the program, and around it the adapter if there is one. The result is what the program includes.
std::string write_sources(const fs::path &folder, const std::string &stem, const CheckRequest &request) {
  const std::string copy = "of_" + request.file.filename().string(); // Not a name that a program includes by chance.
  std::error_code error;
  fs::copy_file(request.file, folder / copy, fs::copy_options::overwrite_existing, error);
  if (error)
    throw jit::BadRequest(fmt::format("--reproducer: cannot write {}", (folder / copy).string()));
  if (request.adapter.empty())
    return copy;
  std::string adapter = request.adapter;
  const std::string original = fs::absolute(request.file).lexically_normal().string();
  adapter.replace(adapter.find(original), original.size(), copy);
  const std::string name = "adapter_of_" + stem + request.file.extension().string();
  write_file(folder / name, adapter);
  return name;
}

std::string text_of(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Of a copy in another folder.
void add_quoted_includes(std::vector<std::string> &flags, const fs::path &file) {
  flags.insert(flags.end(), {"-iquote", fs::absolute(file).parent_path().string()});
}

void add_line(reports::Record &record, const std::string &label, const std::string &text) {
  record.message += fmt::format("  {:<12}{}\n", label, text);
}

} // namespace

CheckRequest at_the_shape(CheckRequest request, const reports::Record &record) {
  std::size_t text = 0; // Some parameters have none.
  for (jit::ArgumentSpec &spec : request.arguments) {
    if (spec.object == result_object)
      continue;
    if (spec.file.empty() && spec.object.empty())
      spec = jit::parse_argument_spec(record.argument_specs[text]);
    ++text;
  }
  return request;
}

bool can_be_reproduced(const reports::Record &record) {
  return record.outcome == reports::Outcome::failed && record.inputs.size() == record.parameters.size() &&
         record.activities.size() == record.parameters.size();
}

void write_reproducer(const fs::path &folder, const CheckRequest &request, const jit::ModuleFile &file,
                      reports::Record &record) {
  const std::string stem = stem_of(request, record);
  if (reproducer_program(request, record, "")) {
    const std::string program = *reproducer_program(request, record, write_sources(folder, stem, request));
    const fs::path path = folder / (stem + request.file.extension().string());
    write_file(path, program); // The head may have to compile it.
    write_file(path, head_of(request, record, path) + program);
    add_line(record, "program", path.string());
  }
  const bool has_kernels = file.kernels(); // which code of the host alone lacks
  const fs::path path = folder / (stem + (has_kernels ? request.file.extension().string() : ".ll"));
  CheckRequest alone = at_the_inputs(request, path, record);
  if (has_kernels) {
    alone.settings.sources.with = request.settings.sources.with;
    add_quoted_includes(alone.settings.sources.flags, request.file);
  }
  const std::string replay = replay_command(alone, record.seed);
  write_file(path, has_kernels ? "// " + replay + "\n" + text_of(request.file)
                               : "; " + replay + "\n" + jit::extract_function(file, request.function));
  add_line(record, "alone", replay);
}

} // namespace assay::cli
