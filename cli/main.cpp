// The `assay` command: reads the command line, runs one command, turns what goes wrong into one line and an exit code.

#include "cli/accuracy_command.hpp"
#include "cli/check_command.hpp"
#include "cli/commands.hpp"
#include "cli/device_check.hpp"
#include "cli/emulate_command.hpp"
#include "cli/explain_options.hpp"
#include "cli/fuzz_command.hpp"
#include "cli/mutate_command.hpp"
#include "cli/shared_options.hpp"
#include "cli/sweep_command.hpp"
#include "core/jit/bad_request.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <thread>

namespace {

using namespace assay;
using cli::add_jobs;
using cli::add_level;
using cli::add_limits;
using cli::add_samples;
using cli::add_seed;
using cli::add_tolerances;
using cli::CheckArguments;
using cli::ExitCode;

const std::map<std::string, std::vector<testutils::Mode>> modes{
    {"forward", {testutils::Mode::forward}},
    {"reverse", {testutils::Mode::reverse}},
    {"all", {testutils::Mode::forward, testutils::Mode::reverse}}};

const std::map<std::string, testutils::OracleChoice> oracles{{"auto", testutils::OracleChoice::automatic},
                                                             {"fd", testutils::OracleChoice::finite_differences},
                                                             {"wide", testutils::OracleChoice::precise}};

/// How replay commands have to call this program to reach it again.
std::string invoked_as(const char *first_word) {
  const char *launcher = std::getenv("ASSAY_INVOKED_AS");
  return launcher ? launcher : first_word;
}

std::string joined(int count, char **words) {
  return fmt::format("{}", fmt::join(std::vector<std::string>(words, words + count), " "));
}

constexpr const char *check_footer =
    R"(SPEC, once per parameter, in order:  [const ]TYPE[=VALUE][:DOMAIN],  [const ]TYPE alias=PLACE  or  file=x.npy
  TYPE    double, float, int, long; with extents a pointer: double[8], float[3x4], double[n*lda]
  VALUE   fixes it: int=8, double[3]=1,2,3, several points double=1;2.5; or draws an integer: int=1..40, int={-2,1}
  DOMAIN  positive, nonzero, unit, (lo,hi), log(lo,hi), spd, symmetric, orthogonal, lower, upper, simplex,
          stochastic, sorted, unit_vector, quantised(step), joined by commas; *SCALE behind all
  PLACE   in the memory of another parameter, which it shares: x, x+3
  const   never differentiates it
Parameters that are all floating-point scalars need no --arg.

  assay check dot.c --function dot --arg 'double[8]' --arg 'double[8]' --arg int=8

Exit codes: 0 all passed, 1 a gradient is wrong, 2 the request is unusable.)";

/// What the command line fills.
struct Words {
  CheckArguments check;
  std::string points;
  std::string file, function, rule, mode = "all", oracle = "auto", report, reproducer;
  unsigned level = 2;
  std::string report_folder, replay_folder = "assay-report";
  std::size_t record = 0;
  cli::FuzzArguments fuzz;
  std::string levels = "0,1,2,3", shard = "1/1", fuzz_report, plugin;
  std::int64_t only = -1, shrink_seconds = 60;
  std::string launch, backend = "auto";
  std::string accuracy_folder = "assay-report/accuracy";
  cli::MutateArguments mutate;
  std::string mutate_file, mutate_function, mutate_class, mutate_report;
  double percent = 99;
  cli::SweepArguments sweep;
  std::string sweep_precision = "both", sweep_oracle = "fd";
  cli::ExplainWords explain;
  cli::EmulateArguments emulate;
};

void add_check(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *check = app.add_subcommand("check", "Check the derivatives of functions in every activity combination");
  check->footer(check_footer);
  check->add_option("FILE", words.file,
                    "C, C++, CUDA C++, LLVM IR or bitcode; without it the shipped examples are checked");
  check->add_option("--function", words.function,
                    "Source-level name; without it every function marked with ASSAY_CHECK");
  check->add_option(
      "--rule", words.rule,
      "Only a derivative rule of FILE, by its function, class or table: that function, and the marked ones "
      "that use it");
  check->add_option("--arg", words.check.arguments, "SPEC of a parameter, see below")->allow_extra_args(false);
  check->add_option(
      "--launch", words.launch,
      "Threads of a kernel: '<<<BLOCKS,THREADS>>>', '<<<(4,2),(8,8),BYTES>>>' with dynamic shared memory");
  check
      ->add_option("--backend", words.backend,
                   "Where kernels run: on a device, emulated on this machine, or auto: on a device where there is one")
      ->check(CLI::IsMember({"auto", "device", "emulated"}))
      ->capture_default_str();
  check->add_option("--points", words.points,
                    "CSV file: each row holds the numbers of one point, for all real arguments without values");
  add_seed(*check, words.check.settings.seed, "Seed of all random numbers");
  add_samples(*check, words.check.settings.samples, "Random points for each combination");
  check->add_option("--mode", words.mode, "Derivatives to check")
      ->check(CLI::IsMember({"forward", "reverse", "all"}))
      ->capture_default_str();
  check
      ->add_option("--oracle", words.oracle,
                   "Reference for derivatives: finite differences, the function in wide arithmetic, or auto: the "
                   "second, and the "
                   "first where that does not cover the code")
      ->check(CLI::IsMember({"auto", "fd", "wide"}))
      ->capture_default_str();
  check
      ->add_option("--digits-lost", words.check.settings.most_digits_lost,
                   "A right derivative that has lost more decimal digits to rounding fails; without it none does")
      ->check(CLI::Range(0.0, 17.0));
  check->add_flag_callback(
      "--plain", [&words] { words.check.settings.variations = testutils::Variations::none; },
      "Only at width 1, in one function and without run-time activity");
  check->add_flag_callback(
      "--aliasings", [&words] { words.check.settings.sharing = cli::Sharing::every_way; },
      "Also with pointers of one type that are the same memory, in every way");
  check
      ->add_option("--budget", words.check.settings.budget,
                   "At most so many combinations of each function, drawn with the seed; 0: all")
      ->capture_default_str();
  add_tolerances(*check, words.check.settings);
  add_limits(*check, words.check.settings);
  add_jobs(*check, words.check.settings.jobs,
           "Processes at once: functions, and both modes of each; the output is that of one");
  add_level(*check, words.level);
  check->add_option("--report", words.report,
                    "Folder for records.jsonl, junit.xml and index.html (without FILE: assay-report)");
  check->add_option("--reproducer", words.reproducer,
                    "Folder for the first failure of each function and mode as files that stand alone");
  check->callback([&words, &action, check] {
    action = [&words, check] {
      if (!words.file.empty())
        words.check.file = words.file;
      if (!words.function.empty())
        words.check.function = words.function;
      if (!words.rule.empty())
        words.check.rule = words.rule;
      if (!words.points.empty())
        words.check.points = words.points;
      const auto chosen = [check](const char *option) {
        return check->count(option) == 0 ? cli::Chosen::by_default : cli::Chosen::by_user;
      };
      words.check.settings.samples_chosen = chosen("--samples");
      words.check.settings.budget_chosen = chosen("--budget");
      words.check.settings.modes = modes.at(words.mode);
      if (!words.launch.empty())
        words.check.settings.launch = jit::parse_launch(words.launch);
      words.check.settings.oracle = oracles.at(words.oracle);
      words.check.settings.level = static_cast<jit::OptimizationLevel>(words.level);
      if (words.report.empty() && words.file.empty())
        words.report = "assay-report";
      if (!words.report.empty())
        words.check.report = words.report;
      if (!words.reproducer.empty())
        words.check.reproducer = words.reproducer;
      return words.backend == "device" ? cli::run_check_on_device(words.check) : cli::run_check(words.check);
    };
  });
}

void add_test(CLI::App &app, std::function<ExitCode()> &action) {
  CLI::App *test = app.add_subcommand("test", "Run the test suite of the build tree");
  test->footer("Everything that follows goes to ctest, for example: assay test -R Rosenbrock");
  test->prefix_command();
  test->callback([&action, test] { action = [test] { return cli::run_tests(test->remaining()); }; });
}

void add_report(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *report = app.add_subcommand("report", "Write a report's page and XML again from its records");
  report->add_option("DIR", words.report_folder, "Folder with records.jsonl")->required();
  report->callback([&] { action = [&words] { return cli::render_report(words.report_folder); }; });
}

void add_accuracy(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *accuracy = app.add_subcommand("accuracy", "Measure the finite differences against closed forms");
  accuracy->add_option("--report", words.accuracy_folder, "Folder for the page with plots")->capture_default_str();
  accuracy->callback(
      [&] { action = [&words] { return cli::run_accuracy(words.accuracy_folder, words.check.command_line); }; });
}

void add_replay(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *replay = app.add_subcommand("replay", "Repeat the check of one record of a report");
  replay->add_option("ID", words.record, "Number of the record, from 1, as the page shows it")->required();
  replay->add_option("--report", words.replay_folder, "Folder of the report")->capture_default_str();
  replay->callback([&] {
    action = [&words] { return cli::replay_record(words.replay_folder, words.record, words.check.settings.program); };
  });
}

void read_fuzz(Words &words) {
  cli::FuzzArguments &fuzz = words.fuzz;
  fuzz.program = words.check.settings.program;
  fuzz.levels = cli::parse_levels(words.levels);
  if (fuzz.levels.empty())
    throw jit::BadRequest(fmt::format("--levels: '{}' is not a list such as 0,2", words.levels));
  if (std::sscanf(words.shard.c_str(), "%u/%u", &fuzz.shard, &fuzz.shards) != 2 || fuzz.shard < 1 ||
      fuzz.shard > fuzz.shards)
    throw jit::BadRequest(fmt::format("--shard: '{}' is not I/N with I from 1 to N", words.shard));
  if (words.only >= 0)
    fuzz.only = static_cast<std::uint32_t>(words.only);
  if (!words.fuzz_report.empty())
    fuzz.report = words.fuzz_report;
  if (!words.plugin.empty())
    fuzz.plugin = words.plugin;
  fuzz.shrink_budget = std::chrono::seconds(words.shrink_seconds);
}

void add_fuzz(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *fuzz = app.add_subcommand("fuzz", "Check the derivatives of random programs");
  add_seed(*fuzz, words.fuzz.seed, "Seed of all programs");
  fuzz->add_option("--programs", words.fuzz.programs, "How many")->capture_default_str();
  fuzz->add_option("--only", words.only, "Test the program with this number alone")->check(CLI::NonNegativeNumber);
  fuzz->add_option("--levels", words.levels, "Optimisation levels")->capture_default_str();
  fuzz->add_option("--shard", words.shard, "I/N: every N-th program, from the I-th")->capture_default_str();
  fuzz->add_option("--report", words.fuzz_report, "Folder for each failing program, made small, as a C file");
  fuzz->add_option("--plugin", words.plugin, "Another plugin than the one that belongs to this program");
  fuzz->add_option("--flag", words.fuzz.flags, "One more flag of the compiler, such as --flag=-g")
      ->allow_extra_args(false);
  fuzz->add_option("--weight", words.fuzz.weights,
                   "KIND=NUMBER: how often programs have jumps, lists, ...; 1 is usual, 0 is never; KIND may be all");
  fuzz->add_option("--shrink-budget", words.shrink_seconds, "Seconds to make one failing program smaller")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  fuzz->callback([&] {
    action = [&words] {
      read_fuzz(words);
      return cli::run_fuzz(words.fuzz);
    };
  });
}

void read_mutate(Words &words) {
  cli::MutateArguments &mutate = words.mutate;
  mutate.check.settings.program = words.check.settings.program;
  mutate.check.settings.level = static_cast<jit::OptimizationLevel>(words.level);
  if (!words.mutate_file.empty())
    mutate.check.file = words.mutate_file;
  if (!words.mutate_function.empty())
    mutate.check.function = words.mutate_function;
  if (!words.rule.empty()) {
    mutate.check.rule = words.rule;
    mutate.where = cli::MutateArguments::Where::registered;
  }
  if (!words.mutate_report.empty())
    mutate.check.report = words.mutate_report;
  mutate.kind = jit::fault_class_named(words.mutate_class);
  mutate.at_least = words.percent / 100;
}

void add_mutate(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *mutate = app.add_subcommand("mutate", "Plant faults in derivatives and count those that the check finds");
  cli::MutateArguments &arguments = words.mutate;
  std::vector<std::string> classes;
  for (const auto &[kind, name] : jit::fault_classes)
    classes.emplace_back(name);
  arguments.jobs = std::max(1U, std::thread::hardware_concurrency());
  mutate->add_option("FILE", words.mutate_file,
                     "C, C++, LLVM IR or bitcode; without it the shipped examples and the mutation suite");
  mutate->add_option("--function", words.mutate_function, "As for check");
  mutate->add_option("--arg", arguments.check.arguments, "As for check")->allow_extra_args(false);
  mutate->add_flag_callback(
      "--rules", [&] { arguments.where = cli::MutateArguments::Where::rules; },
      "Plant faults in rules, not in the code of derivatives");
  mutate->add_flag_callback(
      "--registered", [&] { arguments.where = cli::MutateArguments::Where::registered; },
      "Faults in the functions of the rules that FILE registers");
  mutate->add_option("--rule", words.rule, "As for check; the faults are in this rule");
  mutate->add_option("--class", words.mutate_class, "Faults of this class alone")->check(CLI::IsMember(classes));
  mutate->add_option("--budget", arguments.budget, "How many faults are drawn; 0 for all")->capture_default_str();
  mutate->add_option("--only", arguments.only, "One fault, as a report names it");
  mutate->add_option("--at-least", words.percent, "Score in percent that is enough")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  add_seed(*mutate, arguments.check.settings.seed, "Seed of all random numbers");
  add_samples(*mutate, arguments.check.settings.samples, "Random points for each check");
  add_tolerances(*mutate, arguments.check.settings);
  add_level(*mutate, words.level);
  add_jobs(*mutate, arguments.jobs);
  mutate->add_option("--report", words.mutate_report, "Folder for mutants.jsonl");
  mutate->callback([&] {
    action = [&words] {
      read_mutate(words);
      return cli::run_mutate(words.mutate);
    };
  });
}

void read_sweep(Words &words) {
  using enum gen::functions::Precision;
  cli::SweepArguments &sweep = words.sweep;
  sweep.settings.program = words.check.settings.program;
  sweep.settings.oracle = oracles.at(words.sweep_oracle);
  sweep.settings.level = static_cast<jit::OptimizationLevel>(words.level);
  if (words.sweep_precision != "both")
    sweep.precisions = {words.sweep_precision == "float" ? real32 : real64};
}

void add_sweep(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *sweep = app.add_subcommand("sweep", "Look for false alarms of the check, on random functions");
  cli::SweepArguments &arguments = words.sweep;
  arguments.jobs = std::max(1U, std::thread::hardware_concurrency());
  sweep->add_option("--functions", arguments.functions, "Smooth functions in each precision")->capture_default_str();
  sweep
      ->add_option("--planted", arguments.planted,
                   "Functions with each kind of kink, jump, pole and short scale, in each precision")
      ->capture_default_str();
  add_seed(*sweep, arguments.settings.seed, "Seed of all random numbers");
  sweep->add_option("--only", arguments.only, "One function, such as near-kink/float/17");
  sweep->add_option("--precision", words.sweep_precision, "Of the functions")
      ->check(CLI::IsMember({"float", "double", "both"}))
      ->capture_default_str();
  sweep->add_option("--oracle", words.sweep_oracle, "As for check")
      ->check(CLI::IsMember({"auto", "fd", "wide"}))
      ->capture_default_str();
  sweep->add_option("--budget", arguments.settings.budget, "At most so many combinations of each function; 0: all")
      ->capture_default_str();
  add_level(*sweep, words.level);
  add_jobs(*sweep, arguments.jobs);
  sweep->callback([&] {
    action = [&words] {
      read_sweep(words);
      return cli::run_sweep(words.sweep);
    };
  });
}

void add_emulate(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *emulate =
      app.add_subcommand("emulate", "Compile a CUDA program, its derivatives included, and run its main on the CPU");
  cli::EmulateArguments &arguments = words.emulate;
  emulate->footer("Arguments of the program stand behind --. The exit code is the program's.");
  emulate->add_option("FILE", arguments.files, "CUDA C++; all files are one program")->required();
  emulate->add_option("--order", arguments.order, "Of threads and blocks: ascending, descending or a seed")
      ->capture_default_str();
  emulate->add_option("--opt-level", arguments.level, "Level of clang: 0, 1, 2, 3")->capture_default_str();
  emulate->add_flag("--watch", arguments.watches,
                    "Look for races, uninitialised shared memory, accesses out of bounds and leaks (slow); the exit "
                    "code is 1 when something is found");
  emulate->add_option("--output", arguments.output, "Write the program here and do not run it");
  emulate->callback([&] { action = [&words] { return static_cast<ExitCode>(cli::run_emulate(words.emulate)); }; });
}

/// Cuts what stands behind `--` off the command line of `emulate`.
int take_program_arguments(int count, char **words_of_line, std::vector<std::string> &arguments) {
  if (count < 2 || std::string_view(words_of_line[1]) != "emulate")
    return count;
  for (int index = 2; index < count; ++index)
    if (std::string_view(words_of_line[index]) == "--") {
      arguments.assign(words_of_line + index + 1, words_of_line + count);
      return index;
    }
  return count;
}

int complain(const std::string &line) {
  fmt::print(stderr, "assay: {}\n", line);
  return ExitCode::unusable_request;
}

} // namespace

int main(int count, char **words_of_line) {
  CLI::App app("Differentiates programs and proves the gradients right", "assay");
  app.require_subcommand(1);
  app.set_version_flag("--version", ASSAY_VERSION);
  Words words;
  words.check.settings.program = invoked_as(words_of_line[0]);
  words.check.command_line = joined(count, words_of_line);
  std::function<ExitCode()> action;
  add_check(app, words, action);
  add_test(app, action);
  add_report(app, words, action);
  add_replay(app, words, action);
  add_fuzz(app, words, action);
  add_accuracy(app, words, action);
  add_mutate(app, words, action);
  add_sweep(app, words, action);
  cli::add_explain(app, words.explain, action);
  add_emulate(app, words, action);
  count = take_program_arguments(count, words_of_line, words.emulate.program_arguments);

  const std::vector<CLI::App *> known = app.get_subcommands([](const CLI::App *) { return true; });
  const auto is_first_word = [&](const CLI::App *command) { return command->get_name() == words_of_line[1]; };
  if (count > 1 && words_of_line[1][0] != '-' && std::none_of(known.begin(), known.end(), is_first_word))
    return complain(fmt::format("no command '{}'; there are check, explain, fuzz, test, report, replay, accuracy, "
                                "mutate, sweep and emulate, see --help",
                                words_of_line[1]));
  try {
    app.parse(count, words_of_line);
    return action();
  } catch (const CLI::Success &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    return complain(fmt::format("{}; see --help", error.what()));
  } catch (const jit::BadRequest &error) {
    const int code = complain(error.what());
    if (!error.details.empty())
      fmt::print(stderr, "{}{}", error.details, error.details.ends_with('\n') ? "" : "\n");
    return code;
  } catch (const std::exception &error) {
    return complain(error.what());
  }
}
