#include "cli/commands.hpp"

#include "cli/installation.hpp"
#include "cli/recorded_options.hpp"
#include "core/jit/bad_request.hpp"
#include <fmt/format.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::cli {

namespace {

/// Runs a program with this one's standard streams and returns its exit code.
int run_program(const std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execvp(pointers.front(), pointers.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// Absent where the function itself has come to no end.
std::optional<testutils::Mode> mode_of(const reports::Record &record) {
  for (const testutils::Mode mode : {testutils::Mode::forward, testutils::Mode::reverse})
    if (testutils::name_of(mode) == record.mode)
      return mode;
  return std::nullopt;
}

} // namespace

ExitCode run_tests(const std::vector<std::string> &arguments) {
  const auto build = build_directory();
  if (!build)
    throw jit::BadRequest(
        "this assay is installed or was built without the tests; `./assay test` in a clone builds and runs them");
  std::vector<std::string> words{"ctest",
                                 "--test-dir",
                                 build->string(),
                                 "--output-on-failure",
                                 "-j",
                                 std::to_string(std::max(1U, std::thread::hardware_concurrency()))};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int code = run_program(words);
  if (code == 127)
    throw jit::BadRequest("ctest was not found; install cmake");
  return code == 0 ? all_passed : something_failed;
}

CheckArguments arguments_of(const reports::Record &record, const std::string &program) {
  CheckArguments arguments;
  arguments.files = {record.file};
  arguments.functions = {{record.function, record.argument_specs}};
  arguments.settings.sources.flags = record.flags;
  if (!record.build.empty())
    arguments.settings.sources.build = record.build;
  arguments.settings.sources.with.assign(record.with.begin(), record.with.end());
  arguments.settings.seed = record.seed;
  arguments.settings.only_mode = mode_of(record);
  arguments.settings.level = static_cast<jit::OptimizationLevel>(record.optimization_level);
  arguments.settings.rtol = record.rtol;
  arguments.settings.atol = record.atol;
  arguments.settings.program = program;
  take_recorded_options(record.options, arguments);
  return arguments;
}

} // namespace assay::cli
