#pragma once
// Subjects whose derivatives are written by hand, right or with a planted fault.

#include <assay/testing/check.hpp>

#include <functional>
#include <utility>

namespace assay::testutils {

/// A subject made of two functions: the primal works in place on arguments and returns the result; the Jacobian-vector
/// and vector-Jacobian products are written over dual arguments.
class HandSubject : public Subject {
public:
  /// Changes the arguments in place, returns the result.
  using Primal = std::function<Values(Arguments &)>;
  /// Given x, tangents x' (zero where constant): turns the tangents into those at exit, returns the result's tangent.
  using Forward = std::function<Values(const Arguments &inputs, Arguments &tangents)>;
  /// Given x, the result's seed, and adjoints at exit in `shadows` (zero where constant): turns them into those at
  /// entry, by adding.
  using Reverse = std::function<void(const Arguments &inputs, const Values &seed, Arguments &shadows)>;
  /// Looks at, and may spoil, what a derivative call gave.
  using Fault = std::function<void(const DerivativeRequest &, DerivativeOutcome &)>;

  HandSubject(Signature signature, Primal primal, Forward forward, Reverse reverse)
      : description(std::move(signature)), primal(std::move(primal)), forward(std::move(forward)),
        reverse(std::move(reverse)) {}

  HandSubject &with_fault(Fault planted) {
    fault = std::move(planted);
    return *this;
  }

  const Signature &signature() const override { return description; }

  PrimalOutcome evaluate(const Arguments &inputs) override {
    PrimalOutcome outcome;
    outcome.contents = inputs;
    outcome.result = primal(outcome.contents);
    return outcome;
  }

  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    const PrimalOutcome plain = evaluate(request.inputs);
    DerivativeOutcome outcome;
    outcome.contents = plain.contents;
    if (wants_primal(request))
      outcome.result = plain.result;
    for (unsigned lane = 0; lane < request.combination.width; ++lane)
      run_lane(request, lane, outcome);
    if (fault)
      fault(request, outcome);
    return outcome;
  }

  bool keeps_nothing() const override { return true; }
  std::string replay_command(std::uint64_t seed) const override { return "replay --seed " + std::to_string(seed); }

private:
  static bool wants_primal(const DerivativeRequest &request) {
    if (request.combination.mode == Mode::forward)
      return request.combination.result == Activity::duplicated;
    return request.primal == PrimalResult::wanted;
  }

  void run_lane(const DerivativeRequest &request, unsigned lane, DerivativeOutcome &outcome) {
    Arguments shadows = request.shadows[lane];
    for (std::size_t index = 0; index < shadows.size(); ++index)
      shadows[index].resize(description.parameters[index].size());
    if (request.combination.mode == Mode::forward) {
      const Values tangent = forward(request.inputs, shadows);
      if (request.combination.result != Activity::constant)
        outcome.result_tangents.push_back(tangent);
    } else {
      Values seed = request.result_seeds[lane];
      if (description.result)
        seed.resize(description.result->size());
      reverse(request.inputs, seed, shadows);
    }
    for (std::size_t index = 0; index < shadows.size(); ++index)
      if (request.combination.arguments[index] == Activity::constant)
        shadows[index].clear();
    outcome.shadows.push_back(std::move(shadows));
  }

  Signature description;
  Primal primal;
  Forward forward;
  Reverse reverse;
  Fault fault;
};

inline Parameter scalar(std::string name, ElementType element = ElementType::double_precision) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.element = element;
  return parameter;
}

inline Parameter buffer(std::string name, std::vector<std::size_t> extents,
                        ElementType element = ElementType::double_precision) {
  Parameter parameter = scalar(std::move(name), element);
  parameter.passing = Passing::buffer;
  parameter.extents = std::move(extents);
  return parameter;
}

} // namespace assay::testutils
