#pragma once
// At a kink there is no derivative, but one to each side. The derivative of a program is that of the branch which it
// takes at the point, so it is one of the two. `fabs`, `fmax` and relatives have rules that may give anything between
// them; and where several branches change at once the program's may be that of no side.

#include "testutils/judgement.hpp"

namespace assay::testutils {

enum class SideVerdict : std::uint8_t {
  unknown, ///< The differences to one side or both do not converge, or they are the same.
  left,
  right,
  between,
  outside ///< Beyond both, and beyond their errors.
};

/// `row` beside the derivatives below and above the point.
SideVerdict compare_with_sides(const Compared &row, const Guess &below, const Guess &above);

/// Whether the function may have a kink at the point that differences to both sides hardly tell from none, so that the
/// number may be right.
bool may_lie_between_sides(const Compared &row, const Guess &below, const Guess &above);

/// Whether the number lies to the sides as a slope beside a kink does: with one of them, and as far from the oracle's
/// value, which is then the mean of both, as that is from the other. Of single-precision functions, whose noise hides a
/// kink between slopes that are nearly the same, more is not known.
bool looks_one_sided(const Compared &row, const Guess &below, const Guess &above);

/// `one-sided: equals the left derivative at x[0]`, or what it is instead.
std::string describe(SideVerdict verdict, const Comparison &row, const Guess &below, const Guess &above);

} // namespace assay::testutils
