#include "cli/fuzz_trial.hpp"

#include "cli/external_process.hpp"
#include "generators/programs/test_program.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace assay::cli {

namespace {

namespace programs = gen::programs;
using Seconds = std::chrono::seconds;

constexpr Seconds time_of_compiler{60};
constexpr Seconds time_of_compiler_for_each{5};
constexpr Seconds time_of_program_for_each{11}; ///< The test program itself allows each 10.

constexpr std::array<std::pair<FuzzVerdict, std::string_view>, 11> names{{
    {FuzzVerdict::passed, "ok"},
    {FuzzVerdict::oracle_unreliable, "oracle unreliable"},
    {FuzzVerdict::diagnostic, "diagnostic"},
    {FuzzVerdict::compiler_crash, "compiler crash"},
    {FuzzVerdict::compiler_timeout, "compiler timeout"},
    {FuzzVerdict::wrong_primal, "wrong primal"},
    {FuzzVerdict::wrong_gradient, "wrong gradient"},
    {FuzzVerdict::wrong_tangent, "wrong tangent"},
    {FuzzVerdict::nondeterministic, "nondeterministic"},
    {FuzzVerdict::crash, "crash"},
    {FuzzVerdict::timeout, "timeout"},
}};

std::optional<FuzzVerdict> verdict_named(std::string_view name) {
  for (const auto &[verdict, text] : names)
    if (text == name)
      return verdict;
  return std::nullopt; // A line of something else, such as the C library's last words.
}

/// The first lines that say `error:`, or the last lines.
std::string gist_of(const std::string &output) {
  std::istringstream lines(output);
  std::string line, last;
  while (std::getline(lines, line)) {
    if (line.find("error:") != std::string::npos || line.find("Assertion") != std::string::npos)
      return line;
    if (!line.empty())
      last = line;
  }
  return last;
}

FuzzOutcome failure_to_compile(const ProgramEnd &end) {
  if (end.kind == ProgramEnd::Kind::out_of_time)
    return {FuzzVerdict::compiler_timeout, "the compiler did not end in time"};
  const bool crashed = end.kind == ProgramEnd::Kind::killed || end.code > 1 ||
                       end.output.find("PLEASE submit a bug report") != std::string::npos ||
                       end.output.find("LLVM ERROR") != std::string::npos ||
                       end.output.find("error:") == std::string::npos;
  return {crashed ? FuzzVerdict::compiler_crash : FuzzVerdict::diagnostic, gist_of(end.output)};
}

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "assay-fuzz-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw std::runtime_error("cannot make a temporary folder");
  return name;
}

} // namespace

std::string_view name_of(FuzzVerdict verdict) {
  for (const auto &[candidate, text] : names)
    if (candidate == verdict)
      return text;
  return "";
}

bool is_failure(FuzzVerdict verdict) {
  return verdict != FuzzVerdict::passed && verdict != FuzzVerdict::oracle_unreliable;
}

std::string FuzzOutcome::kind() const {
  std::string text;
  bool in_name = false;
  for (const char c : detail.substr(detail.find("error:") == std::string::npos ? 0 : detail.find("error:"))) {
    in_name ^= c == '\'';
    if (!in_name && (c < '0' || c > '9'))
      text += c;
  }
  const bool by_compiler = verdict == FuzzVerdict::diagnostic || verdict == FuzzVerdict::compiler_crash;
  return by_compiler ? text : detail.substr(0, detail.find(':'));
}

FuzzBench::FuzzBench(Tools tools) : tools_(std::move(tools)), folder_(new_folder()) {
  write("checks.c", programs::declarations() + programs::checks());
  const ProgramEnd end =
      run_external({tools_.clang, "-O1", "-w", "-c", path("checks.c"), "-o", path("checks.o")}, time_of_compiler);
  if (end.code != 0)
    throw std::runtime_error(fmt::format("{} does not compile: {}", tools_.clang, gist_of(end.output)));
}

FuzzBench::~FuzzBench() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void FuzzBench::write(const char *name, const std::string &text) const {
  std::ofstream(path(name)) << text;
}

void FuzzBench::prepare(Programs programs) {
  programs_.assign(programs.begin(), programs.end());
  write("oracle.c", programs::declarations() + programs::oracle_of(programs));
  const ProgramEnd end = run_external({tools_.clang, "-O1", "-w", "-Werror=implicit-function-declaration",
                                       "-ffp-contract=off", "-c", path("oracle.c"), "-o", path("oracle.o")},
                                      time_of_compiler);
  if (end.kind != ProgramEnd::Kind::exited || end.code != 0)
    throw std::logic_error(fmt::format("a program is not valid C: {}", gist_of(end.output)));
}

std::vector<FuzzOutcome> FuzzBench::test(unsigned level) {
  return test(programs_, 0, level);
}

std::vector<FuzzOutcome> FuzzBench::test(Programs programs, std::size_t first, unsigned level) {
  write("program.c", programs::declarations() + programs::derivatives_of(programs, first));
  const auto limit = time_of_compiler + time_of_compiler_for_each * static_cast<int>(programs.size());
  std::vector<std::string> words{tools_.clang, fmt::format("-O{}", level), "-w", "-ffp-contract=off",
                                 "-fpass-plugin=" + tools_.plugin.string()};
  words.insert(words.end(), tools_.flags.begin(), tools_.flags.end());
  for (const char *file : {"program.c", "oracle.o", "checks.o"})
    words.push_back(path(file));
  words.insert(words.end(), {"-o", path("program"), "-lm"});
  const ProgramEnd end = run_external(words, limit);
  if (end.kind == ProgramEnd::Kind::exited && end.code == 0)
    return run(programs.size());
  if (programs.size() == 1)
    return {failure_to_compile(end)};
  // One of them does not compile: the halves tell which.
  const std::size_t half = programs.size() / 2;
  std::vector<FuzzOutcome> outcomes = test(programs.first(half), first, level);
  std::vector<FuzzOutcome> others = test(programs.subspan(half), first + half, level);
  std::move(others.begin(), others.end(), std::back_inserter(outcomes));
  return outcomes;
}

std::vector<FuzzOutcome> FuzzBench::run(std::size_t count) const {
  const ProgramEnd end = run_external({path("program")}, time_of_program_for_each * static_cast<int>(count + 1));
  std::vector<FuzzOutcome> outcomes(count, {FuzzVerdict::crash, "the test program ended early"});
  std::istringstream lines(end.output);
  std::string line;
  while (std::getline(lines, line)) {
    std::size_t number = 0;
    const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    const std::size_t colon = line.find(": ");
    if (error != std::errc() || number >= count || colon == std::string::npos)
      continue;
    if (colon <= static_cast<std::size_t>(after - line.data()))
      continue;
    const auto begin = static_cast<std::size_t>(after - line.data()) + 1;
    if (const auto verdict = verdict_named(std::string_view(line).substr(begin, colon - begin)))
      outcomes[number] = {*verdict, line.substr(colon + 2)};
  }
  return outcomes;
}

} // namespace assay::cli
