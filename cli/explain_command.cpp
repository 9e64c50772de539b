#include "cli/explain_command.hpp"

#include "cli/explain_json.hpp"
#include "cli/explain_page.hpp"
#include "cli/explain_text.hpp"
#include "cli/load_functions.hpp"
#include "cli/spec_texts.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/compile_source.hpp"

#include <charconv>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// What of a parameter's spec matters here.
struct Parameter {
  bool is_real = false, is_pointer = false, is_constant = false;
  std::optional<std::int64_t> value;
};

Parameter parameter_of(const jit::ParameterType &type) {
  using Kind = jit::ParameterType::Kind;
  Parameter parameter;
  parameter.is_pointer = type.kind == Kind::pointer;
  parameter.is_real = parameter.is_pointer ? !type.pointee || jit::is_real(*type.pointee) : type.kind != Kind::integer;
  return parameter;
}

Parameter parameter_of(const jit::ArgumentSpec &spec) {
  Parameter parameter;
  parameter.is_pointer = spec.is_pointer() || !spec.file.empty();
  parameter.is_real = jit::is_real(spec.type);
  parameter.is_constant = spec.constant;
  if (!parameter.is_pointer && spec.integers.size() == 1)
    parameter.value = spec.integers.front();
  return parameter;
}

/// Without specs those of the function's mark; without a mark what the types say.
std::vector<Parameter> parameters_of(const jit::ModuleFile &file, const jit::FunctionSignature &function,
                                     std::vector<std::string> texts) {
  if (texts.empty())
    for (const jit::CheckMark &mark : file.marks())
      if (mark.linkage_name == function.linkage_name)
        texts = mark.arguments;
  std::vector<Parameter> parameters;
  if (texts.empty()) {
    for (const jit::ParameterType &type : function.parameters)
      parameters.push_back(parameter_of(type));
    return parameters;
  }
  for (const jit::ArgumentSpec &spec : jit::bind_arguments(function, parse_specs(texts, function, file.path())))
    parameters.push_back(parameter_of(spec));
  return parameters;
}

jit::Activity activity_named(const std::string &name) {
  if (name == "const")
    return jit::Activity::constant;
  if (name == "active")
    return jit::Activity::active;
  if (name == "dup")
    return jit::Activity::duplicated;
  if (name == "dupnoneed")
    return jit::Activity::duplicated_no_need;
  throw jit::BadRequest(fmt::format("--activities: '{}' is none of const, active, dup and dupnoneed", name));
}

/// As much as can be.
jit::Activity full_activity(const Parameter &parameter, jit::Mode mode) {
  if (!parameter.is_real || parameter.is_constant)
    return jit::Activity::constant;
  return parameter.is_pointer || mode == jit::Mode::forward ? jit::Activity::duplicated : jit::Activity::active;
}

void check_activity(jit::Activity activity, const jit::ParameterType &type, jit::Mode mode) {
  const bool is_pointer = type.kind == jit::ParameterType::Kind::pointer;
  if (activity == jit::Activity::active && (is_pointer || mode == jit::Mode::forward))
    throw jit::BadRequest(fmt::format("--activities: {} cannot be active: {}", type.name,
                                      is_pointer ? "memory is dup" : "in forward mode numbers are dup"));
  if (activity != jit::Activity::constant && type.kind == jit::ParameterType::Kind::integer)
    throw jit::BadRequest(fmt::format("--activities: {} is an integer: const", type.name));
  if (activity != jit::Activity::constant && activity != jit::Activity::active && !is_pointer &&
      mode == jit::Mode::reverse)
    throw jit::BadRequest(fmt::format("--activities: {} is a number: active or const in reverse mode", type.name));
}

jit::Derivative derivative_of(const ExplainArguments &arguments, const jit::FunctionSignature &function,
                              const std::vector<Parameter> &parameters) {
  jit::Derivative derivative;
  derivative.mode = arguments.mode == "forward" ? jit::Mode::forward : jit::Mode::reverse;
  derivative.form = arguments.mode == "split" ? jit::Form::split : jit::Form::combined;
  derivative.width = arguments.width;
  derivative.runtime_activity = arguments.runtime_activity;
  const bool returns_real = function.result && function.result->kind != jit::ParameterType::Kind::integer &&
                            function.result->kind != jit::ParameterType::Kind::pointer;
  if (returns_real)
    derivative.result = derivative.mode == jit::Mode::forward ? jit::Activity::duplicated : jit::Activity::active;
  const std::vector<std::string> &given = arguments.activities;
  const std::size_t count = function.parameters.size();
  if (given.empty()) {
    for (const Parameter &parameter : parameters)
      derivative.arguments.push_back(full_activity(parameter, derivative.mode));
    return derivative;
  }
  if (given.size() != count && given.size() != count + 1)
    throw jit::BadRequest(fmt::format("--activities has {} entries; {} has {} parameters, and may have one more entry "
                                      "for the result",
                                      given.size(), function.describe(), count));
  for (std::size_t index = 0; index < count; ++index) {
    derivative.arguments.push_back(activity_named(given[index]));
    check_activity(derivative.arguments.back(), function.parameters[index], derivative.mode);
  }
  if (given.size() == count + 1) {
    const jit::Activity result = activity_named(given.back());
    if (result != jit::Activity::constant && !returns_real)
      throw jit::BadRequest(fmt::format("--activities: {} returns no floating-point number", function.name));
    derivative.result = result == jit::Activity::constant ? result : derivative.result;
  }
  return derivative;
}

ExplainedFunction explain(const ExplainArguments &arguments, const jit::ModuleFile &file,
                          const jit::FunctionSignature &function, const std::vector<std::string> &specs) {
  const std::vector<Parameter> parameters = parameters_of(file, function, specs);
  const jit::Derivative derivative = derivative_of(arguments, function, parameters);
  ExplainedFunction explained{arguments.file, function.name, {}, {}};
  for (std::size_t index = 0; index < parameters.size(); ++index)
    if (parameters[index].value)
      explained.values.emplace_back(function.parameters[index].name, *parameters[index].value);
  explained.derivative = jit::explain_derivative(
      file, function, derivative,
      arguments.detail == ExplainArguments::Detail::plan ? engine::PlanText::included : engine::PlanText::omitted);
  return explained;
}

std::vector<ExplainedFunction> explain_all(const ExplainArguments &arguments) {
  if (arguments.function) {
    const jit::ModuleFile file =
        file_with_function(arguments.file, *arguments.function, arguments.settings, jit::Pointees::anything);
    return {explain(arguments, file, file.function(*arguments.function, jit::Pointees::anything, arguments.arguments),
                    arguments.arguments)};
  }
  if (!arguments.arguments.empty() || !arguments.activities.empty())
    throw jit::BadRequest("--arg and --activities need --function NAME: they describe that function's parameters");
  Console console;
  std::deque<jit::ModuleFile> files;
  std::deque<FunctionToCheck> marked;
  load_marked(arguments.file, arguments.settings, console, files, marked);
  if (marked.empty())
    throw jit::BadRequest(
        fmt::format("{} marks no function with ASSAY_CHECK; name one with --function NAME", arguments.file.string()));
  std::vector<ExplainedFunction> explained;
  for (const FunctionToCheck &function : marked)
    explained.push_back(explain(arguments, *function.file, function.request.function, {}));
  return explained;
}

void write(const fs::path &path, const std::string &text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    throw jit::BadRequest(fmt::format("--html: cannot write {}", path.string()));
}

/// NAME or NAME:LINE.
std::string story_of(const ExplainedFunction &function, const std::string &asked) {
  const std::size_t colon = asked.rfind(':');
  unsigned line = 0;
  if (colon != std::string::npos) {
    const char *end = asked.data() + asked.size();
    const auto [rest, error] = std::from_chars(asked.data() + colon + 1, end, line);
    if (error == std::errc() && rest == end)
      return explanation_of_value(function, asked.substr(0, colon), line);
  }
  return explanation_of_value(function, asked, 0);
}

std::string text_of(const ExplainArguments &arguments, const ExplainedFunction &function) {
  if (arguments.why)
    return story_of(function, *arguments.why);
  switch (arguments.detail) {
  case ExplainArguments::Detail::summary:
    return explanation_summary(function);
  case ExplainArguments::Detail::all_values:
    return explanation_values(function);
  case ExplainArguments::Detail::plan:
    return explanation_plan(function);
  }
  return {};
}

} // namespace

ExitCode run_explain(const ExplainArguments &arguments) {
  const std::vector<ExplainedFunction> functions = explain_all(arguments);
  if (arguments.form == ExplainArguments::Form::json) {
    fmt::print("{}\n", explanations_as_json(functions));
  } else {
    for (const ExplainedFunction &function : functions)
      fmt::print("{}", text_of(arguments, function));
  }
  if (arguments.page)
    write(*arguments.page, explanations_as_page(functions));
  for (const ExplainedFunction &function : functions)
    if (!function.derivative.errors.empty())
      return something_failed;
  return all_passed;
}

} // namespace assay::cli
