#pragma once
// Earlier calls at inputs that a cache may take for those of a point, or that fill it.

#include <assay/testing/check.hpp>

#include <string>
#include <vector>

namespace assay::testutils {

struct AlikeCall {
  std::string where; ///< `inputs that differ by a small part`.
  Arguments inputs;
  std::vector<Arguments> before; ///< Of further calls, before that one.
};

/// Inputs that differ by a small part: mostly the same branches are taken there.
Arguments nearby_inputs(const Signature &signature, Arguments inputs);

/// All real numbers times `factor`, so that matrices stay definite and lists stay sorted.
Arguments grown(const Signature &signature, Arguments inputs, double factor);

/// Those that differ from `inputs`, the point of a sample.
std::vector<AlikeCall> alike_calls(const Signature &signature, const Arguments &inputs, const CheckOptions &options,
                                   unsigned sample);

} // namespace assay::testutils
