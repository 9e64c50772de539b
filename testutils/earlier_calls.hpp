#pragma once
// Derivatives that find the variables of the program as an earlier call left them. What a rule keeps from call to call
// (a cache, a table that is made at the first call) must not show.

#include "testutils/alike_calls.hpp"
#include "testutils/point.hpp"

#include <map>
#include <optional>

namespace assay::testutils {

/// Calls of the function itself before one at a point. Where it shows them itself, its derivative may as well.
class EarlierCalls {
public:
  EarlierCalls(Subject &subject, const Point &point, const CheckOptions &options, unsigned sample)
      : subject_(subject), point_(point), options_(options), sample_(sample) {}

  /// False where the function throws, or what it gives cannot be compared with the point's.
  bool can_be_run(const Arguments &inputs) const;
  /// Inputs of an earlier call: another random point at which the function can be run, if there is one.
  const Arguments &elsewhere();
  /// Whether the function at the point gives other numbers after a call there.
  bool is_seen_by_function(Succession::Memory memory);
  /// Whether it does where errno and floating-point exceptions still tell of errors in earlier code.
  bool is_seen_by_function_after_errors() const;
  /// The same for a call at inputs that differ by a small part, in the same memory.
  bool is_seen_by_function_nearby();
  /// The same for a call with arguments of another size.
  bool is_seen_by_function_after_size(std::size_t size) const;
  /// How often a derivative is called with the same numbers, for rules that count calls: several hundred times where
  /// most is active, as long as a call does not take long.
  unsigned calls_in_a_row(const Combination &combination) const;
  /// Whether one of so many calls of the function at the point does, and of those that its derivative makes in its
  /// place.
  bool are_seen_in_a_row(unsigned calls);

  bool is_first_point() const { return sample_ == 0; }
  /// The plain form of a combination, where the subject has it.
  std::optional<Combination> counterpart(const Combination &combination) const;
  /// A call of another derivative there, and at the point.
  DerivativeRequest request_elsewhere(const Combination &combination);
  DerivativeRequest request_here(const Combination &combination) const;
  DerivativeRequest request_at(const Combination &combination, const Arguments &inputs) const;

  /// At inputs that a cache may take for those of the point.
  const std::vector<AlikeCall> &alike();
  /// The same for a call of `alike()`, by its number.
  bool is_seen_by_function(std::size_t alike, Succession::Memory memory);

private:
  bool changes_function(const Arguments &first, const Succession &succession) const;

  Subject &subject_;
  const Point &point_;
  const CheckOptions &options_;
  unsigned sample_;
  std::optional<Arguments> elsewhere_;
  std::optional<std::vector<AlikeCall>> alike_;
  std::map<Succession::Memory, bool> seen_;
  std::map<std::pair<std::size_t, Succession::Memory>, bool> alike_seen_;
  std::map<unsigned, bool> seen_in_a_row_;
  std::optional<bool> seen_nearby_;
};

} // namespace assay::testutils
