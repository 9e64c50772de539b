#pragma once
// Marks in the comments of Fortran, which has no macro for them.

#include "core/jit/module_file.hpp"

namespace assay::jit {

/// The comments of `file` that are marks: `! ASSAY_CHECK(dot, "double[n]", "double[n]", "int=8")`; a mark is one line,
/// whose procedure is one of `functions`. Throws BadRequest where one is damaged or names none of them.
std::vector<CheckMark> fortran_marks(const std::filesystem::path &file, const std::vector<std::string> &functions);

} // namespace assay::jit
