#pragma once
// How the processor computes: rounding, traps, flush-to-zero, the precision of the x87 unit.

#include <array>
#include <cfenv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::testutils {

inline constexpr std::array<std::pair<int, const char *>, 4> floating_point_exceptions{
    {{FE_INVALID, "invalid"},
     {FE_DIVBYZERO, "division by zero"},
     {FE_OVERFLOW, "overflow"},
     {FE_UNDERFLOW, "underflow"}}};

/// As it is when it is made: cheap enough for each call.
class ArithmeticState {
public:
  ArithmeticState();

  /// One sentence for each difference: `the rounding mode is upward after the call, it was to nearest before`.
  std::vector<std::string> changes_since(const ArithmeticState &before) const;

private:
  int rounding_, trapped_;
  unsigned sse_, extended_; ///< The control registers without their flags.
};

/// `WHAT is NOW after the call, it was BEFORE before`
std::string change_of(std::string_view what, std::string_view now, std::string_view before);

} // namespace assay::testutils
