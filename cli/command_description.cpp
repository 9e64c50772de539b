#include "cli/command_description.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace assay::cli {

namespace {

/// The choices of a type name such as `TEXT:{auto,fd,wide}`.
std::vector<std::string> choices_of(const std::string &type) {
  const std::size_t begin = type.find('{'), end = type.find('}');
  std::vector<std::string> choices;
  if (begin == std::string::npos || end == std::string::npos)
    return choices;
  std::string choice;
  for (const char letter : type.substr(begin + 1, end - begin - 1) + ",")
    if (letter != ',')
      choice += letter;
    else
      choices.push_back(std::exchange(choice, {}));
  // CLI11 prints the entries of a map as NAME->VALUE.
  for (std::string &name : choices)
    name = name.substr(0, name.find("->"));
  return choices;
}

/// `NUMBER` of `UINT:POSITIVE`, `NAME` where the type is any text.
std::string value_of(const CLI::Option &option, const std::vector<std::string> &choices) {
  if (option.get_items_expected_max() == 0)
    return {};
  std::string type = option.get_type_name();
  type = type.substr(0, type.find(':'));
  if (!choices.empty() || type.empty())
    return "VALUE";
  return type == "UINT" || type == "INT" || type == "FLOAT" ? "NUMBER" : type == "TEXT" ? "VALUE" : type;
}

bool names_files(const OptionDescription &option, const std::string &positional) {
  constexpr std::array words{"FILE", "DIR", "PROJECT"};
  constexpr std::array names{"--report", "--with",       "--points",   "--plugin",
                             "--output", "--reproducer", "--baseline", "-p"};
  const auto is_in = [](const auto &list, const std::string &word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  return std::any_of(words.begin(), words.end(),
                     [&](const char *word) { return positional.find(word) != std::string::npos; }) ||
         std::any_of(option.names.begin(), option.names.end(),
                     [&](const std::string &name) { return is_in(names, name); });
}

OptionDescription describe(const CLI::Option &option) {
  OptionDescription description;
  for (const std::string &name : option.get_snames())
    description.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    description.names.push_back("--" + name);
  description.choices = choices_of(option.get_type_name());
  description.value = description.names.empty() ? option.get_name(true) : value_of(option, description.choices);
  description.text = option.get_description();
  description.standard = option.get_default_str();
  description.is_required = option.get_required();
  description.takes_file = description.choices.empty() && names_files(description, option.get_name(true));
  return description;
}

CommandDescription describe(const CLI::App &command) {
  CommandDescription description{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_group().empty()) // Hidden.
      continue;
    OptionDescription one = describe(*option);
    (one.names.empty() ? description.positionals : description.options).push_back(std::move(one));
  }
  return description;
}

} // namespace

std::vector<CommandDescription> describe_commands(const CLI::App &app) {
  std::vector<CommandDescription> commands;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *one) { return !one->get_name().empty(); }))
    commands.push_back(describe(*command));
  return commands;
}

} // namespace assay::cli
