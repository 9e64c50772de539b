#pragma once
// State of a process and its libraries beside the memory of the program: environment variables, signal handlers, the
// alarm, the state of the C library's random numbers, the formats of the standard streams.

#include <array>
#include <csignal>
#include <ios>
#include <map>
#include <string>
#include <sys/time.h>
#include <vector>

namespace assay::jit {

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

  std::map<std::string, std::string> variables_;
  std::array<struct sigaction, NSIG> handlers_{}; ///< By the number of the signal.
  itimerval alarm_{};
  std::vector<char> random_;
  std::array<unsigned short, 3> random_48_{};
  std::array<StreamFormat, standard_streams> formats_;
};

} // namespace assay::jit
