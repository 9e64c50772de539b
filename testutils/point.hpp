#pragma once
// The function itself at one point: what it returns, what it writes, what it never reads. Found once, used by every
// combination.

#include "testutils/numbers.hpp"

#include <assay/testing/check.hpp>

namespace assay::testutils {

struct Point {
  Arguments inputs;
  PrimalOutcome primal;
  std::vector<bool> written; ///< For each parameter: the function changes its memory here.
  /// For each written parameter, the elements whose value at entry does not matter: they are overwritten unread. Only
  /// sought for every check.
  std::vector<std::vector<std::size_t>> unread;
  std::vector<Place> outputs; ///< Where the flat outputs y stand: the result, then all written differentiable buffers.
  std::string trouble;        ///< Why no derivative can be judged here; empty: none.
  Verdict verdict = Verdict::pass; ///< What `trouble` means: undecided, nondeterministic or crash.
  /// On a device, equal calls of the function may give other last digits: atomic sums come in any order.
  bool sums_vary = false;
};

/// Whether a call with the point's inputs gave what the first did: bit for bit, or but for the order of sums that vary.
bool is_primal_of(const Point &point, const Signature &signature, const PrimalOutcome &outcome);

/// Whether the threads of a kernel are watched, which takes long.
enum class WatchThreads : std::uint8_t { in_every_check, always };
/// The function threw, as it may outside of its domain.
struct FunctionThrew : SubjectError {
  using SubjectError::SubjectError;
};

Point examine_point(Subject &subject, const Arguments &inputs, Depth depth = Depth::every_check,
                    WatchThreads watch_threads = WatchThreads::in_every_check);

/// The flat outputs of an evaluation, in the order of `outputs`.
Values flat_outputs(const PrimalOutcome &outcome, const std::vector<Place> &outputs);

const Parameter &parameter_at(const Signature &signature, const Place &place);
/// `x[3]`, `result`, with the lane where there is more than one.
std::string path_of(const Signature &signature, const Place &place, unsigned width = 1);

} // namespace assay::testutils
