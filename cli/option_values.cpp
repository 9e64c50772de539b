#include "cli/option_values.hpp"

#include <cctype>
#include <charconv>
#include <limits>

namespace assay::cli {

const std::map<std::string, std::vector<testutils::Mode>> modes{
    {"forward", {testutils::Mode::forward}},
    {"reverse", {testutils::Mode::reverse}},
    {"all", {testutils::Mode::forward, testutils::Mode::reverse}}};

const std::map<std::string, testutils::OracleChoice> oracles{{"auto", testutils::OracleChoice::automatic},
                                                             {"fd", testutils::OracleChoice::finite_differences},
                                                             {"wide", testutils::OracleChoice::precise}};

std::optional<std::uint64_t> size_named(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc())
    return std::nullopt;
  std::string unit;
  for (const char *c = end; c != text.data() + text.size(); ++c)
    if (*c != ' ')
      unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  static const std::map<std::string, unsigned, std::less<>> shifts{
      {"", 0},     {"b", 0},  {"k", 10},  {"kb", 10},  {"kib", 10}, {"m", 20},  {"mb", 20},
      {"mib", 20}, {"g", 30}, {"gb", 30}, {"gib", 30}, {"t", 40},   {"tb", 40}, {"tib", 40}};
  const auto shift = shifts.find(unit);
  if (shift == shifts.end() || number > std::numeric_limits<std::uint64_t>::max() >> shift->second)
    return std::nullopt;
  return number << shift->second;
}

} // namespace assay::cli
