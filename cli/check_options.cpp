#include "cli/check_options.hpp"

#include "cli/compile_flags.hpp"
#include "cli/device_check.hpp"
#include "cli/editor_diagnostics.hpp"
#include "cli/option_values.hpp"
#include "cli/project_file.hpp"
#include "cli/shared_options.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/kernel_launch.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::cli {

namespace {

constexpr const char *check_footer =
    R"(SPEC, once per parameter, in order:  [const ]TYPE[=VALUE][:DOMAIN],  [const ]TYPE alias=PLACE  or  file=x.npy
  TYPE    double, float, int, long, bool, uint8_t and the like, or C's name for one (unsigned char, size_t);
          with extents a pointer: double[8], float[3x4], double[n*lda]
  VALUE   fixes it: int=8, double[3]=1,2,3, several points double=1;2.5; or draws an integer: int=1..40, int={-2,1}
  DOMAIN  positive, nonzero, unit, (lo,hi), log(lo,hi), spd, symmetric, orthogonal, lower, upper, simplex,
          stochastic, sorted, unit_vector, quantised(step), joined by commas; *SCALE behind all
  PLACE   in the memory of another parameter, which it shares: x, x+3
  const   never differentiates it
A pointer to a function is described by one, f=square, an object of C++ by its sizes: vector[8], net={layers=2,width=3}.
Parameters that are all floating-point scalars need no --arg.

  assay check dot.c --function dot --arg 'double[8]' --arg 'double[8]' --arg int=8

Exit codes: 0 all passed, 1 a gradient is wrong, 2 the request is unusable.)";

/// --arg belongs to the --function before it; those before the first one belong to that.
std::vector<NamedFunction> named_functions(const CLI::App &check, const CheckWords &words) {
  std::vector<NamedFunction> functions;
  std::vector<std::string> early;
  std::size_t name = 0, spec = 0;
  for (const CLI::Option *option : check.parse_order())
    if (option->get_name() == "--function")
      functions.push_back({words.functions[name++], {}});
    else if (option->get_name() == "--arg")
      (functions.empty() ? early : functions.back().arguments).push_back(words.specs[spec++]);
  if (functions.empty() && !early.empty())
    functions.push_back({"", {}});
  if (!early.empty())
    functions.front().arguments.insert(functions.front().arguments.begin(), early.begin(), early.end());
  return functions;
}

/// What stands on the command line counts more than what the project says.
void prefer_given(const CLI::App &check, const CheckSettings &given, CheckSettings &settings) {
  const auto take = [&](const char *option, auto CheckSettings::*member) {
    if (check.count(option) != 0)
      settings.*member = given.*member;
  };
  const auto take_limit = [&](const char *option, auto CallLimits::*member) {
    if (check.count(option) != 0)
      settings.limits.*member = given.limits.*member;
  };
  take("--seed", &CheckSettings::seed);
  take("--samples", &CheckSettings::samples);
  take("--samples", &CheckSettings::samples_chosen);
  take("--budget", &CheckSettings::budget);
  take("--budget", &CheckSettings::budget_chosen);
  take("--mode", &CheckSettings::modes);
  take("--oracle", &CheckSettings::oracle);
  take("--digits-lost", &CheckSettings::most_digits_lost);
  take("--plain", &CheckSettings::variations);
  take("--aliasings", &CheckSettings::sharing);
  take("--rtol", &CheckSettings::rtol);
  take("--atol", &CheckSettings::atol);
  take("--seconds", &CheckSettings::seconds);
  take("--patience", &CheckSettings::patience_seconds);
  take("--opt-level", &CheckSettings::level);
  take_limit("--call-seconds", &CallLimits::seconds);
  take_limit("--memory", &CallLimits::memory);
  take_limit("--output-limit", &CallLimits::output);
  settings.shows_compiler_text = given.shows_compiler_text;
  if (check.count("-p") != 0)
    settings.sources.build = given.sources.build;
  settings.sources.with.insert(settings.sources.with.end(), given.sources.with.begin(), given.sources.with.end());
  settings.sources.flags.insert(settings.sources.flags.end(), given.sources.flags.begin(), given.sources.flags.end());
}

/// The parts of this folder's project.
std::vector<CheckArguments> parts_of_project(const CLI::App &check, CheckWords &words,
                                             const std::filesystem::path &file) {
  if (!words.arguments.functions.empty() || words.arguments.rule || words.arguments.points ||
      words.arguments.choice == FunctionChoice::every_describable)
    throw jit::BadRequest("--function, --arg, --rule, --points and --all need a FILE: without one assay.toml says what "
                          "is checked");
  CheckArguments defaults;
  defaults.settings.program = words.arguments.settings.program;
  Project project = read_project(file, defaults);
  words.output.known_failures = std::move(project.known_failures);
  std::vector<CheckArguments> parts;
  for (ProjectCheck &part : project.checks) {
    prefer_given(check, words.arguments.settings, part.arguments.settings);
    parts.push_back(std::move(part.arguments));
  }
  return parts;
}

void read_settings(const CLI::App &check, CheckWords &words) {
  CheckSettings &settings = words.arguments.settings;
  const auto chosen = [&](const char *option) {
    return check.count(option) == 0 ? Chosen::by_default : Chosen::by_user;
  };
  settings.samples_chosen = chosen("--samples");
  settings.budget_chosen = chosen("--budget");
  settings.modes = modes.at(words.mode);
  settings.oracle = oracles.at(words.oracle);
  settings.level = static_cast<jit::OptimizationLevel>(words.level);
  settings.shows_compiler_text = words.output.verbosity == Verbosity::verbose;
  if (!words.launch.empty())
    settings.launch = jit::parse_launch(words.launch);
}

ExitCode run_to_its_end(const CLI::App &check, CheckWords &words) {
  read_settings(check, words);
  CheckArguments &arguments = words.arguments;
  for (const std::string &file : words.files)
    if (std::ranges::find(arguments.files, std::filesystem::path(file)) ==
        arguments.files.end()) // Shells' patterns may overlap.
      arguments.files.emplace_back(file);
  arguments.functions = named_functions(check, words);
  if (!words.rule.empty())
    arguments.rule = words.rule;
  if (!words.points.empty())
    arguments.points = words.points;
  const auto project = arguments.files.empty() ? project_in(".") : std::nullopt;
  std::vector<CheckArguments> parts{arguments};
  if (project)
    parts = parts_of_project(check, words, project->filename());
  else if (arguments.files.empty() && words.report.empty())
    words.report = "assay-report";
  for (CheckArguments &part : parts) {
    if (words.output.lists && part.functions.empty() && !part.files.empty())
      part.choice = FunctionChoice::every_describable;
    const auto level = flags_of_user(part.settings.sources.flags).level;
    if (level && check.count("--opt-level") == 0)
      part.settings.level = *level;
  }
  if (!words.report.empty())
    words.output.report = words.report;
  if (!words.reproducer.empty())
    words.output.reproducer = words.reproducer;
  if (words.output.day.empty())
    words.output.day = today();
  if (!words.test_file.empty())
    return write_test_program(arguments, words.test_file);
  if (words.backend == "device")
    return run_check_on_device(arguments);
  return run_check(parts, words.output);
}

/// Standard output is one line of JSON, whatever happens.
ExitCode run_for_editor(const CLI::App &check, CheckWords &words) {
  EditorDiagnostics diagnostics;
  words.output.diagnostics = &diagnostics;
  std::optional<jit::BadRequest> refusal;
  ExitCode code = unusable_request;
  try {
    code = run_to_its_end(check, words);
  } catch (const jit::BadRequest &error) {
    std::error_code ignored;
    std::filesystem::path file = words.files.empty() ? "./assay.toml" : words.files.front();
    if (words.files.empty() && !std::filesystem::exists(file, ignored))
      file = ".";
    if (diagnostics.is_empty()) // Otherwise it has been told of its function.
      diagnostics.add_refusal(error, file);
    refusal = error;
  }
  fmt::print("{}\n", diagnostics.json());
  if (refusal)
    throw jit::BadRequest(*refusal);
  return code;
}

ExitCode run(const CLI::App &check, CheckWords &words) {
  return words.output.form == OutputForm::diagnostics ? run_for_editor(check, words) : run_to_its_end(check, words);
}

} // namespace

void add_check(CLI::App &app, CheckWords &words, std::function<ExitCode()> &action) {
  CLI::App *check = app.add_subcommand("check", "Check the derivatives of functions in every activity combination");
  check->footer(check_footer);
  CheckSettings &settings = words.arguments.settings;
  check->add_option(
      "FILE", words.files,
      "C, C++, CUDA C++, Fortran, LLVM IR or bitcode; each may use what another defines. Without it assay.toml of "
      "this folder says what is checked, and where there is none the shipped examples are");
  check
      ->add_option("--function", words.functions,
                   "Source-level name, with the --arg that follow it; without it every function marked with "
                   "ASSAY_CHECK")
      ->allow_extra_args(false);
  check->add_flag_callback(
      "--all", [&words] { words.arguments.choice = FunctionChoice::every_describable; },
      "Every function of FILE that can be described without --arg; says which are left out, and why");
  check->add_flag_callback(
      "--list", [&words] { words.output.lists = true; },
      "Only print what would be checked, one function a line with its --arg; without --function as with --all");
  check->add_option(
      "--rule", words.rule,
      "Only a derivative rule of FILE, by its function, class or table: that function, and the marked ones "
      "that use it");
  check->add_option("--arg", words.specs, "SPEC of a parameter, see below")->allow_extra_args(false);
  check->add_option(
      "--launch", words.launch,
      "Threads of a kernel: '<<<BLOCKS,THREADS>>>', '<<<(4,2),(8,8),BYTES>>>' with dynamic shared memory");
  check
      ->add_option("--backend", words.backend,
                   "Where kernels run: on a device, emulated on this machine, or auto: on a device where there is one")
      ->check(CLI::IsMember({"auto", "device", "emulated"}))
      ->capture_default_str();
  check->add_option("--write-test", words.test_file,
                    "Only write a GoogleTest program that checks the kernel at the first random point, for CMake's "
                    "assay_add_cuda_test and `assay emulate`");
  check->add_option("--points", words.points,
                    "CSV file: each row holds the numbers of one point, for all real arguments without values");
  add_seed(*check, settings.seed, "Seed of all random numbers");
  add_samples(*check, settings.samples, "Random points for each combination");
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
      ->add_option("--digits-lost", settings.most_digits_lost,
                   "A right derivative that has lost more decimal digits to rounding fails; without it none does")
      ->check(CLI::Range(0.0, 17.0));
  check->add_flag_callback(
      "--plain", [&settings] { settings.variations = testutils::Variations::none; },
      "Only at width 1, in one function and without run-time activity");
  check->add_flag_callback(
      "--aliasings", [&settings] { settings.sharing = Sharing::every_way; },
      "Also with pointers of one type that are the same memory, in every way");
  check
      ->add_option("--budget", settings.budget,
                   "At most so many combinations of each function, drawn with the seed; 0: all")
      ->capture_default_str();
  add_tolerances(*check, settings);
  add_limits(*check, settings);
  add_sources(*check, settings.sources);
  add_jobs(*check, words.output.jobs,
           "Processes at once: functions, and both modes of each; the output is that of one");
  add_level(*check, words.level);
  check->add_option("--report", words.report,
                    "Folder for records.jsonl, junit.xml and index.html (for the shipped examples: assay-report)");
  check->add_flag_callback(
      "--only-failed", [&words] { words.output.earlier = EarlierFailures::only; },
      "Only functions that failed in the report that stands in the folder of --report");
  check->add_flag_callback(
      "--failed-first", [&words] { words.output.earlier = EarlierFailures::first; }, "These first, then the others");
  check->add_flag_callback(
      "--json", [&words] { words.output.form = OutputForm::json; },
      "Records as JSON lines on standard output, as in records.jsonl; the closing line goes to standard error");
  check
      ->add_flag_callback(
          "--lsp-json", [&words] { words.output.form = OutputForm::diagnostics; },
          "Failures, errors of the compiler and warnings as diagnostics for editors: one JSON array on standard output")
      ->excludes("--json")
      ->excludes("--list");
  check->add_flag_callback(
      "-q,--quiet", [&words] { words.output.verbosity = Verbosity::quiet; }, "Only failures and the closing line");
  check
      ->add_flag_callback(
          "-v,--verbose", [&words] { words.output.verbosity = Verbosity::verbose; }, "Each combination as well")
      ->excludes("--quiet");
  check
      ->add_option("--today", words.output.day,
                   "YYYY-MM-DD, the day on which known failures of assay.toml expire; without it the clock's")
      ->check([](const std::string &text) {
        return is_day(text) ? "" : fmt::format("'{}' is not a day: YYYY-MM-DD", text);
      });
  check->add_option("--reproducer", words.reproducer,
                    "Folder for the first failure of each function and mode as files that stand alone");
  check->callback([&words, &action, check] { action = [&words, check] { return run(*check, words); }; });
}

} // namespace assay::cli
