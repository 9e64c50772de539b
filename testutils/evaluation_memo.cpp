#include "testutils/evaluation_memo.hpp"

#include "testutils/numbers.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace assay::testutils {

// 32 MiB of them.
static constexpr std::size_t most_kept_numbers = std::size_t{1} << 22;

std::size_t EvaluationMemo::Hash::operator()(const Arguments &inputs) const {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = inputs.size();
  for (const Values &values : inputs)
    for (const double value : values)
      hash = std::rotl((hash ^ std::bit_cast<std::uint64_t>(value)) * factor, 29);
  return hash;
}

bool EvaluationMemo::SameBits::operator()(const Arguments &left, const Arguments &right) const {
  return same_bits(left, right);
}

static Values run(Subject &subject, const Arguments &inputs, const std::vector<Place> &outputs) {
  try {
    return flat_outputs(subject.evaluate(inputs), outputs);
  } catch (const SubjectError &) {
    Values nowhere(outputs.size());
    std::fill(nowhere.begin(), nowhere.end(), std::numeric_limits<double>::quiet_NaN());
    return nowhere;
  }
}

const Values &EvaluationMemo::at(const Arguments &inputs) {
  if (const auto found = known_.find(inputs); found != known_.end())
    return found->second;
  std::size_t numbers = outputs_.size();
  for (const Values &values : inputs)
    numbers += values.size();
  if (kept_numbers_ + numbers > most_kept_numbers) {
    known_.clear();
    kept_numbers_ = 0;
  }
  kept_numbers_ += numbers;
  return known_[inputs] = run(subject_, inputs, outputs_);
}

} // namespace assay::testutils
