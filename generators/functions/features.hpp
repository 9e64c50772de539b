#pragma once
// Features that finite differences cannot see through: kinks, jumps, poles and short scales, as C.

#include "generators/functions/operations.hpp"

#include <assay/generators/stream.hpp>

namespace assay::gen::functions {

struct FeatureText {
  std::string statements;
  std::string value; ///< An expression.
};

/// A feature of the parameter x0, whose value at the point is `at`.
FeatureText draw_feature(Terrain terrain, double at, const Writer &writer, Stream &stream);

} // namespace assay::gen::functions
