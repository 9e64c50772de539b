#include "cli/night/diff_command.hpp"

#include "cli/console.hpp"
#include "cli/night/links.hpp"

#include <fmt/format.h>

namespace assay::cli {

ExitCode run_diff(const std::filesystem::path &first, const std::filesystem::path &second) {
  const NightRecords a = read_night(first), b = read_night(second);
  Console console;
  if (a.head.plan.seed != b.head.plan.seed)
    console.line(fmt::format("seed {}, not {}", b.head.plan.seed, a.head.plan.seed));
  if (const std::string places = difference_of_places(a.head, b.head); !places.empty())
    console.line(places);
  const std::vector<CaseChange> found = changes(a, b);
  constexpr std::size_t most_shown = 100;
  for (std::size_t index = 0; index < found.size() && index < most_shown; ++index)
    console.line(fmt::format("  {}: {}", found[index].id, found[index].link));
  if (found.size() > most_shown)
    console.line(fmt::format("  and {} more", found.size() - most_shown));
  if (found.empty())
    console.line(fmt::format("the same {} cases, inputs, IR, gradients and verdicts: digest {}", a.cases.size(),
                             digest_of(a.cases)));
  else
    console.line(fmt::format("{} cases differ", found.size()));
  return found.empty() ? all_passed : something_failed;
}

} // namespace assay::cli
