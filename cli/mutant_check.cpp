#include "cli/mutant_check.hpp"

#include "testutils/branch_search.hpp"
#include "testutils/check_points.hpp"
#include <fmt/format.h>

namespace assay::cli {

using testutils::Combination;

MutantCheck::MutantCheck(JitSubject &subject, testutils::CheckOptions options)
    : subject_(subject), options_(std::move(options)), points_(subject_, options_) {}

void MutantCheck::prepare_first_point(const std::vector<Combination> &combinations) {
  for (const Combination &combination : combinations)
    static_cast<void>(testutils::run_checks(points_.at(0, 0), combination));
}

void MutantCheck::prepare_all_points(const std::vector<Combination> &combinations) {
  static_cast<void>(killing_check(combinations));
  undecided_.clear();
}

std::string MutantCheck::failure_in(const testutils::Record &record) {
  if (testutils::outcome_of(record.verdict) == testutils::Outcome::undecided)
    undecided_ = record.detail;
  return testutils::outcome_of(record.verdict) == testutils::Outcome::failed
             ? fmt::format("{} ({})", testutils::name_of(record.verdict), record.check)
             : "";
}

/// As `assay check` searches: in the function, and in registered rules of its derivatives.
std::vector<testutils::BranchPoint> MutantCheck::search(const std::vector<Combination> &traced) {
  try {
    const auto tracer = subject_.branch_tracer(traced);
    return testutils::search_branches(*tracer, subject_.signature(), options_).points;
  } catch (const testutils::SubjectError &) { // The check itself says so.
    return {};
  }
}

std::string MutantCheck::failure_at_branches(const std::vector<Combination> &combinations) {
  const std::vector<Combination> traced = testutils::combinations_to_trace(subject_, combinations);
  if (traced.empty() && !branches_of_function_)
    branches_of_function_ = search({});
  options_.branch_points = traced.empty() ? *branches_of_function_ : search(traced);
  for (const Combination &combination : combinations)
    if (const auto record = testutils::failure_at_branches(points_, combination, options_))
      return failure_in(*record);
  return "";
}

std::string MutantCheck::killing_check(const std::vector<Combination> &combinations) {
  options_.branch_points.clear();
  for (const Combination &combination : combinations)
    if (std::string failure = failure_in(testutils::check_points(points_, combination, options_)); !failure.empty())
      return failure;
  return failure_at_branches(combinations);
}

} // namespace assay::cli
