#pragma once
// The derivative calls that a check makes: random tangents, seeds and incoming shadows, and variations of a call.

#include "testutils/point.hpp"

namespace assay::testutils {

/// Which random numbers: a case of a run.
struct CaseName {
  std::uint64_t seed = 1;
  std::string suite;
  std::string name;
  unsigned sample = 0;
};

/// A call at `inputs` in which every number that the caller chooses is random and not zero.
DerivativeRequest random_request(const Signature &signature, const Combination &combination, const Arguments &inputs,
                                 const CaseName &name, const Values &output_tangent = {});

/// Reverse: shadows that the derivative is only added to (those of memory that the function leaves alone) hold zero at
/// entry.
DerivativeRequest without_incoming(DerivativeRequest request, const Point &point);

/// What the shadows hold at entry times `factor`; what the function writes keeps its seeds.
DerivativeRequest with_incoming_scaled(DerivativeRequest request, const Point &point, double factor);

/// Everything that the derivative is linear in is multiplied: tangents; seeds and the shadows of what the function
/// writes.
DerivativeRequest scaled(DerivativeRequest request, const Point &point, double factor);

/// The result is seeded with one, as gradients are.
DerivativeRequest with_unit_seed(DerivativeRequest request);

/// Forward: the tangent of `request` on a random half of the elements, which vary in size, and on single elements, one
/// of each active argument.
std::vector<DerivativeRequest> partial_tangents(const DerivativeRequest &request, const CaseName &name);

/// The plain form of the same activities, which other forms are compared with: width 1, one function, and run-time
/// activity only where all combinations have it.
Combination in_plain_form(Combination combination, RuntimeActivity runtime_activity);

/// That, or the same form at width 1 where the subject has only that; nothing if not even that.
std::optional<Combination> offered_counterpart(const Subject &subject, const Combination &combination,
                                               RuntimeActivity runtime_activity);

/// One lane of a batch as a call of its own, in the form of `combination`.
DerivativeRequest single_lane(const DerivativeRequest &request, unsigned lane, const Combination &combination);

/// Reverse: the adjoint of every flat output at entry: the result's seed, the shadow of what the function writes.
Values output_weights(const Point &point, const DerivativeRequest &request, unsigned lane);

/// Forward: the tangents of the flat outputs; zero where none were asked for.
Values flat_tangents(const DerivativeOutcome &outcome, unsigned lane, const std::vector<Place> &outputs);

} // namespace assay::testutils
