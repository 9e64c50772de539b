#pragma once
// How a subject lets the check see where its code, and that of its derivatives, decides by comparing.

#include <assay/testing/subject.hpp>

#include <array>

namespace assay::testutils {

/// A place of the program where two numbers are compared.
struct BranchSite {
  std::string place;       ///< `f.c:12 in f`.
  bool is_own = true;      ///< The user's code: no header of a library.
  bool is_in_rule = false; ///< Only derivatives run it.
};

/// The comparisons at one site in one call, as often as it was reached.
struct BranchSummary {
  /// The comparisons with one outcome.
  struct Side {
    std::size_t count = 0;
    double left = 0, right = 0; ///< Of the one whose operands were closest.
  };
  std::array<Side, 2> sides; ///< By the outcome: false, true.
};

/// One call.
struct BranchTrace {
  std::vector<BranchSummary> sites; ///< By the number of the site; those behind the end were not reached.
  std::size_t comparisons = 0;      ///< How many there were.
};

/// The function and derivatives of it whose comparisons are recorded.
class BranchTracer {
public:
  virtual ~BranchTracer() = default;

  virtual const std::vector<BranchSite> &sites() const = 0;

  /// Runs the function, and one derivative of each mode with the same seeds every time. Nothing where the function is
  /// not finite, or compares too often.
  virtual std::optional<BranchTrace> trace(const Arguments &inputs) = 0;

  /// The branches of other calls at the same inputs, which the check makes as well: with seeds of zero, and with the
  /// variables of the program as an earlier call left them.
  virtual std::optional<BranchTrace> trace_other_calls(const Arguments &inputs) = 0;
};

} // namespace assay::testutils
