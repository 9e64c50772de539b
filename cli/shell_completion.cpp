#include "cli/shell_completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

std::vector<std::string> names_of(const CommandDescription &command) {
  std::vector<std::string> names;
  for (const OptionDescription &option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// `--seed|-s` of one option, as a pattern of `case`.
std::string pattern_of(const OptionDescription &option) {
  return fmt::format("{}", fmt::join(option.names, "|"));
}

std::string bash_command(const CommandDescription &command) {
  std::string text = fmt::format("  {})\n    case \"$previous\" in\n", command.name);
  for (const OptionDescription &option : command.options) {
    if (option.value.empty())
      continue;
    text += fmt::format("    {}) ", pattern_of(option));
    if (!option.choices.empty())
      text += fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", fmt::join(option.choices, " "));
    else if (option.takes_file)
      text += "COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n";
    else
      text += "return ;;\n";
  }
  return text + fmt::format("    esac\n    options='{}' ;;\n", fmt::join(names_of(command), " "));
}

std::string bash(const std::vector<CommandDescription> &commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const CommandDescription &command : commands) {
    names.push_back(command.name);
    cases += bash_command(command);
  }
  return fmt::format(R"(# Completion of assay for bash: assay completion bash
_assay() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _assay assay
)",
                     fmt::join(names, " "), cases);
}

/// Within single quotes of zsh and fish, and without what zsh takes for the end of a description.
std::string zsh_quoted(std::string_view text) {
  std::string result;
  for (const char letter : text)
    if (letter == '\'')
      result += "'\\''";
    else if (letter == '[' || letter == ']' || letter == ':')
      result += std::string("\\") + letter;
    else
      result += letter;
  return result;
}

std::string zsh_option(const OptionDescription &option, const std::string &name) {
  std::string action;
  if (!option.choices.empty())
    action = fmt::format(":value:({})", fmt::join(option.choices, " "));
  else if (option.takes_file)
    action = ":file:_files";
  else if (!option.value.empty())
    action = ":value:";
  return fmt::format("      '*{}[{}]{}' \\\n", name, zsh_quoted(option.text), action);
}

std::string zsh(const std::vector<CommandDescription> &commands) {
  std::string list, cases;
  for (const CommandDescription &command : commands) {
    list += fmt::format("    '{}:{}'\n", command.name, zsh_quoted(command.text));
    cases += fmt::format("  {})\n    _arguments \\\n", command.name);
    for (const OptionDescription &option : command.options)
      for (const std::string &name : option.names)
        cases += zsh_option(option, name);
    cases += "      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef assay
# Completion of assay for zsh: assay completion zsh
_assay() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_assay "$@"
)",
                     list, cases);
}

std::string fish_quoted(std::string_view text) {
  std::string result;
  for (const char letter : text)
    result += letter == '\'' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
  return result;
}

std::string fish_option(const CommandDescription &command, const OptionDescription &option) {
  std::string line = fmt::format("complete -c assay -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string &name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty())
    line += option.takes_file ? " -r -F" : " -x";
  if (!option.choices.empty())
    line += fmt::format(" -a '{}'", fmt::join(option.choices, " "));
  return line + fmt::format(" -d '{}'\n", fish_quoted(option.text));
}

std::string fish(const std::vector<CommandDescription> &commands) {
  std::string text = "# Completion of assay for fish: assay completion fish\n";
  for (const CommandDescription &command : commands)
    text += fmt::format("complete -c assay -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        fish_quoted(command.text));
  for (const CommandDescription &command : commands)
    for (const OptionDescription &option : command.options)
      text += fish_option(command, option);
  return text;
}

} // namespace

std::string completion_for(std::string_view shell, const std::vector<CommandDescription> &commands) {
  return shell == "bash" ? bash(commands) : shell == "zsh" ? zsh(commands) : fish(commands);
}

} // namespace assay::cli
