#include "cli/manual_page.hpp"

#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

namespace assay::cli {

namespace {

/// Text as roff prints it: dashes that can be copied, no line that begins a request.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    const bool begins_line = result.empty() || result.back() == '\n';
    if (begins_line && (letter == '.' || letter == '\''))
      result += "\\&";
    if (letter == '-')
      result += "\\-";
    else if (letter == '\\')
      result += "\\e";
    else
      result += letter;
  }
  return result;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", escaped(text));
}

std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", escaped(text));
}

std::string heading(std::string_view name) {
  std::string capitals(name);
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return fmt::format(".TH {} 1 \"\" \"Assay {}\" \"Assay\"\n", escaped(capitals), ASSAY_VERSION);
}

std::string sentence(const OptionDescription &option) {
  std::string text = escaped(option.text);
  if (!option.choices.empty())
    text += fmt::format("{}One of {}.", text.empty() ? "" : ". ",
                        escaped(fmt::format("{}", fmt::join(option.choices, ", "))));
  if (!option.standard.empty())
    text += fmt::format(" Without it: {}.", escaped(option.standard));
  return text.empty() ? "\\&" : text;
}

std::string paragraph(const OptionDescription &option) {
  std::vector<std::string> names;
  for (const std::string &name : option.names)
    names.push_back(bold(name));
  std::string head = fmt::format("{}", fmt::join(names, ", "));
  if (!option.value.empty())
    head += (head.empty() ? "" : " ") + italic(option.value);
  return fmt::format(".TP\n{}\n{}\n", head, sentence(option));
}

std::string synopsis(const CommandDescription &command) {
  std::string line = bold("assay " + command.name);
  if (!command.options.empty())
    line += " [" + italic("options") + "]";
  for (const OptionDescription &positional : command.positionals)
    line += positional.is_required ? " " + italic(positional.value) : " [" + italic(positional.value) + "]";
  return line;
}

void write(const std::filesystem::path &file, const std::string &text) {
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush())
    throw jit::BadRequest(fmt::format("{}: cannot be written", file.string()));
}

constexpr std::string_view exit_codes = R"(.SH EXIT STATUS
.TP
0
All that was checked passed; undecided combinations fail nothing.
.TP
1
A derivative is wrong.
.TP
2
The request cannot be served: one line says why and what would work.
.TP
3
The set\-up failed.
.TP
130, 143
Interrupted or terminated; what was done until then is in the report.
)";

} // namespace

std::string manual_page(const std::vector<CommandDescription> &commands) {
  std::string page = heading("assay");
  page += ".SH NAME\nassay \\- differentiates programs and proves the gradients right\n.SH SYNOPSIS\n";
  page += fmt::format("{} {} [{}]\n.SH COMMANDS\n", bold("assay"), italic("command"), italic("options"));
  std::vector<std::string> others;
  for (const CommandDescription &command : commands) {
    page += fmt::format(".TP\n{}\n{}\n", bold(command.name), escaped(command.text));
    others.push_back(fmt::format("{}(1)", bold("assay-" + command.name)));
  }
  page += exit_codes;
  return page + fmt::format(".SH SEE ALSO\n{}\n", fmt::join(others, ",\n"));
}

std::string manual_page(const CommandDescription &command) {
  const std::string name = "assay-" + command.name;
  std::string page = heading(name);
  page +=
      fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n", escaped(name), escaped(command.text), synopsis(command));
  if (!command.footer.empty())
    page += fmt::format(".SH DESCRIPTION\n.nf\n{}\n.fi\n", escaped(command.footer));
  if (!command.positionals.empty())
    page += ".SH ARGUMENTS\n";
  for (const OptionDescription &positional : command.positionals)
    page += paragraph(positional);
  page += ".SH OPTIONS\n";
  for (const OptionDescription &option : command.options)
    page += paragraph(option);
  page += exit_codes;
  return page + fmt::format(".SH SEE ALSO\n{}(1)\n", bold("assay"));
}

void write_manual(const std::vector<CommandDescription> &commands, const std::filesystem::path &folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw jit::BadRequest(fmt::format("{}: cannot be made: {}", folder.string(), problem.message()));
  write(folder / "assay.1", manual_page(commands));
  for (const CommandDescription &command : commands)
    write(folder / fmt::format("assay-{}.1", command.name), manual_page(command));
}

} // namespace assay::cli
