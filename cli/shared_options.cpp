#include "cli/shared_options.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace assay::cli {

namespace {

/// A seed is any number of 64 bits; the parser would take -1 for one.
std::string check_seed(const std::string &text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? "" : fmt::format("'{}' is not a whole number from 0 to 18446744073709551615", text);
}

/// Zero is exact equality; infinities and NaNs would compare nothing.
std::string check_tolerance(const std::string &text) {
  double tolerance = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tolerance);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && tolerance >= 0 && std::isfinite(tolerance)
             ? ""
             : fmt::format("'{}' is not a tolerance: a number of at least 0, such as 1e-9", text);
}

} // namespace

void add_tolerances(CLI::App &command, CheckSettings &settings) {
  command.add_option("--rtol", settings.rtol, "Relative tolerance; without it 1e-9 for double, 3.5e-4 for float")
      ->check(check_tolerance);
  command
      .add_option("--atol", settings.atol,
                  "Absolute tolerance; without it the same numbers, times the scale of the derivative where that is "
                  "below 1")
      ->check(check_tolerance);
}

void add_number(CLI::App &command, const char *name, unsigned &number, const char *description, unsigned least,
                unsigned most) {
  command.add_option(name, number, description)->check(CLI::Range(least, most))->capture_default_str();
}

void add_seed(CLI::App &command, std::uint64_t &seed, const char *description) {
  command.add_option("--seed", seed, description)->check(check_seed)->capture_default_str();
}

void add_samples(CLI::App &command, unsigned &samples, const char *description) {
  add_number(command, "--samples", samples, description, 1, 1'000'000);
}

void add_level(CLI::App &command, unsigned &level) {
  add_number(command, "--opt-level", level, "Optimisation before and after differentiation", 0, 3);
}

void add_jobs(CLI::App &command, unsigned &jobs, const char *description) {
  add_number(command, "--jobs", jobs, description, 1, 1024);
}

void add_sources(CLI::App &command, SourceOptions &sources) {
  command.add_option("-p", sources.build,
                     "Folder with compile_commands.json, which has the flags of each FILE; more flags of the compiler "
                     "stand behind --, such as -- -std=c++20 -Iinclude");
  command.add_option(
      "--with", sources.with,
      "Sources, LLVM IR, objects and libraries (.c, .cpp, .ll, .bc, .o, .a, .so) to link; machine code is "
      "called, but not differentiated");
}

void add_limits(CLI::App &command, CheckSettings &settings) {
  constexpr unsigned day = 86400;
  add_number(command, "--seconds", settings.seconds,
             "About how many seconds of processor time the check of one function may take: fewer combinations and "
             "points of one whose calls take long; 0: no limit",
             0, day);
  add_number(command, "--call-seconds", settings.limits.seconds,
             "A call that takes more seconds of processor time is stopped: no answer; 0: no limit", 0, day);
  command
      .add_option(
          "--memory", settings.limits.memory,
          "A call that asks for more memory is stopped: no answer; a number of bytes or with MiB, GiB; 0: no limit")
      ->transform(CLI::AsSizeValue(false))
      ->default_str("4GiB");
  command
      .add_option("--output-limit", settings.limits.output,
                  "A call that writes more to standard output, standard error or a file is stopped: no answer; 0: no "
                  "limit")
      ->transform(CLI::AsSizeValue(false))
      ->default_str("64MiB");
  add_number(
      command, "--patience", settings.patience_seconds,
      "A check that shows no progress for so many seconds, as where compiling takes long, is given up: no answer", 1,
      day);
}

} // namespace assay::cli
