#include "testutils/name_input.hpp"

#include "testutils/oracle_comparison.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

class TangentOfInputs {
public:
  TangentOfInputs(Stage &stage, const Record &record, DerivativeRequest request)
      : stage(stage), oracle(record.oracle == stage.precise.name() ? static_cast<Oracle &>(stage.precise)
                                                                   : static_cast<Oracle &>(stage.oracle)),
        request(std::move(request)) {}

  double step(const Place &input) const { return request.shadows.front()[*input.parameter][input.element]; }

  /// The number that is farthest beyond its tolerance when these inputs alone move; nothing if none is.
  std::optional<Comparison> fault_of(std::span<const Place> inputs) {
    const DerivativeRequest part = along(inputs);
    OracleComparisons comparisons;
    compare_tangents(oracle, part, stage.subject.differentiate(part), 0, stage.options.tolerance, comparisons);
    settle(comparisons.rows);
    std::optional<Comparison> worst;
    for (const Compared &row : comparisons.rows)
      if (row.agreement == Agreement::differs && (!worst || excess(row.comparison) > excess(*worst)))
        worst = row.comparison;
    return worst;
  }

private:
  static double excess(const Comparison &row) {
    const double part = row.absolute_error / row.tolerance;
    return std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
  }

  DerivativeRequest along(std::span<const Place> inputs) const {
    DerivativeRequest part = request;
    for (std::size_t lane = 0; lane < part.shadows.size(); ++lane) {
      for (Values &values : part.shadows[lane])
        values.assign(values.size(), 0);
      for (const Place &input : inputs)
        part.shadows[lane][*input.parameter][input.element] = request.shadows[lane][*input.parameter][input.element];
    }
    return part;
  }

  Stage &stage;
  Oracle &oracle;
  DerivativeRequest request;
};

/// Those along which the check compares.
std::vector<DerivativeRequest> tangents_of_check(const Stage &stage, const Combination &combination) {
  std::vector<DerivativeRequest> tangents{
      random_request(stage.subject.signature(), combination, stage.point.inputs, stage.name)};
  if (combination.width == 1)
    for (DerivativeRequest &part : partial_tangents(tangents.front(), stage.name))
      tangents.push_back(std::move(part));
  return tangents;
}

/// Empty where the halves show no fault although the whole did: it is one of rounding, or of several inputs together.
std::span<const Place> halved(TangentOfInputs &tangent, std::span<const Place> inputs) {
  while (inputs.size() > 1) {
    const std::span<const Place> front = inputs.first(inputs.size() / 2), back = inputs.subspan(front.size());
    if (tangent.fault_of(front))
      inputs = front;
    else if (tangent.fault_of(back))
      inputs = back;
    else
      return {};
  }
  return inputs;
}

} // namespace

void name_input(Stage &stage, Record &record) {
  const Signature &signature = stage.subject.signature();
  const std::vector<Place> inputs = active_inputs(signature, record.combination);
  if (record.combination.mode != Mode::forward || inputs.size() <= largest_dense_input)
    return;
  for (DerivativeRequest &request : tangents_of_check(stage, record.combination)) {
    TangentOfInputs tangent(stage, record, std::move(request));
    if (!tangent.fault_of(inputs))
      continue;
    const std::span<const Place> found = halved(tangent, inputs);
    const std::optional<Comparison> fault = found.empty() ? std::nullopt : tangent.fault_of(found);
    if (!fault)
      continue;
    const double step = tangent.step(found.front());
    record.hints.push_back(fmt::format("the derivative of {} by {} alone is {:.9g}, should be {:.9g}", fault->path,
                                       path_of(signature, found.front()), fault->ad / step, fault->expected / step));
    return;
  }
}

} // namespace assay::testutils
