#include "core/test/support/compile_and_run.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::test {
namespace {

namespace fs = std::filesystem;

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "assay-test-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("cannot make a temporary directory: " + std::string(std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  std::string file(const std::string &name) const { return (path_ / name).string(); }

private:
  fs::path path_;
};

void write_file(const std::string &path, const std::string &content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void redirect(int descriptor, const std::string &path) {
  const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(127);
  close(file);
}

int decoded(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int wait_for(pid_t child, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (true) {
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child)
      return decoded(status);
    if (done < 0 && errno != EINTR)
      return 127;
    if (std::chrono::steady_clock::now() > end)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(-child, SIGKILL); // the whole group: the compiler driver has children of its own
  waitpid(child, &status, 0);
  return 124;
}

std::string extension(Language language) {
  switch (language) {
  case Language::c:
    return ".c";
  case Language::cpp:
    return ".cpp";
  case Language::llvm_ir:
    return ".ll";
  }
  return {};
}

ProcessResult compile_to(const Program &program, const TemporaryDirectory &directory, const std::string &executable) {
  const std::string source = directory.file("program" + extension(program.language));
  write_file(source, program.source);
  std::vector<std::string> command = {program.language == Language::cpp ? ASSAY_CLANGXX : ASSAY_CLANG, program.level,
                                      source, "-o", executable};
  if (program.language == Language::cpp)
    command.insert(command.end(), {"-std=c++20", "-I" ASSAY_INCLUDE});
  if (program.plugin == Plugin::loaded)
    command.push_back("-fpass-plugin=" ASSAY_PLUGIN);
  command.insert(command.end(), program.flags.begin(), program.flags.end());
  command.push_back("-lm");
  return run_process(command, program.time_limit);
}

} // namespace

ProcessResult run_process(const std::vector<std::string> &command, std::chrono::seconds time_limit) {
  const TemporaryDirectory directory;
  const std::string out = directory.file("out"), err = directory.file("err");
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("cannot start a process: " + std::string(std::strerror(errno)));
  if (child == 0) {
    setpgid(0, 0);
    redirect(STDOUT_FILENO, out);
    redirect(STDERR_FILENO, err);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  setpgid(child, child); // also here: whichever of the two runs first
  ProcessResult result;
  result.exit_code = wait_for(child, time_limit);
  result.out = read_file(out);
  result.err = read_file(err);
  return result;
}

ProcessResult compile(const Program &program) {
  const TemporaryDirectory directory;
  return compile_to(program, directory, directory.file("program"));
}

RunResult compile_and_run(const Program &program) {
  const TemporaryDirectory directory;
  const std::string executable = directory.file("program");
  RunResult result;
  result.compiler = compile_to(program, directory, executable);
  if (!result.compiled())
    return result;
  std::vector<std::string> command = {executable};
  command.insert(command.end(), program.arguments.begin(), program.arguments.end());
  result.program = run_process(command, program.time_limit);
  return result;
}

ProcessResult run_opt(const std::string &ir, const std::string &passes, const std::vector<std::string> &flags) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("program.ll");
  write_file(file, ir);
  std::vector<std::string> command = {
      ASSAY_OPT, "-load-pass-plugin=" ASSAY_PLUGIN, "-passes=" + passes, "-S", file, "-o", "-"};
  command.insert(command.end(), flags.begin(), flags.end());
  return run_process(command);
}

#ifdef ASSAY_ALL_LEVELS
const std::vector<std::string> optimisation_levels = {"-O0", "-O1", "-O2", "-O3"};
#else
const std::vector<std::string> optimisation_levels = {"-O0", "-O2"};
#endif

std::string RunResult::output() const {
  if (!program)
    return "compiler ended with " + std::to_string(compiler.exit_code) + ": " + compiler.err;
  if (program->exit_code != 0)
    return program->out + "program ended with " + std::to_string(program->exit_code) + ": " + program->err;
  return program->out;
}

std::ostream &operator<<(std::ostream &out, const RunResult &result) {
  return out << result.output();
}

} // namespace assay::test
