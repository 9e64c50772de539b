#include "testutils/kernel_log.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>

namespace assay::testutils {

const char *kernel_log() {
  const char *file = std::getenv("ASSAY_KERNEL_LOG");
  return file && *file != '\0' ? file : nullptr;
}

static void add_line(const std::string &line) {
  std::ofstream stream(kernel_log(), std::ios::app);
  if (!(stream << line << '\n'))
    throw SubjectError(fmt::format("ASSAY_KERNEL_LOG: {} cannot be written", kernel_log()));
}

/// Of where the derivative is asked for, and along what.
static std::uint64_t digest(const DerivativeRequest &request) {
  std::uint64_t hash = gen::hash_bytes("");
  const auto add = [&](const Arguments &arguments) {
    for (const Values &values : arguments)
      hash = gen::hash_bytes({reinterpret_cast<const char *>(values.data()), values.size() * sizeof(double)}, hash);
  };
  add(request.inputs);
  std::ranges::for_each(request.shadows, add);
  return hash;
}

void log_values(const std::string &combination, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  std::string line = fmt::format("values\t{}\t{:016x}\t", combination, digest(request));
  for (const Arguments &lane : outcome.shadows)
    for (const Values &values : lane)
      for (const double value : values)
        line += fmt::format("{:.17g} ", value);
  add_line(line);
}

void log_times(const std::string &combination, const LaunchTimes &times) {
  add_line(fmt::format("seconds\t{}\t{:.3e}\t{:.3e}", combination, times.function, times.derivative));
}

} // namespace assay::testutils
