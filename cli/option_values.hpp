#pragma once
// Values of options by their names, on the command line and in a project.

#include "cli/check_request.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

/// Of --mode.
extern const std::map<std::string, std::vector<testutils::Mode>> modes;
/// Of --oracle.
extern const std::map<std::string, testutils::OracleChoice> oracles;

/// `4096`, `64MiB`, `2 GiB`, `1GB`, where 1 kB is 1024 bytes as well.
std::optional<std::uint64_t> size_named(std::string_view text);

} // namespace assay::cli
