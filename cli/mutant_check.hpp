#pragma once
// The gradient check of mutants, where the verdict alone matters: it ends at the first failure, and nothing is
// explained. Points and the oracles' derivatives there belong to the function: they are the same for all mutants. So
// the right derivative is checked before any mutant is, which leaves them to the processes of the mutants. Branches are
// searched for last, since a search takes longer than most checks.

#include "cli/jit_subject.hpp"
#include "testutils/points.hpp"
#include <assay/testing/check.hpp>

#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

class MutantCheck {
public:
  /// `subject` must outlive the check.
  MutantCheck(JitSubject &subject, testutils::CheckOptions options);
  MutantCheck(const MutantCheck &) = delete;
  MutantCheck &operator=(const MutantCheck &) = delete;

  /// With the right derivatives: the first point, which nearly every mutant needs.
  void prepare_first_point(const std::vector<testutils::Combination> &combinations);
  /// The same for mutants that pass the check.
  void prepare_all_points(const std::vector<testutils::Combination> &combinations);

  /// The first check that fails; empty: all passed, or could not tell.
  std::string killing_check(const std::vector<testutils::Combination> &combinations);

  /// Why a check could not tell; empty: each could.
  const std::string &undecided() const { return undecided_; }
  const testutils::CheckOptions &options() const { return options_; }

private:
  std::string failure_in(const testutils::Record &record);
  std::string failure_at_branches(const std::vector<testutils::Combination> &combinations);
  std::vector<testutils::BranchPoint> search(const std::vector<testutils::Combination> &traced);

  JitSubject &subject_;
  testutils::CheckOptions options_;
  testutils::Points points_;
  std::optional<std::vector<testutils::BranchPoint>> branches_of_function_;
  std::string undecided_;
};

} // namespace assay::cli
