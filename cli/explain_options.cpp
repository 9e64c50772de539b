#include "cli/explain_options.hpp"

#include "cli/shared_options.hpp"

namespace assay::cli {

void add_explain(CLI::App &app, ExplainWords &words, std::function<ExitCode()> &action) {
  CLI::App *explain = app.add_subcommand("explain", "Say why a derivative is as it is: types, activity, tape");
  ExplainArguments &arguments = words.arguments;
  explain->footer(R"(  assay explain heat.c --function step              why is the tape large
  assay explain heat.c --function step --why rate   why is this value constant, or kept
Exit codes: 0 explained, 1 there is no derivative and the output says why, 2 the request is unusable.)");
  explain->add_option("FILE", arguments.file, "C, C++, LLVM IR or bitcode")->required();
  explain->add_option("--function", words.function,
                      "Source-level name; without it every function marked with ASSAY_CHECK");
  explain
      ->add_option("--arg", arguments.arguments,
                   "SPEC of a parameter, as for check; without any those of its mark, else what its types say")
      ->allow_extra_args(false);
  explain
      ->add_option("--activities", arguments.activities,
                   "const, active, dup or dupnoneed for each parameter, with commas between them, and perhaps one more "
                   "for the result; without it all that can be is active")
      ->delimiter(',')
      ->allow_extra_args(false);
  explain->add_option("--mode", arguments.mode, "Of the derivative")
      ->check(CLI::IsMember({"forward", "reverse", "split"}))
      ->capture_default_str();
  add_number(*explain, "--width", arguments.width, "Tangents or adjoints at once", 1, 64);
  explain->add_flag_callback(
      "--runtime-activity", [&] { arguments.runtime_activity = jit::RuntimeActivity::on; }, "With run-time activity");
  add_level(*explain, words.level);
  add_sources(*explain, arguments.settings.sources);
  explain->add_flag_callback("--json", [&] { arguments.form = ExplainArguments::Form::json; }, "All of it as JSON");
  explain->add_flag_callback(
      "--values", [&] { arguments.detail = ExplainArguments::Detail::all_values; }, "One line for each value");
  explain->add_flag_callback(
      "--plan", [&] { arguments.detail = ExplainArguments::Detail::plan; },
      "The plan itself in terms of LLVM IR, one decision a line");
  explain->add_option("--why", words.why, "NAME[:LINE]: all that is known of the values with that name");
  explain->add_option("--html", words.page, "Also a page: the source with what each line keeps, and why");
  explain->callback([&] {
    action = [&words] {
      ExplainArguments &explained = words.arguments;
      explained.settings.level = static_cast<jit::OptimizationLevel>(words.level);
      if (!words.function.empty())
        explained.function = words.function;
      if (!words.why.empty())
        explained.why = words.why;
      if (!words.page.empty())
        explained.page = words.page;
      return run_explain(explained);
    };
  });
}

} // namespace assay::cli
