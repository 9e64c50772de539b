#pragma once
// Standard output that may be lost: to a full disk, or where nothing takes it. What a command does goes on; that its
// output is lost is said once, at its end.

#include <string>
#include <string_view>

namespace assay::cli {

/// At once, as far as it can be written.
void write_to_standard_output(std::string_view text);

/// Writes the output that is still held back. The result is why something was lost; empty: nothing was.
std::string loss_of_standard_output();

} // namespace assay::cli
