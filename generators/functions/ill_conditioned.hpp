#pragma once
// Right functions in which rounding takes digits of the derivative, with the condition number K planted, as C.

#include "generators/functions/features.hpp"

namespace assay::gen::functions {

/// An ill-conditioned value of the parameter x0.
FeatureText draw_ill_conditioned(Terrain terrain, const Writer &writer, Stream &stream);

} // namespace assay::gen::functions
