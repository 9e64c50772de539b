#pragma once
// Whether the function itself reads beside its memory: then extents are too small, and no derivative is to blame.

#include "cli/check_request.hpp"
#include "core/jit/program.hpp"
#include <assay/testing/subject.hpp>
#include <optional>
#include <string>

namespace assay::cli {

/// A sentence: `the function itself reads beside the memory of 'x', ...`. Nothing where the function gives the same
/// whatever stands there, or other numbers in each call.
std::optional<std::string> memory_read_beside(const CheckRequest &request, const jit::Program &program,
                                              const testutils::Arguments &inputs);

} // namespace assay::cli
