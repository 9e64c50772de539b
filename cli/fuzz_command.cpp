#include "cli/fuzz_command.hpp"

#include "cli/console.hpp"
#include "cli/fuzz_shrink.hpp"
#include "cli/installation.hpp"
#include "core/jit/bad_request.hpp"
#include "generators/programs/draw.hpp"
#include "generators/programs/test_program.hpp"
#include "generators/programs/validate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

namespace assay::cli {

namespace {

namespace programs = gen::programs;

constexpr std::size_t programs_in_a_file = 16;

/// One program with what it did at each level.
struct Trial {
  std::uint32_t number = 0;
  programs::Program program;
  std::vector<FuzzOutcome> outcomes; ///< In the order of the levels.

  bool failed() const {
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [](const auto &outcome) { return is_failure(outcome.verdict); });
  }
  bool undecided() const {
    return !failed() && std::any_of(outcomes.begin(), outcomes.end(), [](const auto &outcome) {
      return outcome.verdict == FuzzVerdict::oracle_unreliable;
    });
  }
};

class Campaign {
public:
  explicit Campaign(const FuzzArguments &arguments)
      : arguments_(arguments),
        bench_({ASSAY_CLANG, arguments.plugin ? *arguments.plugin : plugin_file(), arguments.flags}) {
    for (const std::string &word : arguments.weights)
      if (!programs::set_weight(weights_, word))
        throw jit::BadRequest(fmt::format("--weight {}: takes KIND=NUMBER from 0 to 1000, KIND one of {}, all", word,
                                          fmt::join(programs::names_of_weights(), ", ")));
  }

  ExitCode run() {
    const std::vector<std::uint32_t> numbers = numbers_to_test();
    for (std::size_t begin = 0; begin < numbers.size(); begin += programs_in_a_file) {
      console_.status(fmt::format("{} of {} programs, {} failed", begin, numbers.size(), failed_));
      const std::size_t count = std::min(programs_in_a_file, numbers.size() - begin);
      test(std::span(numbers).subspan(begin, count));
    }
    for (const auto &[verdict, count] : verdicts_)
      console_.line(fmt::format("  {}: {}", name_of(verdict), count));
    console_.line(fmt::format("{} programs, {} passed, {} failed, {} undecided", numbers.size(),
                              numbers.size() - failed_ - undecided_, failed_, undecided_));
    return failed_ ? something_failed : all_passed;
  }

private:
  std::vector<std::uint32_t> numbers_to_test() const {
    if (arguments_.only)
      return {*arguments_.only};
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number = 0; number < arguments_.programs; ++number)
      if (number % arguments_.shards == arguments_.shard - 1)
        numbers.push_back(number);
    return numbers;
  }

  void test(std::span<const std::uint32_t> numbers) {
    std::vector<Trial> trials;
    std::vector<programs::Program> drawn;
    for (const std::uint32_t number : numbers) {
      trials.push_back({number, programs::draw_program(arguments_.seed, number, weights_), {}});
      drawn.push_back(trials.back().program);
      if (const auto fault = programs::validate(drawn.back()))
        throw std::logic_error(fmt::format("program {} of seed {} is not valid: {}", number, arguments_.seed, *fault));
    }
    bench_.prepare(drawn);
    for (const unsigned level : arguments_.levels) {
      const std::vector<FuzzOutcome> outcomes = bench_.test(level);
      for (std::size_t i = 0; i < trials.size(); ++i)
        trials[i].outcomes.push_back(outcomes[i]);
    }
    for (const Trial &trial : trials)
      account(trial);
  }

  void account(const Trial &trial) {
    failed_ += trial.failed();
    undecided_ += trial.undecided();
    if (!trial.failed())
      return;
    std::string where;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < trial.outcomes.size(); ++i)
      if (is_failure(trial.outcomes[i].verdict)) {
        where += fmt::format(" -O{}", arguments_.levels[i]);
        worst = i;
      }
    const FuzzOutcome &outcome = trial.outcomes[worst];
    ++verdicts_[outcome.verdict];
    console_.line(fmt::format("program {}: {} at{}: {}", trial.number, console_.bad(name_of(outcome.verdict)), where,
                              outcome.detail));
    show(trial, {trial.program, arguments_.levels[worst], outcome});
  }

  void show(const Trial &trial, FuzzFailure failure) {
    const std::size_t size = programs::size_of(failure.program);
    failure = shrink(bench_, std::move(failure), arguments_.shrink_budget);
    std::string weights;
    for (const std::string &word : arguments_.weights)
      weights += " --weight " + word;
    console_.line(fmt::format("  {} --seed {} --only {} --levels {}{}", arguments_.program + " fuzz", arguments_.seed,
                              trial.number, failure.level, weights));
    if (!arguments_.report)
      return;
    const std::filesystem::path file =
        *arguments_.report / fmt::format("seed-{}-program-{}.c", arguments_.seed, trial.number);
    std::ofstream text(file);
    text << fmt::format(
                "// {} at -O{}: {}\n// seed {}, program {}; made smaller from {} to {}\n"
                "// clang-22 -O{} -w -ffp-contract=off -fpass-plugin=assay-plugin.so THIS_FILE -lm && ./a.out\n",
                name_of(failure.outcome.verdict), failure.level, failure.outcome.detail, arguments_.seed, trial.number,
                size, programs::size_of(failure.program), failure.level)
         << programs::whole_test_of(failure.program);
    if (!text)
      throw jit::BadRequest(fmt::format("--report: cannot write {}", file.string()));
    console_.line(fmt::format("  {}", file.string()));
  }

  const FuzzArguments &arguments_;
  programs::Weights weights_;
  Console console_;
  FuzzBench bench_;
  std::map<FuzzVerdict, int> verdicts_;
  std::size_t failed_ = 0, undecided_ = 0;
};

} // namespace

ExitCode run_fuzz(const FuzzArguments &arguments) {
  std::error_code error;
  if (arguments.report)
    std::filesystem::create_directories(*arguments.report, error);
  if (error)
    throw jit::BadRequest(fmt::format("--report: cannot write into {}", arguments.report->string()));
  return Campaign(arguments).run();
}

std::vector<unsigned> parse_levels(const std::string &text) {
  std::vector<unsigned> levels;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const bool separated = i + 1 == text.size() || text[i + 1] == ',';
    if (text[i] < '0' || text[i] > '3' || !separated)
      return {};
    levels.push_back(static_cast<unsigned>(text[i] - '0'));
  }
  return levels;
}

} // namespace assay::cli
