// The keeper is the parent of every descendant that loses its own (ChildFamily), and the kernel tells it when its own
// parent ends.

#include "cli/child_keeper.hpp"

#include "cli/child_family.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cli {

namespace {

constexpr int parent_ended = SIGTERM;

sigset_t signals_of_keeper() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  ::sigaddset(&signals, parent_ended);
  return signals;
}

/// Whether it is a zombie, which it stays.
bool has_exited(pid_t process) {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_pid == process;
}

/// Until `worker` or the parent has ended.
void wait_for_an_end(pid_t worker, pid_t parent) {
  const sigset_t signals = signals_of_keeper();
  while (!has_exited(worker) && ::getppid() == parent)
    if (::sigwaitinfo(&signals, nullptr) == parent_ended)
      return;
}

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit no_core{0, 0}; // There is one of the worker.
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::signal(WTERMSIG(status), SIG_DFL);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigprocmask(SIG_SETMASK, &signals, nullptr);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

[[noreturn]] void keep(pid_t worker, pid_t parent, ChildFamily &family) {
  ::close_range(STDERR_FILENO + 1, ~0U, 0); // Whoever reads what the worker writes waits for its end, not for ours.
  wait_for_an_end(worker, parent);
  if (!has_exited(worker))
    ::kill(worker, SIGKILL);
  int status = 0;
  while (::waitpid(worker, &status, 0) < 0 && errno == EINTR) {
  }
  family.remove(worker);
  end_as(status);
}

} // namespace

pid_t fork_with_keeper(const std::function<void()> &work) {
  const pid_t parent = ::getpid();
  const pid_t keeper = ::fork();
  if (keeper > 0)
    ::setpgid(keeper, keeper); // Whoever of both is first.
  if (keeper != 0)
    return keeper;
  ::setpgid(0, 0);
  std::signal(SIGCHLD, SIG_DFL);
  const sigset_t signals = signals_of_keeper();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  ::prctl(PR_SET_PDEATHSIG, parent_ended);
  ChildFamily &family = ChildFamily::here();
  const pid_t worker = ::fork();
  if (worker == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    work();
  }
  if (worker < 0)
    ::_exit(EXIT_FAILURE);
  family.add(worker);
  keep(worker, parent, family);
}

} // namespace assay::cli
