// Functions of one terrain and precision are compiled together, some dozens a file; files are shared among processes. A
// process that dies costs the function that it was at; what it had not come to is tried again by another.

#include "cli/sweep_command.hpp"

#include "cli/child_process.hpp"
#include "cli/console.hpp"
#include "cli/numbered_line.hpp"
#include "core/jit/bad_request.hpp"
#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <map>

namespace assay::cli {

namespace {

namespace functions = gen::functions;
using functions::FunctionName;
using functions::Precision;
using functions::Terrain;
using testutils::Outcome;

constexpr std::size_t functions_in_a_file = 25;
constexpr std::chrono::seconds patience(120);
constexpr std::size_t failures_in_full = 5;
constexpr char line_break = '\x1f';

struct Tally {
  std::size_t functions = 0, passed = 0, undecided = 0, failed = 0;
  std::size_t combinations = 0, undecided_combinations = 0;

  void add(const SweepOutcome &outcome) {
    ++functions;
    ++(outcome.outcome == Outcome::passed ? passed : outcome.outcome == Outcome::failed ? failed : undecided);
    combinations += outcome.combinations;
    undecided_combinations += outcome.undecided;
  }
};

/// `N\tREST`
std::string to_line(std::size_t index, const SweepOutcome &outcome) {
  std::string detail = outcome.detail;
  std::replace(detail.begin(), detail.end(), '\n', line_break);
  return fmt::format("{}\t{}\t{}\t{}\t{}", index, static_cast<unsigned>(outcome.outcome), outcome.combinations,
                     outcome.undecided, detail);
}

SweepOutcome outcome_from(std::string_view line) {
  const auto [outcome, after_outcome] = numbered(line);
  const auto [combinations, after_combinations] = numbered(after_outcome);
  const auto [undecided, detail] = numbered(after_combinations);
  SweepOutcome result{static_cast<Outcome>(outcome), combinations, undecided, std::string(detail)};
  std::replace(result.detail.begin(), result.detail.end(), line_break, '\n');
  return result;
}

class Sweep {
public:
  explicit Sweep(const SweepArguments &arguments) : arguments_(arguments) {}

  ExitCode run() {
    choose();
    outcomes_.resize(names_.size());
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
      const auto files = files_to_try();
      if (files.empty())
        break;
      try_all(files);
    }
    show(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return total_.failed ? something_failed : all_passed;
  }

private:
  using File = std::vector<std::size_t>; ///< Positions in `names_`.

  void choose() {
    const std::uint64_t seed = arguments_.settings.seed;
    if (!arguments_.only.empty()) {
      names_.push_back(function_from_id(arguments_.only, seed));
      return;
    }
    for (const Terrain terrain : functions::all_terrains)
      for (const Precision precision : arguments_.precisions)
        for (std::uint32_t n = 0; n < (terrain == Terrain::smooth ? arguments_.functions : arguments_.planted); ++n)
          names_.push_back({seed, terrain, precision, n});
    if (names_.empty())
      throw jit::BadRequest("there is no function to check: --functions and --planted are 0");
  }

  std::vector<File> files_to_try() const {
    std::vector<File> files;
    for (std::size_t index = 0; index < names_.size(); ++index) {
      if (outcomes_[index])
        continue;
      const bool joins = !files.empty() && files.back().size() < functions_in_a_file &&
                         names_[files.back().front()].terrain == names_[index].terrain &&
                         names_[files.back().front()].precision == names_[index].precision;
      if (!joins)
        files.emplace_back();
      files.back().push_back(index);
    }
    return files;
  }

  void try_file(const File &file, const SendLine &send) const {
    std::vector<FunctionName> names;
    for (const std::size_t index : file)
      names.push_back(names_[index]);
    try_functions(names, arguments_.settings,
                  {[&](std::size_t position) { send(fmt::format("{}", file[position])); },
                   [&](std::size_t position, const SweepOutcome &outcome) { send(to_line(file[position], outcome)); }});
  }

  void try_all(const std::vector<File> &files) {
    std::vector<bool> started(names_.size());
    const std::size_t jobs = std::min<std::size_t>(std::max(1U, arguments_.jobs), files.size());
    std::vector<std::function<void(const SendLine &)>> works;
    for (std::size_t job = 0; job < jobs; ++job)
      works.push_back([&, job](const SendLine &send) {
        for (std::size_t file = job; file < files.size(); file += jobs)
          try_file(files[file], send);
      });
    const auto ends = run_in_children(works, [&](std::string_view line) { hear(line, started); }, patience);
    const auto bad = std::find_if(ends.begin(), ends.end(),
                                  [](const ChildEnd &end) { return end.kind != ChildEnd::Kind::returned; });
    if (bad == ends.end())
      return;
    const std::size_t before = decided_;
    for (std::size_t index = 0; index < names_.size(); ++index)
      if (started[index] && !outcomes_[index])
        decide(index, {Outcome::failed, 0, 0,
                       fmt::format("crash of {}: {}\n  seed {}", id_of(names_[index]), describe(*bad),
                                   arguments_.settings.seed)});
    if (decided_ == before)
      throw jit::BadRequest(fmt::format("the functions could not be compiled: {}", describe(*bad)));
  }

  void hear(std::string_view line, std::vector<bool> &started) {
    const auto [index, rest] = numbered(line);
    started[index] = true;
    if (!rest.empty())
      decide(index, outcome_from(rest));
  }

  void decide(std::size_t index, const SweepOutcome &outcome) {
    outcomes_[index] = outcome;
    console_.status(fmt::format("{} of {} functions", ++decided_, names_.size()));
  }

  void show(double seconds) {
    std::map<std::pair<Terrain, Precision>, Tally> tallies;
    std::size_t shown = 0;
    for (std::size_t index = 0; index < names_.size(); ++index) {
      const SweepOutcome &outcome = *outcomes_[index];
      tallies[{names_[index].terrain, names_[index].precision}].add(outcome);
      total_.add(outcome);
      if (outcome.outcome == Outcome::failed)
        console_.line(shown++ < failures_in_full ? outcome.detail : fmt::format("failed: {}", id_of(names_[index])));
      else if (!arguments_.only.empty() && outcome.outcome == Outcome::undecided)
        console_.line(outcome.detail);
    }
    console_.line(fmt::format("  {:<10} {:<7} {:>9} {:>9} {:>9} {:>9} {:>13} {:>10}", "function", "", "functions",
                              "passed", "failed", "undecided", "combinations", "undecided"));
    for (const auto &[kind, tally] : tallies)
      console_.line(fmt::format("  {:<10} {:<7} {:>9} {:>9} {:>9} {:>9} {:>13} {:>10}", name_of(kind.first),
                                name_of(kind.second), tally.functions, tally.passed, tally.failed, tally.undecided,
                                tally.combinations, tally.undecided_combinations));
    console_.line(fmt::format("{:.1f} s, {:.0f} combinations a second", seconds,
                              static_cast<double>(total_.combinations) / seconds));
    console_.line(fmt::format("{} functions, {} passed, {} failed, {} undecided", total_.functions, total_.passed,
                              total_.failed, total_.undecided));
  }

  const SweepArguments &arguments_;
  Console console_;
  std::vector<FunctionName> names_;
  std::vector<std::optional<SweepOutcome>> outcomes_;
  std::size_t decided_ = 0;
  Tally total_;
};

} // namespace

ExitCode run_sweep(const SweepArguments &arguments) {
  return Sweep(arguments).run();
}

} // namespace assay::cli
