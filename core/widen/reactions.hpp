#pragma once
// f(v + d) - f(v) without cancellation: the difference of two wide numbers has no digit left where the movement is
// below 2^-112 of the value, as that of cos(x) is for small x, or that of log(x) near 1.

#include "core/widen/wide_number.hpp"

#include <optional>
#include <string_view>

namespace assay::widen {

using UnaryReaction = Wide (*)(Wide value, Wide delta);

/// Null where only the difference itself is known. For movements that `is_small_beside` the value.
UnaryReaction unary_reaction(std::string_view function);

bool is_small_beside(Wide delta, Wide value);

/// Nothing where only the difference itself is known, or a branch cut lies between both points.
std::optional<Wide> binary_reaction(std::string_view function, Wide left, Wide left_delta, Wide right,
                                    Wide right_delta);

/// Of one part of the complex logarithm.
std::optional<Wide> complex_log_reaction(unsigned part, Wide a, Wide a_delta, Wide b, Wide b_delta);

} // namespace assay::widen
