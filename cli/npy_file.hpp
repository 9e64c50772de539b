#pragma once
// Arrays as numpy.save writes them: format versions 1.0, 2.0 and 3.0, little-endian f4, f8, i4 and i8 in C order.

#include "core/jit/argument_spec.hpp"

#include <string_view>

namespace assay::cli {

struct NpyArray {
  jit::Scalar type = jit::Scalar::real64;
  std::vector<std::size_t> extents; ///< Empty: one number.
  std::vector<double> reals;        ///< Of a real type.
  std::vector<std::int64_t> integers;
};

/// `bytes` are the file's. Throws std::runtime_error with the part that does not fit.
NpyArray read_npy(std::string_view bytes);

} // namespace assay::cli
