#include "cli/earlier_failures.hpp"

#include "core/jit/bad_request.hpp"
#include "reports/grouping.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::cli {

namespace {

constexpr const char *left_note = "not checked again: this is what an earlier run found";

bool is_of_file(const reports::Record &record, const std::filesystem::path &file) {
  return std::filesystem::path(record.file).lexically_normal() == file.lexically_normal();
}

bool is_of(const reports::Record &record, const CheckRequest &request) {
  return record.function == request.function.name && is_of_file(record, request.file);
}

bool is_same(const reports::Record &first, const reports::Record &second) {
  return is_of_file(first, second.file) && reports::combination_text(first) == reports::combination_text(second);
}

} // namespace

EarlierReport::EarlierReport(const std::filesystem::path &folder) {
  try {
    failures_ = reports::read_report(folder).records;
  } catch (const std::runtime_error &error) {
    throw jit::BadRequest(error.what());
  }
  std::erase_if(failures_, [](const reports::Record &record) { return record.outcome != reports::Outcome::failed; });
}

bool EarlierReport::has_failure_of(const CheckRequest &request) const {
  return std::ranges::any_of(failures_, [&](const reports::Record &failure) { return is_of(failure, request); });
}

void EarlierReport::set_checked(const CheckRequest &request) {
  std::erase_if(failures_, [&](const reports::Record &failure) { return is_of(failure, request); });
}

std::vector<reports::Record> EarlierReport::failures_left(const std::vector<reports::Record> &records) const {
  std::vector<reports::Record> left;
  for (const reports::Record &failure : failures_) {
    if (std::ranges::any_of(records, [&](const reports::Record &record) { return is_same(record, failure); }))
      continue;
    reports::Record &copy = left.emplace_back(failure);
    if (std::ranges::find(copy.notes, left_note) == copy.notes.end())
      copy.notes.emplace_back(left_note);
  }
  return left;
}

} // namespace assay::cli
