#include "cli/test/run_size.hpp"

namespace assay::cli::test {

namespace {

// The only source of the tests that is compiled for one of the two runs.
#ifdef ASSAY_ALL_LEVELS
constexpr bool all_levels = true;
#else
constexpr bool all_levels = false;
#endif

} // namespace

const std::vector<std::string> &optimisation_levels() {
  static const std::vector<std::string> levels =
      all_levels ? std::vector<std::string>{"0", "2"} : std::vector<std::string>{"2"};
  return levels;
}

const std::vector<std::string> &every_optimisation_level() {
  static const std::vector<std::string> levels =
      all_levels ? std::vector<std::string>{"0", "1", "2", "3"} : std::vector<std::string>{"2"};
  return levels;
}

int campaign_size(int part, int whole) {
  return all_levels ? whole : part;
}

std::string by_default(const std::string &words) {
  return all_levels ? "" : words;
}

} // namespace assay::cli::test
