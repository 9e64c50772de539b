#include "cli/night/diff_command.hpp"

#include "cli/console.hpp"
#include "cli/night/links.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/write_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <stdexcept>

namespace assay::cli {

namespace {

/// The functions of a check as cases, by file, function, arguments and seed.
NightRecords records_of_check(const std::filesystem::path &folder) {
  NightRecords night;
  reports::Run run = reports::read_report(folder);
  night.head.plan.seed = run.seed;
  std::map<std::string, std::size_t> known;
  for (reports::Record &record : run.records) {
    const std::string id =
        fmt::format("{}:{}({})@{}", record.file, record.function, fmt::join(record.argument_specs, ", "), record.seed);
    const auto [place, is_new] = known.emplace(id, night.cases.size());
    if (is_new)
      night.cases.push_back({place->second, id, 0, {}});
    if (night.cases.size() == 1)
      night.head.provenance = record.provenance;
    night.cases[place->second].records.push_back(std::move(record));
  }
  return night;
}

NightRecords read_records(const std::filesystem::path &folder) {
  try {
    return is_night(folder) ? read_night(folder) : records_of_check(folder);
  } catch (const jit::BadRequest &) {
    throw;
  } catch (const std::runtime_error &error) {
    throw jit::BadRequest(error.what());
  }
}

} // namespace

ExitCode run_diff(const std::filesystem::path &first, const std::filesystem::path &second) {
  const NightRecords a = read_records(first), b = read_records(second);
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
