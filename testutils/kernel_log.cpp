#include "testutils/kernel_log.hpp"

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

void log_values(const std::string &combination, const DerivativeOutcome &outcome) {
  std::string line = "values\t" + combination + "\t";
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
