#pragma once
// Values of arguments from files: NumPy arrays (.npy) and tables of numbers (.csv).

#include "core/jit/argument_spec.hpp"

#include <filesystem>

namespace assay::cli {

/// The spec with the type, the extents and the values that its file has; a spec without a file as it is. A relative
/// path is taken from `folder`, or from the working directory where there is no such file. Throws jit::BadRequest.
jit::ArgumentSpec with_values(jit::ArgumentSpec spec, const std::filesystem::path &folder);

/// One list of values for each point of the table `points`, for the elements of all real arguments without values.
void take_points(std::vector<jit::ArgumentSpec> &specs, const std::filesystem::path &points);

} // namespace assay::cli
