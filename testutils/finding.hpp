#pragma once
// The single checks that a combination goes through. Each returns a Finding; nothing, where it does not apply.

#include "testutils/judgement.hpp"
#include "testutils/requests.hpp"

namespace assay::testutils {

inline constexpr std::string_view dot_product_check = "forward against reverse";

class PrimalSpread;

struct Finding {
  Verdict verdict = Verdict::pass;
  std::string check;             ///< Its name: `linearity in the seed`.
  std::string detail;            ///< What was seen; empty on a pass.
  std::vector<Comparison> worst; ///< Worst first; against the oracle: all comparisons.
  std::size_t compared = 0;
  std::size_t nonzero = 0; ///< Against the oracle: how many numbers can be told from zero.
  bool coarse = false; ///< All numbers that differ pass through float, so that AD's own arithmetic may be the reason.
  std::optional<LostDigits> lost = std::nullopt; ///< On a pass that the plain comparison alone would not give.
  bool by_scale = false;                         ///< It fails, but only because the derivative's scale is far below 1.
  double apart = 0;          ///< Of a check of one number: how far its two sides are from one another.
  bool rough = false;        ///< The function is not smooth at the point, which is why it is undecided.
  bool is_one_sided = false; ///< Some numbers are only those of one side of a kink.
};

/// The primal result, the memory that the function writes and the memory that it must not touch, after a derivative
/// call.
std::vector<Finding> check_primal(const Point &point, const Signature &signature, const DerivativeRequest &request,
                                  const DerivativeOutcome &outcome, const Tolerance &tolerance,
                                  const PrimalSpread *spread = nullptr);

/// The derivative against one oracle. `edges`: between how many branches the point is known to lie; 0: not known.
Finding check_against_oracle(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                             const CheckOptions &options, std::size_t edges = 0);

/// Equal calls give equal bits; `subject`s on a device, what sums in another order may give.
Finding check_repeatability(const Subject &subject, const DerivativeOutcome &first, const DerivativeOutcome &second);
/// The two differ by no more than rounding in sums of another order does.
bool differ_by_order(const Signature &signature, const DerivativeOutcome &left, const DerivativeOutcome &right);
bool differ_by_order(const Signature &signature, const PrimalOutcome &left, const PrimalOutcome &right);

/// Zero tangents or seeds: every derivative that is finite `with_seed` is zero, and what the shadows held stays bit for
/// bit.
Finding check_zero_seed(const Signature &signature, const DerivativeRequest &zero, const DerivativeOutcome &outcome,
                        const DerivativeOutcome &with_seed);

/// Seeds times a power of two: derivatives times the same, to the relative tolerance (an iteration may stop elsewhere).
Finding check_linearity(const Signature &signature, const DerivativeOutcome &base, const DerivativeOutcome &scaled,
                        double factor, const Combination &combination, const CheckOptions &options);

/// Reverse: what comes out above shadows that held something is what comes out above zeros, added.
Finding check_additivity(const Point &point, const Signature &signature, const DerivativeRequest &request,
                         const DerivativeOutcome &above_incoming, const DerivativeOutcome &above_zero,
                         const CheckOptions &options);

/// The forward combination with the same active arguments, whose J is the transpose of what `reverse` applies.
Combination forward_of(const Combination &reverse);

/// Of forward mode, whose tangents are compared with the adjoints of `reverse_request`.
DerivativeRequest tangents_beside(const Subject &subject, const Point &point, const DerivativeRequest &reverse_request,
                                  const CaseName &name, const CheckOptions &options);
/// <w, J v> = <J^T w, v> with J v from forward mode.
Finding check_dot_product(Subject &subject, const Point &point, const DerivativeRequest &reverse_request,
                          const DerivativeOutcome &reverse_outcome, const CaseName &name, const CheckOptions &options);

/// Each lane of a batch against the same call at width one.
Finding check_lanes(Subject &subject, const Point &point, const DerivativeRequest &request,
                    const DerivativeOutcome &outcome, const CheckOptions &options);

/// Memory that the function writes without reading holds signalling NaNs at entry: nothing may change.
Finding check_poison(Subject &subject, const Point &point, const DerivativeRequest &request,
                     const DerivativeOutcome &outcome);

/// Where nobody may look, beside the memory that is passed and in its padding, stand NaNs: nothing may change.
Finding check_surroundings(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &outcome);

class EarlierCalls;

/// Without putting variables back: after a call at other inputs, in the same memory and in other memory, and after one
/// at the same inputs, the derivative is the same bit for bit; so it is where two split derivatives are under way.
/// Nothing is asked of it where the function itself gives other numbers then.
Finding check_earlier_calls(Subject &subject, EarlierCalls &earlier, const DerivativeRequest &request,
                            const DerivativeOutcome &outcome);

/// The same after one call at inputs that differ by a small part, in the same memory.
Finding check_call_nearby(Subject &subject, EarlierCalls &earlier, const DerivativeRequest &request,
                          const DerivativeOutcome &outcome);

/// Rounding and the like are after the derivative what they are after the function.
Finding check_arithmetic_kept(const Point &point, const DerivativeOutcome &outcome);

/// So are the variables of the program and all other surroundings of the call.
Finding check_side_effects(Subject &subject, const DerivativeRequest &request, const SideEffects &effects);

/// No block is freed twice or otherwise than it was allocated, as far as the subject sees.
Finding check_single_release(const Point &point, const DerivativeOutcome &outcome);

/// The derivative leaves nothing on the heap, where the function leaves nothing there.
Finding check_complete_release(Subject &subject, const Point &point, const DerivativeRequest &request,
                               const DerivativeOutcome &outcome);

/// Width 1, one function, no run-time activity, and everything active that can be: for checks that one combination of
/// each mode is enough for.
bool is_plainest(const Signature &signature, const Combination &combination);

/// Two calls from two threads at once disturb each other no more than two calls of the function do. `note`: what is
/// worth knowing beside the finding.
Finding check_threads(Subject &subject, EarlierCalls &earlier, const DerivativeRequest &request, std::string &note);

inline constexpr std::string_view second_order_check = "second derivative";

/// The forward derivative of the derivative against finite differences of it, at one point and with one seed. Nothing
/// where no registered rule is used; `note`: why there is no second derivative.
Finding check_second_order(Subject &subject, const DerivativeRequest &request, const CheckOptions &options,
                           unsigned sample, std::string &note);

/// What the checks of unusual seeds compare with: a call without incoming shadows, and what it gave.
struct UsualSeed {
  const Point &point;
  const DerivativeRequest &request;
  const DerivativeOutcome &outcome;
};

/// Seeds times powers of two from one end of the range to the other: derivatives times the same, where no operation
/// overflows or underflows.
Finding check_seed_sizes(Subject &subject, const UsualSeed &usual, const CheckOptions &options);
/// The same with seeds far below 1 alone.
Finding check_tiny_seeds(Subject &subject, const UsualSeed &usual, const CheckOptions &options);

/// The seed is zero but for one of its numbers, zero in that one, and zero in every other one: the derivatives of two
/// parts add up to that of the whole.
Finding check_seed_parts(Subject &subject, const UsualSeed &usual, const CaseName &name, const CheckOptions &options);

/// Each number of the seed alone, of many seeds some, far below 1: a sum may hide that one of them is taken for zero.
Finding check_single_seeds(Subject &subject, const UsualSeed &usual, const CheckOptions &options);

/// A lane whose seed is zero, or infinite, leaves the other lanes as they are.
Finding check_seed_lanes(Subject &subject, const UsualSeed &usual, const CheckOptions &options);

/// With another seed the call leaves memory and the primal as the usual call does; `seed`: `a seed of zero`.
Finding check_seed_leftovers(Subject &subject, const UsualSeed &usual, const DerivativeRequest &request,
                             const DerivativeOutcome &outcome, std::string_view seed);

} // namespace assay::testutils
