#include "cli/known_failures.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>

namespace assay::cli {

namespace {

/// `weights.cpp` and `src/weights.cpp` both stand for `project/src/weights.cpp`.
bool is_same_file(const std::string &file, const std::string &known) {
  namespace fs = std::filesystem;
  const fs::path whole = fs::path(file).lexically_normal(), part = fs::path(known).lexically_normal();
  auto at = whole.end();
  for (auto end = part.end(); end != part.begin();) {
    if (at == whole.begin() || *--at != *--end)
      return false;
  }
  return true;
}

bool concerns(const KnownFailure &known, const reports::Record &record) {
  const bool is_function = record.function == known.function || record.function.ends_with("::" + known.function);
  return is_function && (known.mode.empty() || known.mode == record.mode) &&
         (known.file.empty() || is_same_file(record.file, known.file));
}

} // namespace

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

bool is_day(const std::string &text) {
  const auto number = [&](std::size_t begin, std::size_t size) {
    int value = -1;
    const char *first = text.data() + begin;
    const auto [end, error] = std::from_chars(first, first + size, value);
    return error == std::errc() && end == first + size ? value : -1;
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-')
    return false;
  using namespace std::chrono;
  const int year_number = number(0, 4), month_number = number(5, 2), day_number = number(8, 2);
  if (year_number < 0 || month_number < 0 || day_number < 0)
    return false;
  return year_month_day(year(year_number), month(static_cast<unsigned>(month_number)),
                        day(static_cast<unsigned>(day_number)))
      .ok();
}

void judge_known_failures(std::vector<reports::Record> &records, const std::vector<KnownFailure> &known,
                          const std::string &day) {
  for (const KnownFailure &failure : known)
    for (reports::Record &record : records)
      if (record.outcome == reports::Outcome::failed && failure.expires >= day && concerns(failure, record)) {
        record.outcome = reports::Outcome::undecided;
        record.known_failure = fmt::format("{} (until {})", failure.reason, failure.expires);
      }
}

std::vector<std::string> known_failure_notes(const std::vector<reports::Record> &records,
                                             const std::vector<KnownFailure> &known, const std::string &day) {
  std::vector<std::string> notes;
  for (const KnownFailure &failure : known) {
    std::size_t checked = 0, failed = 0;
    for (const reports::Record &record : records)
      if (concerns(failure, record)) {
        ++checked;
        failed += record.outcome == reports::Outcome::failed || !record.known_failure.empty() ? 1 : 0;
      }
    if (failed != 0 && failure.expires < day)
      notes.push_back(fmt::format("{}: the known failure of {} expired on {}: {}", failure.place, failure.function,
                                  failure.expires, failure.reason));
    else if (checked != 0 && failed == 0)
      notes.push_back(fmt::format("{}: {} is a known failure and no longer fails; remove the entry", failure.place,
                                  failure.function));
  }
  return notes;
}

} // namespace assay::cli
