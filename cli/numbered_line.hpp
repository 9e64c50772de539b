#pragma once
// Lines that children send: a number, then a blank or the end, then the rest.

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace assay::cli {

inline std::pair<std::size_t, std::string_view> numbered(std::string_view line) {
  std::size_t number = 0;
  const char *end = std::from_chars(line.data(), line.data() + line.size(), number).ptr;
  const auto rest = static_cast<std::size_t>(end - line.data());
  return {number, line.substr(std::min(line.size(), rest + 1))};
}

} // namespace assay::cli
