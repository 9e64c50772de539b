#include "cli/check_request.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace assay::cli {

jit::Repetition repetition_of(const CheckRequest &request) {
  constexpr std::size_t few = 256;
  std::size_t size = 0;
  for (const jit::ArgumentSpec &argument : request.arguments) {
    size += argument.elements();
    for (const std::int64_t value : argument.integers)
      size += value < 0 ? few : static_cast<std::size_t>(value);
  }
  return size < few ? jit::Repetition::little : jit::Repetition::unknown;
}

std::string shell_word(const std::string &text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./=:,+").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain))
    return text;
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

const std::vector<jit::ArgumentSpec> &written_specs(const CheckRequest &request) {
  return request.written.empty() ? request.arguments : request.written;
}

std::vector<std::string> spec_texts(const CheckRequest &request) {
  std::vector<std::string> texts;
  for (const jit::ArgumentSpec &spec : written_specs(request))
    if (spec.object != result_object)
      texts.push_back(to_string(spec));
  return texts;
}

std::string_view name_of(testutils::OracleChoice oracle) {
  switch (oracle) {
  case testutils::OracleChoice::automatic:
    return "auto";
  case testutils::OracleChoice::finite_differences:
    return "fd";
  case testutils::OracleChoice::precise:
    return "wide";
  }
  return "auto";
}

std::string unused_rule_note(const std::string &rule) {
  return fmt::format("no checked function uses the rule of {}: nothing was checked of it", rule);
}

std::string replay_command(const CheckRequest &request, std::uint64_t seed) {
  const CheckSettings defaults;
  std::string command = fmt::format("{} check {} --function {}", shell_word(request.settings.program),
                                    shell_word(request.file.string()), shell_word(request.name));
  for (const std::string &text : spec_texts(request))
    command += " --arg " + shell_word(text);
  if (!request.asked_rule.empty())
    command += " --rule " + shell_word(request.asked_rule);
  if (request.settings.launch)
    command += " --launch " + shell_word(to_string(*request.settings.launch));
  command += fmt::format(" --seed {}", seed);
  if (request.settings.samples != defaults.samples || request.settings.samples_chosen == Chosen::by_user)
    command += fmt::format(" --samples {}", request.settings.samples);
  if (request.settings.variations != defaults.variations)
    command += " --plain";
  if (request.settings.seconds != defaults.seconds)
    command += fmt::format(" --seconds {}", request.settings.seconds);
  if (request.settings.budget != defaults.budget || request.settings.budget_chosen == Chosen::by_user)
    command += fmt::format(" --budget {}", request.settings.budget);
  if (request.settings.modes.size() == 1)
    command += fmt::format(" --mode {}", testutils::name_of(request.settings.modes.front()));
  if (request.settings.most_digits_lost)
    command += fmt::format(" --digits-lost {}", *request.settings.most_digits_lost);
  if (request.settings.oracle != defaults.oracle)
    command += fmt::format(" --oracle {}", name_of(request.settings.oracle));
  if (request.settings.rtol)
    command += fmt::format(" --rtol {}", *request.settings.rtol);
  if (request.settings.atol)
    command += fmt::format(" --atol {}", *request.settings.atol);
  if (request.settings.limits.seconds != defaults.limits.seconds)
    command += fmt::format(" --call-seconds {}", request.settings.limits.seconds);
  if (request.settings.limits.memory != defaults.limits.memory)
    command += fmt::format(" --memory {}", request.settings.limits.memory);
  if (request.settings.limits.output != defaults.limits.output)
    command += fmt::format(" --output-limit {}", request.settings.limits.output);
  if (request.settings.patience_seconds != defaults.patience_seconds)
    command += fmt::format(" --patience {}", request.settings.patience_seconds);
  if (request.settings.level != defaults.level)
    command += fmt::format(" --opt-level {}", static_cast<unsigned>(request.settings.level));
  const SourceOptions &sources = request.settings.sources;
  if (sources.build)
    command += " -p " + shell_word(sources.build->string());
  for (const std::filesystem::path &file : sources.with)
    command += " --with " + shell_word(file.string());
  if (!sources.flags.empty())
    command += " --";
  for (const std::string &flag : sources.flags)
    command += " " + shell_word(flag);
  return command;
}

} // namespace assay::cli
