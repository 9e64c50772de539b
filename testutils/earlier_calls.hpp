#pragma once
// Derivatives that find the variables of the program as an earlier call left them. What a rule keeps from call to call
// (a cache, a table that is made at the first call) must not show.

#include "testutils/point.hpp"

#include <map>

namespace assay::testutils {

/// Calls of the function itself before one at a point. Where it shows them itself, its derivative may as well.
class EarlierCalls {
public:
  EarlierCalls(Subject &subject, const Point &point, const CheckOptions &options, unsigned sample)
      : subject_(subject), point_(point), options_(options), sample_(sample) {}

  /// Where the earlier call is made: another random point.
  const Arguments &other_inputs();
  /// Whether the function at the point gives other numbers after a call there.
  bool are_seen_by_function(Succession::Memory memory);

private:
  Subject &subject_;
  const Point &point_;
  const CheckOptions &options_;
  unsigned sample_;
  std::optional<Arguments> other_;
  std::map<Succession::Memory, bool> seen_;
};

} // namespace assay::testutils
