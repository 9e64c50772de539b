// A change that is only seen where it matters (a descriptor below the first free one was closed and another took its
// place) is not looked for: each call is watched, so it has to be cheap.

#include "core/jit/environment_watch.hpp"

#include "core/jit/process_state.hpp"

#include <array>
#include <cerrno>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <linux/limits.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace assay::jit {

namespace {

constexpr std::array<std::pair<int, const char *>, 4> exceptions{{{FE_INVALID, "invalid"},
                                                                  {FE_DIVBYZERO, "division by zero"},
                                                                  {FE_OVERFLOW, "overflow"},
                                                                  {FE_UNDERFLOW, "underflow"}}};

const char *name_of_rounding(int mode) {
  switch (mode) {
  case FE_TONEAREST:
    return "to nearest";
#ifdef FE_UPWARD
  case FE_UPWARD:
    return "upward";
#endif
#ifdef FE_DOWNWARD
  case FE_DOWNWARD:
    return "downward";
#endif
#ifdef FE_TOWARDZERO
  case FE_TOWARDZERO:
    return "toward zero";
#endif
  default:
    return "unknown";
  }
}

const char *on_or_off(bool on) {
  return on ? "on" : "off";
}

/// MXCSR without its flags.
unsigned sse_control() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3FU;
#else
  return 0;
#endif
}

/// The x87 control word.
unsigned extended_control() {
#if defined(__x86_64__)
  std::uint16_t word = 0;
  asm volatile("fnstcw %0" : "=m"(word));
  return word;
#else
  return 0;
#endif
}

/// The lowest number that the next file would get: it moves when one stays open, or when one is closed.
int first_free_descriptor() {
  const int descriptor = ::open("/", O_PATH | O_CLOEXEC);
  if (descriptor >= 0)
    ::close(descriptor);
  return descriptor;
}

std::string working_directory() {
  std::array<char, PATH_MAX> path{};
  return ::getcwd(path.data(), path.size()) ? path.data() : "";
}

std::string locale() {
  const char *name = std::setlocale(LC_ALL, nullptr);
  return name ? name : "";
}

sigset_t signal_mask() {
  sigset_t mask;
  sigemptyset(&mask);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return mask;
}

mode_t file_mask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

/// So many bytes of text have been written, where the stream is a file.
off_t written_to(int descriptor) {
  struct stat file = {};
  return ::fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode) ? file.st_size : 0;
}

struct WrittenText {
  WrittenText() {
    std::cout.flush();
    std::fflush(stdout);
    output = written_to(STDOUT_FILENO);
    errors = written_to(STDERR_FILENO);
  }
  off_t output = 0, errors = 0;
};

std::string signals_that_differ(const sigset_t &now, const sigset_t &before) {
  for (int signal = 1; signal < NSIG; ++signal)
    if (sigismember(&now, signal) != sigismember(&before, signal))
      return fmt::format("SIG{} is {} after the call, it was {} before",
                         sigabbrev_np(signal) ? sigabbrev_np(signal) : "",
                         sigismember(&now, signal) ? "blocked" : "not blocked",
                         sigismember(&before, signal) ? "blocked" : "not blocked");
  return {};
}

/// How the processor computes.
struct Arithmetic {
  int rounding = std::fegetround();
#if defined(__GLIBC__)
  int trapped = ::fegetexcept();
#else
  int trapped = 0;
#endif
  unsigned sse = sse_control(), extended = extended_control();
};

/// What else a process has.
struct Surroundings {
  std::string locale_name = locale(), directory = working_directory();
  sigset_t signals = signal_mask();
  mode_t mask = file_mask();
  int descriptor = first_free_descriptor();
  ProcessState process;
  WrittenText text;
};

void put_back(const Surroundings &surroundings) {
  std::setlocale(LC_ALL, surroundings.locale_name.c_str());
  static_cast<void>(::chdir(surroundings.directory.c_str()));
  ::umask(surroundings.mask);
  ::pthread_sigmask(SIG_SETMASK, &surroundings.signals, nullptr);
  surroundings.process.put_back();
}

/// Before any code was watched: calls of which only the arithmetic is watched may have changed them since.
const Surroundings &first_surroundings() {
  static const Surroundings first;
  return first;
}

using Sentences = std::vector<std::string>;

void compare(Sentences &changes, std::string_view what, std::string_view now, std::string_view before) {
  if (now != before)
    changes.push_back(fmt::format("{} is {} after the call, it was {} before", what, now, before));
}

void compare(Sentences &changes, const Arithmetic &now, const Arithmetic &before) {
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x40, sse_rounding = 0x6000, x87_precision = 0x300;
  compare(changes, "the rounding mode", name_of_rounding(now.rounding), name_of_rounding(before.rounding));
  if (now.rounding == before.rounding && ((now.sse ^ before.sse) & sse_rounding) != 0)
    changes.emplace_back("the rounding mode of SSE is another one after the call than before");
  compare(changes, "flush-to-zero", on_or_off(now.sse & flush_to_zero), on_or_off(before.sse & flush_to_zero));
  compare(changes, "denormals-are-zero", on_or_off(now.sse & denormals_are_zero),
          on_or_off(before.sse & denormals_are_zero));
  for (const auto &[bit, name] : exceptions)
    if (((now.trapped ^ before.trapped) & bit) != 0) // Each call of code under test comes here: no words without need.
      compare(changes, fmt::format("the trap for the floating-point exception {}", name), on_or_off(now.trapped & bit),
              on_or_off(before.trapped & bit));
  if (((now.extended ^ before.extended) & x87_precision) != 0)
    changes.emplace_back("the precision of the x87 unit is another one after the call than before");
}

void compare(Sentences &changes, const Surroundings &now, const Surroundings &before) {
  compare(changes, "the locale", now.locale_name, before.locale_name);
  compare(changes, "the working directory", now.directory, before.directory);
  if (now.mask != before.mask)
    compare(changes, "the file mode creation mask", fmt::format("{:#o}", now.mask), fmt::format("{:#o}", before.mask));
  if (std::string signal = signals_that_differ(now.signals, before.signals); !signal.empty())
    changes.push_back(std::move(signal));
  if (now.descriptor > before.descriptor)
    changes.emplace_back("a file descriptor stays open after the call");
  if (now.descriptor < before.descriptor)
    changes.emplace_back("a file descriptor that was open before the call is closed after it");
  for (std::string &change : now.process.changes_since(before.process))
    changes.push_back(std::move(change));
  if (now.text.output > before.text.output)
    changes.emplace_back("text has been written to standard output");
}

} // namespace

struct EnvironmentWatch::State {
  std::fenv_t floating_point{};
  Arithmetic arithmetic;
  int error = errno;
  std::unique_ptr<const Surroundings> surroundings; ///< Large, and most calls are watched without.
};

EnvironmentWatch::EnvironmentWatch(Watched watched) : before_(std::make_unique<State>()) {
  std::fegetenv(&before_->floating_point);
  const Surroundings &first = first_surroundings();
  if (watched == Watched::everything) {
    put_back(first);
    before_->surroundings = std::make_unique<const Surroundings>();
  }
  const bool is_after_errors = watched == Watched::arithmetic_after_errors;
  std::feclearexcept(FE_ALL_EXCEPT);
  if (is_after_errors)
    std::feraiseexcept(FE_ALL_EXCEPT);
  errno = is_after_errors ? ERANGE : 0;
}

EnvironmentReport EnvironmentWatch::report() const {
  const int error = errno;
  const int raised = std::fetestexcept(FE_INVALID | FE_DIVBYZERO);
  EnvironmentReport report;
  report.left_range = std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) != 0;
  compare(report.changes, Arithmetic(), before_->arithmetic);
  if (!before_->surroundings)
    return report;
  const Surroundings now;
  compare(report.changes, now, *before_->surroundings);
  if (now.text.errors > before_->surroundings->text.errors)
    report.remarks.emplace_back("writes to standard error");
  for (const auto &[bit, name] : exceptions)
    if (raised & bit)
      report.remarks.push_back(fmt::format("raises the floating-point exception {}", name));
  if (error != 0)
    report.remarks.push_back(fmt::format("sets errno to {}", strerrorname_np(error) ? strerrorname_np(error) : "?"));
  return report;
}

EnvironmentWatch::~EnvironmentWatch() {
  if (before_->surroundings)
    put_back(*before_->surroundings);
  std::fesetenv(&before_->floating_point);
  errno = before_->error;
}

} // namespace assay::jit
