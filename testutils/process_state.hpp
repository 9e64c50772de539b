#pragma once
// State of a process and its libraries beside the memory of the program: environment variables, signal handlers and
// their stack, alarms, the locale of the thread, limits of resources, the priority, the state of the C library's
// random numbers, the formats of the standard streams.

#include <array>
#include <csignal>
#include <ios>
#include <locale.h>
#include <string>
#include <sys/resource.h>
#include <sys/time.h>
#include <vector>

namespace assay::testutils {

struct StreamFormat {
  std::ios_base::fmtflags flags = {};
  std::streamsize precision = 0;

  friend bool operator==(const StreamFormat &, const StreamFormat &) = default;
};

/// As it is when it is made.
class ProcessState {
public:
  ProcessState();

  void put_back() const;

  /// One sentence for each difference.
  std::vector<std::string> changes_since(const ProcessState &before) const;

private:
  static constexpr std::size_t standard_streams = 3;

  std::string variables_;                         ///< `NAME=value`, each with a zero behind it.
  std::array<struct sigaction, NSIG> handlers_{}; ///< By the number of the signal.
  stack_t signal_stack_{};
  itimerval alarm_{};
  std::size_t timers_ = 0; ///< Those of timer_create.
  locale_t locale_ = nullptr;
  std::array<rlimit, RLIM_NLIMITS> limits_{}; ///< By the number of the resource.
  int priority_ = 0;
  std::vector<char> random_;
  std::array<unsigned short, 3> random_48_{};
  std::array<StreamFormat, standard_streams> formats_;
};

} // namespace assay::testutils
