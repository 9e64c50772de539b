// The page is page.html with its places filled: a summary, an index of functions, and a card for each function with its
// failures, a plot and a table of its combinations.

#include "reports/html_page.hpp"

#include "reports/error_plot.hpp"
#include "reports/line_plot.hpp"
#include "reports/markup.hpp"
#include "reports/page_template.hpp"
#include <cmath>
#include <fmt/format.h>

namespace assay::reports {

namespace {

constexpr std::size_t failures_opened = 2, failures_shown = 40, longest_open_table = 24;

struct Chip {
  const char *style;
  std::string text;
};

Chip chip_of(const Record &record) {
  if (record.expected_failure)
    return {"planted", "caught"};
  switch (record.outcome) {
  case Outcome::passed:
    return {"good", "passed"};
  case Outcome::failed:
    return {"bad", record.verdict == "pass" ? "failed" : record.verdict};
  case Outcome::undecided:
    return {"unsure", "undecided"};
  }
  return {"bad", "failed"};
}

Chip chip_of(const Totals &totals, std::size_t caught) {
  if (totals.failed)
    return {"bad", fmt::format("{} of {} failed", totals.failed, totals.checked)};
  if (caught)
    return {"planted", "planted fault caught"};
  if (totals.undecided)
    return {"unsure", fmt::format("{} of {} undecided", totals.undecided, totals.checked)};
  return {"good", fmt::format("{} passed", totals.passed)};
}

std::string html_of(const Chip &chip) {
  return fmt::format("<span class=\"chip {}\">{}</span>", chip.style, escape_markup(chip.text));
}

std::string number(double value) {
  if (std::isnan(value))
    return "NaN";
  return value == 0 ? "0" : fmt::format("{:.6g}", value);
}

std::string short_number(double value) {
  return value == 0 ? "0" : fmt::format("{:.2g}", value);
}

std::string tile(const char *style, std::size_t count, const char *label) {
  return fmt::format("<div class=\"tile\"><b class=\"{}\">{}</b><span>{}</span></div>", count ? style : "", count,
                     label);
}

std::string tiles(const Totals &totals) {
  return tile("", totals.checked, "combinations checked") + tile("good", totals.passed, "passed") +
         tile("bad", totals.failed, "failed") + tile("unsure", totals.undecided, "undecided");
}

std::string bar(const Totals &totals) {
  const auto part = [](std::size_t count, const char *colour) {
    return count ? fmt::format("<i style=\"flex:{};background:var(--{})\"></i>", count, colour) : std::string();
  };
  return "<div class=\"bar\">" + part(totals.failed, "bad") + part(totals.undecided, "unsure") +
         part(totals.passed, "good") + "</div>";
}

std::string facts(const Run &run) {
  const auto fact = [](const char *name, const std::string &value) {
    return value.empty() ? std::string() : fmt::format("<dt>{}</dt><dd>{}</dd>", name, escape_markup(value));
  };
  return fact("Command", run.command) + fact("Seed", std::to_string(run.seed)) + fact("Environment", run.environment) +
         fact("Duration",
              run.seconds < 100 ? fmt::format("{:.2f} s", run.seconds) : fmt::format("{:.0f} s", run.seconds));
}

std::string notes(const Run &run) {
  if (run.notes.empty())
    return {};
  std::string items;
  for (const std::string &note : run.notes)
    items += fmt::format("<p>{}</p>", escape_markup(note));
  return "<section class=\"card\"><h2>Not checked</h2>" + items + "</section>";
}

std::string index_of(const std::vector<FunctionGroup> &groups) {
  if (groups.size() < 2)
    return {};
  std::string items;
  for (std::size_t position = 0; position < groups.size(); ++position)
    items += fmt::format("<li><a class=\"mono\" href=\"#function-{}\">{}</a>{}</li>", position,
                         escape_markup(groups[position].function),
                         html_of(chip_of(groups[position].totals, groups[position].caught)));
  return "<section class=\"card\"><ul class=\"index\">" + items + "</ul></section>";
}

std::string element_table(const Record &record) {
  if (record.worst.empty())
    return {};
  std::string rows;
  for (const Element &element : record.worst)
    rows += fmt::format("<tr><td class=\"mono\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
                        "class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
                        "class=\"number\">{}</td></tr>",
                        escape_markup(element.path), number(element.ad), number(element.expected),
                        number(element.incoming), short_number(element.absolute_error),
                        short_number(element.relative_error), short_number(element.tolerance));
  return "<div class=\"scroll\"><table><tr><th>element</th><th class=\"number\">derivative</th><th "
         "class=\"number\">expected</th><th "
         "class=\"number\">incoming</th><th class=\"number\">error</th><th class=\"number\">relative</th><th "
         "class=\"number\">tolerance</th></tr>" +
         rows + "</table></div>";
}

std::string list_of(const char *title, const std::vector<std::string> &sentences) {
  std::string text;
  for (const std::string &sentence : sentences)
    text += fmt::format("<p>{}{}</p>", text.empty() ? title : "", escape_markup(sentence));
  return text;
}

std::string failure(const Record &record, bool open) {
  const char *style = record.expected_failure                ? " planted-case"
                      : record.outcome == Outcome::undecided ? " undecided-case"
                                                             : "";
  std::string body;
  if (!record.detail.empty())
    body += fmt::format("<p>{}</p>", escape_markup(record.detail));
  body += element_table(record);
  if (!record.oracle.empty())
    body += list_of("<b>Oracle:</b> ", {record.oracle});
  if (record.backend != "host")
    body += list_of("<b>Backend:</b> ", {record.backend});
  body += list_of("", record.oracle_reasons);
  if (!record.odd_one.empty())
    body += list_of("<b>Odd one:</b> ", {record.odd_one});
  if (const auto &first = record.first_wrong)
    body += list_of("<b>First wrong value:</b> ", {fmt::format("{}, at {}", first->what, first->place)});
  body += list_of("<b>Hint:</b> ", record.hints);
  if (!record.replay.empty())
    body += fmt::format("<pre class=\"command\">{}</pre>", escape_markup(record.replay));
  if (!record.message.empty())
    body +=
        fmt::format("<details><summary>full message</summary><pre>{}</pre></details>", escape_markup(record.message));
  return fmt::format("<details class=\"failure{}\"{}><summary>{} {}</summary>{}</details>", style, open ? " open" : "",
                     html_of({chip_of(record).style, record.verdict}), escape_markup(combination_text(record)), body);
}

std::string failures(const FunctionGroup &group) {
  std::string text;
  std::size_t shown = 0, left_out = 0;
  for (const Record *record : group.records) {
    if (record->outcome == Outcome::passed && !record->expected_failure)
      continue;
    if (shown == failures_shown)
      ++left_out;
    else
      text += failure(*record, shown++ < failures_opened);
  }
  if (left_out)
    text += fmt::format("<p class=\"faint\">{} more are in the table.</p>", left_out);
  return text;
}

std::string short_activity(const std::string &activity) {
  if (activity == "DuplicatedNoNeed")
    return "DupNoNeed";
  return activity == "Duplicated" ? "Dup" : activity;
}

std::string activity_cell(const std::string &activity) {
  return fmt::format("<td{}>{}</td>", activity == "Const" ? " class=\"const\"" : "",
                     escape_markup(short_activity(activity)));
}

/// Allocations of the derivative, and the bytes that it has at once, its tape included.
std::string heap_cell(const Record &record) {
  if (!record.heap || record.heap->allocations == 0)
    return "";
  return fmt::format("{}: {} B", record.heap->allocations, record.heap->most_bytes);
}

std::string combination_row(const Record &record, std::size_t position) {
  std::string cells = fmt::format("<td class=\"number faint\">{}</td><td>{}</td><td>{}</td>", position + 1,
                                  html_of(chip_of(record)), escape_markup(record.mode));
  for (const std::string &activity : record.activities)
    cells += activity_cell(activity);
  if (!record.result_activity.empty())
    cells += activity_cell(record.result_activity);
  const Element *worst = record.worst.empty() ? nullptr : &record.worst.front();
  cells += fmt::format("<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
                       "<td class=\"number\">{}</td>",
                       record.compared, worst ? short_number(worst->absolute_error) : "",
                       worst ? short_number(worst->tolerance) : "", heap_cell(record));
  return "<tr>" + cells + "</tr>";
}

std::string combination_table(const FunctionGroup &group) {
  const Record &first = *group.records.front();
  std::string head = "<th class=\"number\"></th><th>outcome</th><th>mode</th>";
  for (const std::string &parameter : first.parameters)
    head += fmt::format("<th class=\"mono\">{}</th>", escape_markup(parameter));
  if (!first.result_activity.empty())
    head += "<th>result</th>";
  head += "<th class=\"number\">numbers</th><th class=\"number\">error</th><th class=\"number\">tolerance</th>"
          "<th class=\"number\">heap</th>";
  std::string rows;
  for (std::size_t position = 0; position < group.records.size(); ++position)
    rows += combination_row(*group.records[position], position);
  return fmt::format(
      "<details{}><summary>{} combinations</summary><div class=\"scroll\"><table><tr>{}</tr>{}</table></div></details>",
      group.records.size() <= longest_open_table ? " open" : "", group.records.size(), head, rows);
}

std::string legend(const FunctionGroup &group) {
  const auto entry = [](const char *shape, const char *colour, const char *text) {
    return fmt::format("<span><i class=\"{}\" style=\"background:var(--{})\"></i>{}</span>", shape, colour, text);
  };
  std::string text = entry("round", "forward", "forward") + entry("diamond", "reverse", "reverse");
  if (group.totals.failed)
    text += entry("", "bad", "failed");
  if (group.caught)
    text += entry("", "planted", "planted and caught");
  if (group.totals.undecided)
    text += entry("", "unsure", "undecided");
  return "<div class=\"legend\">" + text + "</div>";
}

std::string plot(const FunctionGroup &group) {
  const std::string svg = error_plot_svg(group);
  return svg.empty() ? std::string() : "<h3>Worst error / tolerance</h3>" + legend(group) + svg;
}

std::string specs_of(const Record &record) {
  std::string text;
  for (std::size_t index = 0; index < record.argument_specs.size(); ++index)
    text += fmt::format("{}{} {}", index ? ", " : "", record.argument_specs[index],
                        index < record.parameters.size() ? record.parameters[index] : "");
  return text;
}

/// The checks left out because a call takes long; all records of a function say the same, but those of crashes nothing.
std::string effort_of(const FunctionGroup &group) {
  for (const Record *record : group.records)
    if (!record->effort.empty())
      return list_of("<b>Left out:</b> ", {record->effort});
  return {};
}

std::string card(const FunctionGroup &group, std::size_t position) {
  return fmt::format("<section class=\"card\" id=\"function-{}\"><div class=\"head\"><h2 class=\"mono\">{}</h2>{}</div>"
                     "<p class=\"faint mono\">{}<br>{}</p>{}{}{}<h3>All combinations</h3>{}</section>",
                     position, escape_markup(group.function), html_of(chip_of(group.totals, group.caught)),
                     escape_markup(group.file), escape_markup(specs_of(*group.records.front())), effort_of(group),
                     failures(group), plot(group), combination_table(group));
}

std::string cards(const std::vector<FunctionGroup> &groups) {
  std::string text;
  for (std::size_t position = 0; position < groups.size(); ++position)
    text += card(groups[position], position) + "\n";
  return text;
}

std::string figures_of(const Run &run) {
  std::string text;
  for (const Figure &figure : run.figures)
    text += fmt::format("<section class=\"card\"><h2>{}</h2>{}<p class=\"faint\">{}</p></section>\n",
                        escape_markup(figure.title), line_plot_svg(figure), escape_markup(figure.caption));
  return text;
}

/// A run of drawings alone has nothing that could be right or wrong.
bool only_figures(const Run &run) {
  return run.records.empty() && !run.figures.empty();
}

std::string title_of(const Run &run, const Totals &totals) {
  if (only_figures(run))
    return "Assay: " + run.figures.front().title;
  return totals.failed ? fmt::format("Assay: {} failed", totals.failed) : "Assay: all passed";
}

std::string headline_of(const Run &run, std::size_t functions) {
  if (only_figures(run))
    return escape_markup(run.environment);
  return fmt::format("Derivatives of {} function{}", functions, functions == 1 ? "" : "s");
}

} // namespace

std::string to_html_page(const Run &run) {
  const Totals totals = totals_of(run.records);
  const std::vector<FunctionGroup> groups = group_by_function(run.records);
  return fill_template(page_template, [&](std::string_view place) -> std::string {
    if (place == "title")
      return title_of(run, totals);
    if (place == "headline")
      return headline_of(run, groups.size());
    if (place == "figures")
      return figures_of(run);
    if (only_figures(run) && (place == "verdict" || place == "tiles" || place == "bar" || place == "footer"))
      return {};
    if (place == "verdict")
      return html_of(totals.failed ? Chip{"bad", "a gradient is wrong"}
                                   : Chip{"good", totals.undecided ? "nothing failed" : "all passed"});
    if (place == "tiles")
      return tiles(totals);
    if (place == "bar")
      return bar(totals);
    if (place == "facts")
      return facts(run);
    if (place == "notes")
      return notes(run);
    if (place == "index")
      return index_of(groups);
    if (place == "footer")
      return "A combination is one choice of what is differentiated: the mode, and for the result and each parameter "
             "whether it is constant or carries a derivative. Each one was compared with finite differences of the "
             "function itself and with the algebra that every derivative obeys.";
    if (place == "functions")
      return cards(groups);
    return {};
  });
}

} // namespace assay::reports
