#pragma once
// The common part of all runs of checks: the record that a run fills, and the checks that more than one makes.

#include "testutils/run.hpp"

namespace assay::testutils {

/// The checks of one combination at one point, which keep their findings in the record. Each is false once a failure
/// has decided.
struct CheckRun {
  Stage &stage;
  Record &record;
  DerivativeRequest request;
  DerivativeOutcome outcome = {};
  bool undecided = false;
  bool lacks_forward_rules = false; ///< And forward mode is wrong for it; so are derivatives of the derivative.

  /// Takes a finding into the record; false once a failure decided.
  bool take(Finding finding, const DerivativeRequest &of);
  void keep_worst(Finding &finding);
  bool primal();
  bool oracle(const DerivativeRequest &of, const DerivativeOutcome &result);
  /// What the tolerance lets pass.
  bool to_the_digits(const DerivativeRequest &of, const DerivativeOutcome &result);
  bool arithmetic_kept();
  DerivativeRequest above_zeros() const;
  /// Code behind a branch has its own way with a small seed.
  bool tiny_seeds();
  bool second_derivative();
  /// Reverse mode in the plain form.
  bool against_forward();
  bool single_release();
  bool complete_release();
  /// Generated code frees alike at all points; a rule may return early.
  bool release_of_rules();
  void differentiate();
  bool forward_is_available() const;
  /// Forward mode lacks a rule that reverse mode has, and finite differences contradict its tangents alone: the
  /// adjoints have passed by then.
  bool forward_alone_is_wrong(const DerivativeRequest &bare);
  static std::optional<HeapCost> cost_of(const std::optional<HeapUse> &use);
};

/// The record for the combination at the stage's point, unless the function itself is in trouble there, and a request
/// with random seeds for it.
Record begin_record(const Stage &stage, const Combination &combination);
DerivativeRequest seeds_for(const Stage &stage, const Combination &combination);
void note_crash(Stage &stage, Record &record, const SubjectError &error);

/// Runs `checks` of `Run`, which is derived from CheckRun.
template <class Run>
Record record_of(Stage &stage, const Combination &combination, void (Run::*checks)()) {
  Record record = begin_record(stage, combination);
  if (record.verdict != Verdict::pass)
    return record;
  Run run{{stage, record, seeds_for(stage, combination)}};
  try {
    (run.*checks)();
  } catch (const SubjectError &error) {
    note_crash(stage, record, error);
  }
  return record;
}

} // namespace assay::testutils
