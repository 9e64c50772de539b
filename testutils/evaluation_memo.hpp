#pragma once
// What a function gave at inputs where it was run before. Finite differences of other lengths, to one side of the
// point, of other outputs and in search of kinks meet the same inputs again, the more often the fewer digits numbers
// have.

#include "testutils/point.hpp"

#include <unordered_map>

namespace assay::testutils {

class EvaluationMemo {
public:
  /// Both must outlive it.
  EvaluationMemo(Subject &subject, const std::vector<Place> &outputs) : subject_(subject), outputs_(outputs) {}

  /// The flat outputs, not numbers where the function cannot be run. Valid until the next call.
  const Values &at(const Arguments &inputs);

private:
  struct Hash {
    std::size_t operator()(const Arguments &inputs) const;
  };
  struct SameBits {
    bool operator()(const Arguments &left, const Arguments &right) const;
  };

  Subject &subject_;
  const std::vector<Place> &outputs_;
  std::unordered_map<Arguments, Values, Hash, SameBits> known_;
  std::size_t kept_numbers_ = 0;
};

} // namespace assay::testutils
