#include "cli/explain_page.hpp"

#include "cli/explain_sums.hpp"
#include "cli/explain_template.hpp"
#include "cli/explain_text.hpp"
#include "reports/markup.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>

namespace assay::cli {

namespace {

using engine::ExplainedLoop;
using engine::ExplainedStep;
using engine::ExplainedStorage;
using engine::ExplainedValue;
using engine::Explanation;
using reports::escape_markup;

/// How a storage looks; those that cost most come first.
struct Look {
  ExplainedStorage storage;
  const char *style;
};
constexpr Look looks[] = {{ExplainedStorage::tape, "taped"},       {ExplainedStorage::restored, "restored"},
                          {ExplainedStorage::frame, "frame"},      {ExplainedStorage::recompute, "recomputed"},
                          {ExplainedStorage::closed_form, "form"}, {ExplainedStorage::iteration, "form"},
                          {ExplainedStorage::direct, "there"}};

const char *style_of(ExplainedStorage storage) {
  const auto *found =
      std::find_if(std::begin(looks), std::end(looks), [&](const Look &look) { return look.storage == storage; });
  return found == std::end(looks) ? "" : found->style;
}

/// Of all values of a line: that which costs most.
const char *style_of(const std::vector<const ExplainedValue *> &values) {
  for (const Look &look : looks)
    if (std::any_of(values.begin(), values.end(), [&](const auto *value) { return value->storage == look.storage; }))
      return look.style;
  return "";
}

std::string legend() {
  std::string text;
  for (const Look &look : looks)
    if (look.storage != ExplainedStorage::iteration && look.storage != ExplainedStorage::frame)
      text += fmt::format("<span><i class=\"{}\"></i>{}</span>", look.style, engine::name_of(look.storage));
  return text;
}

std::string step_markup(const ExplainedStep &step) {
  return escape_markup(with_line(step.text, step.place));
}

std::string way(const char *lead, const std::vector<ExplainedStep> &steps, const char *between = " &rarr; ") {
  if (steps.empty())
    return {};
  std::string text;
  for (const ExplainedStep &step : steps)
    text += (text.empty() ? "" : between) + step_markup(step);
  return fmt::format("<p><span class=\"faint\">{}</span> {}</p>", lead, text);
}

std::string list_markup(const char *title, const std::vector<ExplainedStep> &steps) {
  if (steps.empty())
    return {};
  std::string text = fmt::format("<h3>{}</h3>\n<ul>\n", title);
  for (const ExplainedStep &step : steps)
    text += fmt::format("<li>{}</li>\n", step_markup(step));
  return text + "</ul>\n";
}

std::vector<ExplainedStep> steps_of(const std::vector<std::string> &lines) {
  std::vector<ExplainedStep> steps;
  for (const std::string &line : lines)
    steps.push_back({line, {}});
  return steps;
}

std::string story_markup(const ExplainedValue &value) {
  std::string text =
      fmt::format("<div class=\"story{}\">\n<p><b class=\"mono\">{}</b> <span class=\"faint\">{}</span>",
                  value.is_active ? " is-active" : "", escape_markup(value.name), escape_markup(value.type));
  if (value.storage != ExplainedStorage::unread)
    text += fmt::format(" <span class=\"chip {}\">{}</span>", style_of(value.storage), engine::name_of(value.storage));
  if (value.bytes > 0)
    text += fmt::format(" <span class=\"faint\">{} bytes</span>", value.bytes);
  text += "</p>\n";
  if (!value.storage_reason.empty())
    text += fmt::format("<p>{}</p>\n", escape_markup(value.storage_reason));
  if (!value.needed_for.empty())
    text += way("needed", value.needed_for) + "\n";
  text += fmt::format("<p>{}</p>\n", escape_markup(value.activity_reason));
  text += way("from an input:", value.from_input);
  text += way("to an output:", value.to_output);
  text += way("type learned:", value.evidence, "; ");
  return text + "<p class=\"faint mono\">" + escape_markup(value.ir) + "</p>\n</div>\n";
}

std::string badges(const std::vector<const ExplainedValue *> &values) {
  std::uint64_t bytes = 0;
  bool is_active = false;
  for (const ExplainedValue *value : values) {
    bytes += value->bytes;
    is_active = is_active || (value->is_active && !value->is_argument);
  }
  std::string text;
  if (bytes > 0)
    text += fmt::format("<span class=\"badge\">{} byte{} of tape</span>", bytes, bytes == 1 ? "" : "s");
  if (is_active)
    text += "<span class=\"badge active\">active</span>";
  return text;
}

/// In short, for the mouse.
std::string hint(const std::vector<const ExplainedValue *> &values) {
  std::string text;
  for (const ExplainedValue *value : values)
    if (value->storage != ExplainedStorage::unread)
      text += fmt::format("{}: {}\n", value->name, engine::name_of(value->storage));
  return escape_markup(text);
}

using Lines = std::map<unsigned, std::vector<const ExplainedValue *>>;

std::string source_line(unsigned number, const std::string &code, const Lines &lines) {
  const auto found = lines.find(number);
  if (found == lines.end())
    return fmt::format("<div class=\"code\"><b>{}</b><code>{}</code></div>\n", number, escape_markup(code));
  std::string text =
      fmt::format("<details><summary title=\"{}\"><div class=\"code {}\"><b>{}</b><code>{}</code>"
                  "<span>{}</span></div></summary>\n<div class=\"stories\">\n",
                  hint(found->second), style_of(found->second), number, escape_markup(code), badges(found->second));
  for (const ExplainedValue *value : found->second)
    text += story_markup(*value);
  return text + "</div></details>\n";
}

std::vector<std::string> lines_of_file(const std::filesystem::path &path) {
  std::vector<std::string> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// The lines that have values, with some around them.
std::string annotated_file(const std::filesystem::path &path, const Lines &lines, unsigned first_line) {
  constexpr unsigned around = 3;
  const std::vector<std::string> code = lines_of_file(path);
  if (code.empty() || lines.empty())
    return {};
  std::string text = fmt::format("<h3>{}</h3>\n<div class=\"source mono\">\n", escape_markup(path.filename().string()));
  unsigned shown = 0;
  for (unsigned number = 1; number <= code.size(); ++number) {
    const auto near = lines.lower_bound(number > around ? number - around : 0);
    const bool is_near = (near != lines.end() && near->first <= number + around) || number == first_line;
    if (!is_near)
      continue;
    if (shown != 0 && number > shown + 1)
      text += "<div class=\"gap\">&#8943;</div>\n";
    shown = number;
    text += source_line(number, code[number - 1], lines);
  }
  return text + "</div>\n";
}

std::string loops(const ExplainedFunction &function, const Explanation &explanation) {
  std::string rows;
  for (const ExplainedLoop &loop : explanation.loops)
    if (loop.bytes > 0)
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          escape_markup(call_place_text(loop.place)), escape_markup(with_value(loop.tape, function)),
                          loop.bytes, escape_markup(with_value(loop.iterations, function)), escape_markup(loop.kind));
  if (rows.empty())
    return {};
  return "<h3>Loops</h3>\n<div class=\"scroll\"><table>\n<tr><th>loop</th><th>bytes of tape</th><th>in each "
         "iteration</th><th>iterations</th><th>their number is</th></tr>\n" +
         rows + "</table></div>\n";
}

/// Where the place's file is the one that was asked for, as the user wrote it.
std::filesystem::path path_of(const ExplainedFunction &function, const std::string &file) {
  const std::filesystem::path given = file;
  return given.empty() || given.filename() == function.file.filename() ? function.file : given;
}

std::string card(const ExplainedFunction &function, const Explanation &explanation) {
  std::string text =
      fmt::format("<section class=\"card\">\n<h2 class=\"mono\">{}</h2>\n<p class=\"faint\">{}</p>\n",
                  escape_markup(explanation.function + explanation.activities), escape_markup(explanation.mode));
  if (!explanation.refusal.empty())
    text += fmt::format("<div class=\"refused\"><p><b>No derivative.</b> {}</p></div>\n",
                        escape_markup(explanation.refusal));
  if (explanation.is_planned)
    text += fmt::format("<p>Tape: <b>{}</b> bytes{}</p>\n", escape_markup(with_value(explanation.tape, function)),
                        explanation.called_tapes.empty() ? "" : ", and those of functions that it calls");
  text += list_markup(explanation.refusal.empty() ? "Constant memory among active memory" : "How it came to that",
                      explanation.chain);
  text += list_markup("Declared active, but", explanation.surprises);
  text += loops(function, explanation);
  text += list_markup("Adjoints in memory that threads share", steps_of(lines_of_sums(explanation.sums)));
  std::map<std::filesystem::path, Lines> files;
  for (const ExplainedValue &value : explanation.values)
    if (value.place.line > 0)
      files[path_of(function, value.place.file)][value.place.line].push_back(&value);
  const std::filesystem::path own = path_of(function, explanation.file);
  text += annotated_file(own, files[own], explanation.line);
  for (const auto &[path, lines] : files) // Headers, of which code was inlined.
    if (path != own)
      text += annotated_file(path, lines, 0);
  return text + "</section>\n";
}

} // namespace

std::string explanations_as_page(const std::vector<ExplainedFunction> &functions) {
  std::string title = "Why the derivatives";
  for (const ExplainedFunction &function : functions)
    title += fmt::format("{} {}", &function == &functions.front() ? " of" : ",", function.name);
  title += " are as they are";
  std::string cards;
  for (const ExplainedFunction &function : functions)
    for (const Explanation &explanation : function.derivative.explanations)
      cards += card(function, explanation);
  return reports::fill_template(explain_template, [&](std::string_view name) {
    return name == "title" ? escape_markup(title) : name == "legend" ? legend() : cards;
  });
}

} // namespace assay::cli
