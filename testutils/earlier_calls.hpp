#pragma once
// Derivatives that find the variables of the program as an earlier call left them. What a rule keeps from call to call
// (a cache, a table that is made at the first call) must not show.

#include "testutils/point.hpp"

#include <map>
#include <optional>

namespace assay::testutils {

/// With the same numbers, for what counts calls.
inline constexpr unsigned calls_in_a_row = 24;

/// Calls of the function itself before one at a point. Where it shows them itself, its derivative may as well.
class EarlierCalls {
public:
  /// Where the earlier call is made.
  enum class Where : std::uint8_t {
    elsewhere, ///< At another random point.
    nearby,    ///< Every number moved by a small part: a cache that compares with a tolerance takes it for the point.
    rearranged ///< The same numbers in another order: a cache whose key is a sum or a maximum takes it for the point.
  };

  EarlierCalls(Subject &subject, const Point &point, const CheckOptions &options, unsigned sample)
      : subject_(subject), point_(point), options_(options), sample_(sample) {}

  /// Equal to the point where nothing may move or change places.
  const Arguments &inputs(Where where);
  /// Whether the function at the point gives other numbers after a call there.
  bool are_seen_by_function(Where where, Succession::Memory memory);
  /// Whether one of many calls of it at the point does.
  bool are_seen_in_a_row();

  bool is_first_point() const { return sample_ == 0; }
  /// The plain form of a combination, where the subject has it.
  std::optional<Combination> counterpart(const Combination &combination) const;
  /// A call of another derivative there, and at the point.
  DerivativeRequest request(const Combination &combination, Where where);
  DerivativeRequest request_here(const Combination &combination) const;

private:
  Subject &subject_;
  const Point &point_;
  const CheckOptions &options_;
  unsigned sample_;
  std::map<Where, Arguments> inputs_;
  std::map<std::pair<Where, Succession::Memory>, bool> seen_;
  std::optional<bool> seen_in_a_row_;
};

} // namespace assay::testutils
