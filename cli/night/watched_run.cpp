#include "cli/night/watched_run.hpp"

#include "cli/external_process.hpp"
#include "cli/sanitizer_findings.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Prefixes of the names of derivatives.
constexpr std::array<std::string_view, 4> derivative_prefixes{"diffe", "fwddiffe", "augmented", "splitdiffe"};

Words gdb_words(const std::string &program, const std::string &line) {
  Words words{"gdb", "-q", "-ex", "set breakpoint pending on"};
  for (const std::string_view prefix : derivative_prefixes)
    words.insert(words.end(), {"-ex", fmt::format("rbreak ^{}[.]", prefix)});
  if (!line.empty())
    words.insert(words.end(), {"-ex", "break " + line});
  words.insert(words.end(), {"-ex", "run", program});
  return words;
}

Words lldb_words(const std::string &name, const std::string &program, const std::string &line) {
  Words words{name};
  for (const std::string_view prefix : derivative_prefixes)
    words.insert(words.end(), {"-o", fmt::format("breakpoint set --func-regex '^{}[.]'", prefix)});
  if (const std::size_t colon = line.rfind(':'); colon != std::string::npos)
    words.insert(words.end(), {"-o", fmt::format("breakpoint set --file '{}' --line {}", line.substr(0, colon),
                                                 line.substr(colon + 1))});
  words.insert(words.end(), {"-o", "run", program});
  return words;
}

/// With our terminal, where Ctrl-C is for the program alone. False where it cannot be started.
bool run_on_terminal(const Words &words) {
  constexpr int not_started = 127;
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char *> pointers;
    for (const std::string &word : words)
      pointers.push_back(const_cast<char *>(word.c_str()));
    pointers.push_back(nullptr);
    ::execvp(pointers.front(), pointers.data());
    ::_exit(not_started);
  }
  auto *const before = std::signal(SIGINT, SIG_IGN);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, before);
  return child > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == not_started);
}

/// A leak counts as well; after a finding the program goes on, and says how many there are.
Words sanitized_run(const EmittedProgram &program, const std::string &executable) {
  constexpr unsigned mebibyte_bits = 20;
  std::string address = "ASAN_OPTIONS=halt_on_error=0:detect_leaks=1:detect_stack_use_after_return=1:"
                        "allocator_may_return_null=1:color=never";
  if (const std::uint64_t memory = program.settings.limits.memory; memory != 0)
    address += fmt::format(":hard_rss_limit_mb={}", std::max<std::uint64_t>(memory >> mebibyte_bits, 1));
  Words words{"env", address, "UBSAN_OPTIONS=halt_on_error=0:color=never"};
  const fs::path symbolizer = fs::path(ASSAY_CLANG).parent_path() / "llvm-symbolizer";
  if (std::error_code ignored; fs::exists(symbolizer, ignored)) // Otherwise the one in PATH.
    words.push_back("ASAN_SYMBOLIZER_PATH=" + symbolizer.string());
  words.push_back(executable);
  return words;
}

std::string text_of(const SanitizerFinding &finding) {
  const std::string place = finding.place.empty() ? "at an unknown place" : finding.place;
  return fmt::format("  {}: {}{}", place, finding.what, finding.function.empty() ? "" : ", in " + finding.function);
}

std::string how_it_ended(const ProgramEnd &end, std::chrono::seconds limit) {
  switch (end.kind) {
  case ProgramEnd::Kind::out_of_time:
    return fmt::format("; the program did not end within {} s of processor time", limit.count());
  case ProgramEnd::Kind::killed:
    return fmt::format("; the program was ended by signal {}", end.code);
  case ProgramEnd::Kind::exited:
    break;
  }
  return {};
}

} // namespace

void debug_program(const EmittedProgram &program) {
  fs::path executable = program.path;
  executable.replace_extension("debugged");
  ProgramBuild(program.settings, program.file, program.path, Instrumentation::debugger).write_executable(executable);
  if (run_on_terminal(gdb_words(executable.string(), program.line)))
    return;
  for (const char *name : {"lldb-22", "lldb"})
    if (run_on_terminal(lldb_words(name, executable.string(), program.line)))
      return;
  throw jit::BadRequest("--debug: neither gdb nor lldb is in PATH; install one of these packages");
}

std::size_t run_with_sanitizers(Console &console, const EmittedProgram &program) {
  constexpr std::chrono::seconds limit(120);
  fs::path executable = program.path;
  executable.replace_extension("sanitized");
  ProgramBuild(program.settings, program.file, program.path, Instrumentation::sanitizers).write_executable(executable);
  const ProgramEnd end = run_external(sanitized_run(program, executable.string()), limit);
  const std::vector<SanitizerFinding> findings = sanitizer_findings(end.output);
  if (!findings.empty())
    console.line(without_shadow_map(end.output));
  console.line(fmt::format("sanitizers: {}: {} finding{}{}", program.combination, findings.size(),
                           findings.size() == 1 ? "" : "s", how_it_ended(end, limit)));
  for (const SanitizerFinding &finding : findings)
    console.line(text_of(finding));
  return findings.size() + (end.kind == ProgramEnd::Kind::exited ? 0 : 1);
}

} // namespace assay::cli
