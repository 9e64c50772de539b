// Faults are listed in one round of processes and judged in another. A worker compiles a function once and judges each
// of its mutants in a process of its own, since a mutant may crash or never end.

#include "cli/mutate_command.hpp"

#include "cli/child_process.hpp"
#include "cli/installation.hpp"
#include "cli/load_functions.hpp"
#include "cli/mutate_report.hpp"
#include "cli/mutation_target.hpp"
#include "cli/numbered_line.hpp"
#include "cli/shapes.hpp"
#include "core/jit/bad_request.hpp"
#include <algorithm>
#include <assay/generators/stream.hpp>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace assay::cli {

namespace {

using Where = MutateArguments::Where;
using Work = std::function<void(const SendLine &)>;

constexpr std::chrono::seconds worker_patience(300);
constexpr std::chrono::seconds mutant_patience(30);
/// Right calls of what is worth a mutation run take milliseconds, and many mutants never end.
constexpr CallLimits mutant_limits{.seconds = 2, .memory = std::uint64_t(1) << 30U};
/// Mutants of one function that one worker judges: few enough to divide the work evenly.
constexpr std::size_t chunk_size = 24;
constexpr std::string_view unusable = "unusable ";

/// `NUMBER\tREST`
std::string_view name_of(Where where) {
  switch (where) {
  case Where::derivatives:
    return "derivatives";
  case Where::rules:
    return "rules";
  case Where::registered:
    return "registered rules";
  }
  return "";
}

std::vector<Mutant> faults_in(MutationTarget &target, Where where) {
  switch (where) {
  case Where::derivatives:
    return target.derivative_faults();
  case Where::rules:
    return target.rule_faults();
  case Where::registered:
    return target.registered_faults();
  }
  return {};
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// In a process of its own, at most `mutant_patience` of silence.
JudgedMutant judge_alone(MutationTarget &target, const Mutant &mutant) {
  JudgedMutant judged{mutant, MutantFate::not_planted, ""};
  target.prepare(mutant);
  bool compiled = false, passed = false, finished = false;
  const ChildEnd end = run_in_child(
      [&](const SendLine &send) {
        const JudgedMutant found = target.judge(mutant, send);
        send(fmt::format("{}\t{}", static_cast<unsigned>(found.fate), on_one_line(found.detail)));
      },
      [&](std::string_view line) {
        compiled |= line == MutationTarget::compiled;
        passed |= line == MutationTarget::passed;
        if (line == MutationTarget::compiled || line == MutationTarget::passed)
          return;
        const auto [fate, detail] = numbered(line);
        judged.fate = static_cast<MutantFate>(fate);
        judged.detail = detail;
        finished = true;
      },
      mutant_patience, mutant_limits);
  if (finished)
    return judged;
  judged.detail = on_one_line(describe(end));
  if (passed)
    judged.detail = "only at other points: " + judged.detail;
  judged.fate = passed ? MutantFate::survived : compiled ? MutantFate::killed : MutantFate::not_planted;
  return judged;
}

bool needs_all_points(MutantFate fate) {
  return fate == MutantFate::same_numbers || fate == MutantFate::survived;
}

class MutationRun {
public:
  explicit MutationRun(const MutateArguments &arguments) : arguments_(arguments) {}

  ExitCode run() {
    load();
    list();
    const std::size_t all = mutants_.size();
    sample();
    console_.line(fmt::format("{} faults in {} of {} functions{}, seed {}", mutants_.size(), name_of(arguments_.where),
                              functions_.size(),
                              all == mutants_.size() ? ""
                              : arguments_.rest      ? fmt::format(", the rest of {}", all)
                                                     : fmt::format(", drawn from {}", all),
                              arguments_.check.settings.seed));
    judge();
    show_mutants(console_, judged_, functions_);
    if (arguments_.report)
      write_mutants(*arguments_.report, judged_, functions_);
    const MutationTotals totals = totals_of(judged_);
    console_.line(fmt::format("{} mutants, {} killed, {} equivalent ({} proved), {} survived: score {:.2f} %",
                              totals.planted(), totals.killed, totals.same_code + totals.same_numbers, totals.same_code,
                              totals.survived, 100 * totals.score()));
    return totals.score() >= arguments_.at_least ? all_passed : something_failed;
  }

private:
  void load() {
    if (!arguments_.check.files.empty() || !arguments_.check.functions.empty()) {
      load_functions(arguments_.check, console_, files_, functions_);
    } else {
      for (const std::filesystem::path &folder : folders())
        for (const std::filesystem::path &file : program_files(folder))
          load_marked(file, arguments_.check.settings, console_, files_, functions_);
    }
    std::erase_if(functions_, [](const FunctionToCheck &function) {
      return function.request.expectation == jit::CheckMark::Expectation::fails;
    });
    for (FunctionToCheck &function : functions_) // The largest of the shapes that a check would draw.
      function.request = largest_shape(function.request);
  }

  std::vector<std::filesystem::path> folders() const {
    if (arguments_.where == Where::rules)
      return {mutation_directory() / "rules"};
    if (arguments_.where == Where::registered)
      return {mutation_directory() / "registered"};
    return {examples_directory(), mutation_directory()};
  }

  /// Shares the tasks 0 to `count` - 1 among the jobs and hears what they send.
  void in_parallel(std::size_t count, const std::function<void(std::size_t, const SendLine &)> &task,
                   const std::function<void(std::string_view)> &receive) const {
    std::vector<Work> works;
    const std::size_t jobs = std::min<std::size_t>(std::max(1U, arguments_.jobs), count);
    for (std::size_t job = 0; job < jobs; ++job)
      works.push_back([=](const SendLine &send) {
        for (std::size_t index = job; index < count; index += jobs)
          task(index, send);
      });
    for (const ChildEnd &end : run_in_children(works, receive, worker_patience))
      if (end.kind != ChildEnd::Kind::returned)
        throw jit::BadRequest(fmt::format("a function under test could not be compiled or run: {}", describe(end)));
  }

  void list() {
    if (!arguments_.only.empty())
      return list_one();
    std::string refusal;
    std::map<std::size_t, std::vector<Mutant>> found; // by function: what each finds comes in order
    in_parallel(
        functions_.size(),
        [&](std::size_t index, const SendLine &send) {
          try {
            MutationTarget target(functions_[index].request, *functions_[index].file);
            for (const Mutant &mutant : faults_in(target, arguments_.where))
              send(fmt::format("{}\t{}", index, on_one_line(to_line(mutant))));
          } catch (const std::exception &error) {
            send(fmt::format("{}{}", unusable, on_one_line(error.what())));
          }
        },
        [&](std::string_view line) {
          if (line.starts_with(unusable)) {
            refusal = line.substr(unusable.size());
            return;
          }
          const auto [index, rest] = numbered(line);
          found[index].push_back(mutant_from_line(rest));
          found[index].back().function = index;
        });
    if (!refusal.empty())
      throw jit::BadRequest(refusal);
    for (const auto &[function, mutants] : found)
      mutants_.insert(mutants_.end(), mutants.begin(), mutants.end());
    if (arguments_.kind)
      std::erase_if(mutants_, [&](const Mutant &mutant) { return mutant.fault.kind != *arguments_.kind; });
    if (arguments_.where == Where::rules)
      keep_one_function_a_rule();
    if (mutants_.empty())
      throw jit::BadRequest("there is no place for such a fault");
  }

  void list_one() {
    if (functions_.size() != 1)
      throw jit::BadRequest("--only needs a FILE with one function, or --function NAME");
    mutants_.push_back(mutant_from_id(arguments_.only));
  }

  /// A rule's faults are planted where the fewest other rules are.
  void keep_one_function_a_rule() {
    std::map<std::size_t, std::size_t> faults;
    for (const Mutant &mutant : mutants_)
      ++faults[mutant.function];
    std::map<std::string, std::size_t> home;
    for (const Mutant &mutant : mutants_) {
      const auto [known, is_new] = home.try_emplace(mutant.fault.place, mutant.function);
      if (!is_new && faults[mutant.function] < faults[known->second])
        known->second = mutant.function;
    }
    std::erase_if(mutants_, [&](const Mutant &mutant) { return home.at(mutant.fault.place) != mutant.function; });
  }

  /// The first `budget` of a shuffle that follows from the seed, or the rest of it, in their own order.
  void sample() {
    if (arguments_.rest && (arguments_.budget == 0 || mutants_.size() <= arguments_.budget))
      throw jit::BadRequest(
          fmt::format("--budget {} leaves nothing out of {} faults", arguments_.budget, mutants_.size()));
    if (arguments_.budget == 0 || mutants_.size() <= arguments_.budget)
      return;
    std::vector<std::size_t> order = shuffled();
    if (arguments_.rest)
      order.erase(order.begin(), order.begin() + arguments_.budget);
    else
      order.resize(arguments_.budget);
    std::sort(order.begin(), order.end());
    std::vector<Mutant> drawn;
    for (const std::size_t index : order)
      drawn.push_back(std::move(mutants_[index]));
    mutants_ = std::move(drawn);
  }

  /// Of all mutants, the first `budget` in random order.
  std::vector<std::size_t> shuffled() const {
    gen::Stream stream({.seed = arguments_.check.settings.seed, .suite = "mutation", .purpose = "sample"});
    std::vector<std::size_t> order(mutants_.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    for (std::size_t index = 0; index < arguments_.budget; ++index)
      std::swap(
          order[index],
          order[static_cast<std::size_t>(stream.integer(static_cast<std::int64_t>(index), std::ssize(order) - 1))]);
    return order;
  }

  /// Ranges of mutants of the same function.
  std::vector<std::pair<std::size_t, std::size_t>> chunks() const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t begin = 0; begin < mutants_.size();) {
      std::size_t end = begin;
      while (end < mutants_.size() && end - begin < chunk_size && mutants_[end].function == mutants_[begin].function)
        ++end;
      found.emplace_back(begin, end);
      begin = end;
    }
    return found;
  }

  void judge() {
    const auto ranges = chunks();
    judged_.resize(mutants_.size());
    std::size_t done = 0;
    in_parallel(
        ranges.size(),
        [&](std::size_t chunk, const SendLine &send) {
          const auto [begin, end] = ranges[chunk];
          const FunctionToCheck &function = functions_[mutants_[begin].function];
          MutationTarget target(function.request, *function.file);
          for (std::size_t index = begin; index < end; ++index) {
            const JudgedMutant found = judge_alone(target, mutants_[index]);
            send(fmt::format("{}\t{}\t{}", index, static_cast<unsigned>(found.fate), found.detail));
            if (needs_all_points(found.fate) && index + 1 < end) // It has run everywhere, and so the right one can.
              target.prepare_for_survivors(found.mutant);
          }
        },
        [&](std::string_view line) {
          const auto [index, rest] = numbered(line);
          const auto [fate, detail] = numbered(rest);
          judged_[index] = {mutants_[index], static_cast<MutantFate>(fate), std::string(detail)};
          console_.status(fmt::format("{} of {} judged", ++done, mutants_.size()));
        });
  }

  const MutateArguments &arguments_;
  Console console_;
  std::deque<jit::ModuleFile> files_;
  std::deque<FunctionToCheck> functions_;
  std::vector<Mutant> mutants_;
  std::vector<JudgedMutant> judged_;
};

} // namespace

ExitCode run_mutate(const MutateArguments &arguments) {
  return MutationRun(arguments).run();
}

} // namespace assay::cli
