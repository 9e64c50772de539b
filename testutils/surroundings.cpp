// A change that is only seen where it matters (a descriptor below the first free one was closed and another took its
// place) is not looked for: many calls are watched, so it has to be cheap.

#include "testutils/surroundings.hpp"

#include "testutils/arithmetic_state.hpp"
#include "testutils/diverted_output.hpp"

#include <array>
#include <clocale>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay::testutils {

namespace {

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

std::string signals_that_differ(const sigset_t &now, const sigset_t &before) {
  for (int signal = 1; signal < NSIG; ++signal)
    if (sigismember(&now, signal) != sigismember(&before, signal))
      return fmt::format("SIG{} is {} after the call, it was {} before",
                         sigabbrev_np(signal) ? sigabbrev_np(signal) : "",
                         sigismember(&now, signal) ? "blocked" : "not blocked",
                         sigismember(&before, signal) ? "blocked" : "not blocked");
  return {};
}

} // namespace

Surroundings::Surroundings()
    : locale_(locale()), directory_(working_directory()), signals_(signal_mask()), mask_(file_mask()),
      descriptor_(first_free_descriptor()) {
  flush_output();
  output_ = written_to(STDOUT_FILENO);
  errors_ = written_to(STDERR_FILENO);
}

void Surroundings::put_back() const {
  std::setlocale(LC_ALL, locale_.c_str());
  static_cast<void>(::chdir(directory_.c_str()));
  ::umask(mask_);
  ::pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
  process_.put_back();
}

std::vector<std::string> Surroundings::changes_since(const Surroundings &before) const {
  std::vector<std::string> changes;
  if (locale_ != before.locale_)
    changes.push_back(change_of("the locale", locale_, before.locale_));
  if (directory_ != before.directory_)
    changes.push_back(change_of("the working directory", directory_, before.directory_));
  if (mask_ != before.mask_)
    changes.push_back(
        change_of("the file mode creation mask", fmt::format("{:#o}", mask_), fmt::format("{:#o}", before.mask_)));
  if (std::string signal = signals_that_differ(signals_, before.signals_); !signal.empty())
    changes.push_back(std::move(signal));
  if (descriptor_ > before.descriptor_)
    changes.emplace_back("a file descriptor stays open after the call");
  if (descriptor_ < before.descriptor_)
    changes.emplace_back("a file descriptor that was open before the call is closed after it");
  for (std::string &change : process_.changes_since(before.process_))
    changes.push_back(std::move(change));
  if (output_ > before.output_)
    changes.emplace_back("text has been written to standard output");
  return changes;
}

std::vector<std::string> Surroundings::remarks_since(const Surroundings &before) const {
  return errors_ > before.errors_ ? std::vector<std::string>{"writes to standard error"} : std::vector<std::string>();
}

} // namespace assay::testutils
