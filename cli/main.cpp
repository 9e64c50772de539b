// The `assay` command: reads the command line, runs one command, turns what goes wrong into one line and an exit code.

#include "cli/accuracy_command.hpp"
#include "cli/check_options.hpp"
#include "cli/commands.hpp"
#include "cli/doctor_command.hpp"
#include "cli/emulate_command.hpp"
#include "cli/explain_options.hpp"
#include "cli/fuzz_command.hpp"
#include "cli/interruption.hpp"
#include "cli/manual_page.hpp"
#include "cli/mutate_command.hpp"
#include "cli/night/options.hpp"
#include "cli/option_values.hpp"
#include "cli/shared_options.hpp"
#include "cli/shell_completion.hpp"
#include "cli/standard_output.hpp"
#include "cli/sweep_command.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/kernel_launch.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <system_error>
#include <thread>

namespace {

using namespace assay;
using cli::add_jobs;
using cli::add_level;
using cli::add_samples;
using cli::add_seed;
using cli::add_tolerances;
using cli::ExitCode;
using cli::oracles;

/// How replay commands have to call this program to reach it again.
std::string invoked_as(const char *first_word) {
  const char *launcher = std::getenv("ASSAY_INVOKED_AS");
  return launcher ? launcher : first_word;
}

std::string joined(int count, char **words) {
  return fmt::format("{}", fmt::join(std::vector<std::string>(words, words + count), " "));
}

/// What the command line fills.
struct Words {
  cli::CheckWords check;
  std::string rule;
  unsigned level = 2;
  cli::FuzzArguments fuzz;
  std::string levels = "0,1,2,3", shard = "1/1", fuzz_report, plugin;
  std::int64_t only = -1, shrink_seconds = 60;
  std::string accuracy_folder = "assay-report/accuracy";
  cli::MutateArguments mutate;
  std::string mutate_file, mutate_function, mutate_class, mutate_report, mutate_launch;
  std::vector<std::string> mutate_specs;
  double percent = 99;
  cli::SweepArguments sweep;
  std::string sweep_precision = "both", sweep_oracle = "fd";
  cli::ExplainWords explain;
  cli::NightWords night;
  cli::EmulateArguments emulate;
  std::string shell, manual;
};

void add_test(CLI::App &app, std::function<ExitCode()> &action) {
  CLI::App *test = app.add_subcommand("test", "Run the test suite of the build tree");
  test->footer("Everything that follows goes to ctest, for example: assay test -R Rosenbrock");
  test->prefix_command();
  test->callback([&action, test] { action = [test] { return cli::run_tests(test->remaining()); }; });
}

void add_accuracy(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *accuracy = app.add_subcommand("accuracy", "Measure the finite differences against closed forms");
  accuracy->add_option("--report", words.accuracy_folder, "Folder for the page with plots")->capture_default_str();
  accuracy->callback(
      [&] { action = [&words] { return cli::run_accuracy(words.accuracy_folder, words.check.output.command_line); }; });
}

void read_fuzz(Words &words) {
  cli::FuzzArguments &fuzz = words.fuzz;
  fuzz.program = words.check.arguments.settings.program;
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
  mutate.check.settings.program = words.check.arguments.settings.program;
  mutate.check.settings.level = static_cast<jit::OptimizationLevel>(words.level);
  if (!words.mutate_file.empty())
    mutate.check.files = {words.mutate_file};
  if (!words.mutate_function.empty() || !words.mutate_specs.empty())
    mutate.check.functions = {{words.mutate_function, words.mutate_specs}};
  if (!words.mutate_launch.empty())
    mutate.check.settings.launch = jit::parse_launch(words.mutate_launch);
  if (!words.rule.empty()) {
    mutate.check.rule = words.rule;
    mutate.where = cli::MutateArguments::Where::registered;
  }
  if (!words.mutate_report.empty())
    mutate.report = words.mutate_report;
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
  mutate->add_option("--arg", words.mutate_specs, "As for check")->allow_extra_args(false);
  mutate->add_option("--launch", words.mutate_launch, "As for check, of a kernel");
  mutate->add_flag_callback(
      "--rules", [&] { arguments.where = cli::MutateArguments::Where::rules; },
      "Plant faults in rules, not in the code of derivatives");
  mutate->add_flag_callback(
      "--registered", [&] { arguments.where = cli::MutateArguments::Where::registered; },
      "Faults in the functions of the rules that FILE registers");
  mutate->add_option("--rule", words.rule, "As for check; the faults are in this rule");
  mutate->add_option("--class", words.mutate_class, "Faults of this class alone")->check(CLI::IsMember(classes));
  CLI::Option *budget = mutate->add_option("--budget", arguments.budget, "How many faults are drawn; 0 for all");
  budget->capture_default_str();
  mutate->add_flag("--rest", arguments.rest, "Those that --budget does not draw")->needs(budget);
  mutate->add_option("--only", arguments.only, "One fault, as a report names it");
  mutate->add_option("--at-least", words.percent, "Score in percent that is enough")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  add_seed(*mutate, arguments.check.settings.seed, "Seed of all random numbers");
  add_samples(*mutate, arguments.check.settings.samples, "Random points for each check");
  add_tolerances(*mutate, arguments.check.settings);
  add_level(*mutate, words.level);
  add_jobs(*mutate, arguments.jobs);
  cli::add_sources(*mutate, arguments.check.settings.sources);
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
  sweep.settings.program = words.check.arguments.settings.program;
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
  emulate->add_option("-I", arguments.include_directories, "Folder of headers, as of clang; can be repeated")
      ->allow_extra_args(false);
  emulate->add_option("-D", arguments.definitions, "NAME or NAME=VALUE: a macro, as of clang; can be repeated")
      ->allow_extra_args(false);
  emulate->add_option("--flag", arguments.flags, "Further flag of clang, as --flag=-std=c++17; can be repeated")
      ->allow_extra_args(false);
  emulate->add_flag("--watch", arguments.watches,
                    "Look for races, uninitialised shared memory, accesses out of bounds and leaks (slow); the exit "
                    "code is 1 when something is found");
  emulate->add_option("--output", arguments.output, "Write the program here and do not run it");
  emulate->callback([&] { action = [&words] { return static_cast<ExitCode>(cli::run_emulate(words.emulate)); }; });
}

void add_documentation(CLI::App &app, Words &words, std::function<ExitCode()> &action) {
  CLI::App *doctor = app.add_subcommand("doctor", "Say what this machine lacks for the commands, and what to do");
  doctor->callback([&action] { action = cli::run_doctor; });
  CLI::App *completion = app.add_subcommand("completion", "Print the completion of this command for a shell");
  completion->add_option("SHELL", words.shell, "Which shell")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(cli::shells.begin(), cli::shells.end())));
  completion->callback([&] {
    action = [&] {
      fmt::print("{}", cli::completion_for(words.shell, cli::describe_commands(app)));
      return ExitCode::all_passed;
    };
  });
  CLI::App *manual = app.add_subcommand("manual", "Write the manual pages");
  manual->add_option("DIR", words.manual, "Folder for assay.1, assay-check.1, ...")->required();
  manual->callback([&] {
    action = [&] {
      cli::write_manual(cli::describe_commands(app), words.manual);
      return ExitCode::all_passed;
    };
  });
}

/// Cuts what stands behind `--` off the command line of the commands that have a use for it.
int take_words_behind(int count, char **words_of_line, Words &words) {
  const std::string_view command = count < 2 ? "" : words_of_line[1];
  std::vector<std::string> *behind = command == "emulate"   ? &words.emulate.program_arguments
                                     : command == "check"   ? &words.check.arguments.settings.sources.flags
                                     : command == "explain" ? &words.explain.arguments.settings.sources.flags
                                     : command == "mutate"  ? &words.mutate.check.settings.sources.flags
                                                            : nullptr;
  for (int index = 2; behind && index < count; ++index)
    if (std::string_view(words_of_line[index]) == "--") {
      behind->assign(words_of_line + index + 1, words_of_line + count);
      return index;
    }
  return count;
}

/// `check, test and report`
std::string listed(const std::vector<CLI::App *> &commands) {
  std::string list;
  for (const CLI::App *command : commands)
    list += fmt::format("{}{}", list.empty() ? "" : command == commands.back() ? " and " : ", ", command->get_name());
  return list;
}

/// After an interruption nothing is wrong with the request.
int complain(const std::string &line) {
  if (const std::optional<int> signal = cli::interruption())
    return 128 + *signal;
  fmt::print(stderr, "assay: {}\n", line);
  return ExitCode::unusable_request;
}

std::string lost_output(const std::string &reason) {
  return fmt::format("standard output cannot be written: {}", reason);
}

/// Where its output is lost, nobody has seen what a command found.
int code_with_output(ExitCode code) {
  const std::string loss = cli::loss_of_standard_output();
  return loss.empty() ? code : complain(lost_output(loss));
}

} // namespace

int main(int count, char **words_of_line) {
  CLI::App app("Differentiates programs and proves the gradients right", "assay");
  app.require_subcommand(1);
  app.set_version_flag("--version", ASSAY_VERSION);
  Words words;
  words.check.arguments.settings.program = invoked_as(words_of_line[0]);
  words.check.output.command_line = joined(count, words_of_line);
  words.night.nightly.check.program = words.check.arguments.settings.program;
  words.night.nightly.command_line = words.check.output.command_line;
  std::function<ExitCode()> action;
  cli::add_check(app, words.check, action);
  add_test(app, action);
  cli::add_report(app, words.night, action);
  cli::add_replay(app, words.night, action);
  add_fuzz(app, words, action);
  add_accuracy(app, words, action);
  add_mutate(app, words, action);
  add_sweep(app, words, action);
  cli::add_nightly(app, words.night, action);
  cli::add_merge(app, words.night, action);
  cli::add_diff(app, words.night, action);
  cli::add_bisect(app, words.night, action);
  cli::add_explain(app, words.explain, action);
  add_emulate(app, words, action);
  add_documentation(app, words, action);
  count = take_words_behind(count, words_of_line, words);
  cli::watch_for_interruption();

  const std::vector<CLI::App *> known = app.get_subcommands([](const CLI::App *) { return true; });
  const auto is_first_word = [&](const CLI::App *command) { return command->get_name() == words_of_line[1]; };
  if (count > 1 && words_of_line[1][0] != '-' && std::none_of(known.begin(), known.end(), is_first_word))
    return complain(fmt::format("no command '{}'; there are {}, see --help", words_of_line[1], listed(known)));
  try {
    app.parse(count, words_of_line);
    return code_with_output(action());
  } catch (const CLI::Success &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    return complain(fmt::format("{}; see --help", error.what()));
  } catch (const jit::BadRequest &error) {
    const int code = complain(error.what());
    if (!error.details.empty())
      fmt::print(stderr, "{}{}", error.details, error.details.ends_with('\n') ? "" : "\n");
    return code;
  } catch (const std::system_error &error) {
    if (std::ferror(stdout) != 0) // So fmt::print says it.
      return complain(lost_output(error.code().message()));
    return complain(error.what());
  } catch (const std::exception &error) {
    return complain(error.what());
  }
}
