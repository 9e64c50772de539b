#pragma once
// One call of a typed derivative: its inputs and the memory for its outputs. The code of each combination is the call
// alone; the code that all of them share reads and writes the frame.

#include <assay/detail/testing/typed_call.hpp>
#include <assay/testing/wide_arithmetic.hpp>

#include <deque>
#include <functional>
#include <vector>

namespace assay::detail {

/// Members with one entry for each lane hold them in the order of the lanes.
template <class F, class R, class... Models>
struct DerivativeFrame {
  using Function = F;
  using Result = R;
  using Call = TypedCall<Models...>;
  using Views = typename Call::Views;

  const testutils::DerivativeRequest &request;
  Function &function;
  Call &call;
  Views values;
  std::vector<Views> shadows; ///< The adjoint of an active argument is put here as well.
  Result result;
  std::deque<Result> result_shadows; ///< Tangents or seeds.
  testutils::DerivativeOutcome outcome;

  /// The caller's work between the two sweeps of the split form, with `split_sweeps` as its argument.
  testutils::Aside *between_sweeps = nullptr;
  void *split_sweeps = nullptr;
  /// Further work there; null: none.
  const std::function<void()> *aside = nullptr;

  /// The result and its tangents, as numbers.
  [[gnu::noinline]] void take_results() {
    using enum testutils::Activity;
    const testutils::Combination &combination = request.combination;
    if (combination.result == constant)
      return;
    const bool is_forward = combination.mode == testutils::Mode::forward;
    if (!is_forward || combination.result == duplicated)
      outcome.result = flatten(result);
    if (is_forward)
      for (const Result &tangent : result_shadows)
        outcome.result_tangents.push_back(flatten(tangent));
  }
};

} // namespace assay::detail
