#pragma once
// Sizes and flags in the tangent of a result.
#include "assay/detail/traverse/walk.hpp"
namespace assay::detail {
template <class R>
void adopt_structure(const R & /*primal*/, R & /*shadow*/) {}
} // namespace assay::detail
