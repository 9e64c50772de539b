#pragma once
// The options of the checks of a night as its head keeps them: with these a case gives the same bits again.

#include "cli/check_request.hpp"

namespace assay::cli {

/// One JSON object in one line.
std::string text_of(const CheckSettings &settings);
/// The inverse; seed and name of the program are not in it. Throws jit::BadRequest.
CheckSettings settings_from(const std::string &text);

} // namespace assay::cli
