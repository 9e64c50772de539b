#include "cli/external_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/// For a program that waits rather than computes, or a machine that has much else to do.
constexpr int waiting_for_each = 10;

constexpr std::size_t most_output = std::size_t(64) << 20U;

[[noreturn]] void become(const std::vector<std::string> &words, int output, Milliseconds limit) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // Nobody would wait for it.
  const auto seconds = static_cast<rlim_t>(std::chrono::ceil<std::chrono::seconds>(limit).count());
  const rlimit processor{seconds, seconds + 1};
  ::setrlimit(RLIMIT_CPU, &processor);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  ::execvp(pointers.front(), pointers.data());
  ::_exit(127);
}

/// Reads until every writer is gone; false when the time was up first.
bool read_all(int input, std::string &text, Clock::time_point deadline) {
  char buffer[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{input, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    const ssize_t count = ::read(input, buffer, sizeof buffer);
    if (count <= 0)
      return true;
    if (text.size() < most_output) // More is read, so that the program goes on, and dropped.
      text.append(buffer, static_cast<std::size_t>(count));
  }
}

/// The program itself was ended by its limit, or one that it started and that it, a shell or a compiler driver, names.
bool used_all_its_time(int status, const std::string &output) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGXCPU;
  return WEXITSTATUS(status) != 0 && output.find(::strsignal(SIGXCPU)) != std::string::npos;
}

} // namespace

ProgramEnd run_external(const std::vector<std::string> &words, Milliseconds limit) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe");
  const pid_t child = ::fork();
  if (child < 0)
    throw std::runtime_error("cannot start a process");
  if (child == 0)
    become(words, ends[1], limit);
  ::close(ends[1]);
  ProgramEnd end;
  const bool in_time = read_all(ends[0], end.output, Clock::now() + waiting_for_each * limit);
  ::close(ends[0]);
  if (!in_time)
    ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time || used_all_its_time(status, end.output))
    end.kind = ProgramEnd::Kind::out_of_time;
  else if (WIFSIGNALED(status))
    end.kind = ProgramEnd::Kind::killed, end.code = WTERMSIG(status);
  else
    end.code = WEXITSTATUS(status);
  return end;
}

} // namespace assay::cli
