#include "reports/report_page.hpp"

#include "reports/page_data.hpp"
#include "reports/page_parts.hpp"
#include "reports/printable.hpp"
#include <fmt/format.h>
#include <kainjow/mustache.hpp>

namespace assay::reports {

namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

constexpr std::size_t failures_without_scripts = 200;

/// A run of drawings alone has nothing that could be right or wrong.
bool only_figures(const Run &run) {
  return run.records.empty() && !run.figures.empty();
}

data list_of_facts(const PageContents &contents) {
  data facts{data::type::list};
  for (const auto &[name, value] : contents.facts)
    if (!value.empty()) {
      data fact;
      fact.set("name", name);
      fact.set("value", printable(value));
      facts << fact;
    }
  return facts;
}

data list_of_tiles(const Run &run) {
  data tiles{data::type::list};
  if (only_figures(run))
    return tiles;
  const Totals totals = totals_of(run.records);
  const auto add = [&](const char *style, std::size_t count, const char *label) {
    data tile;
    tile.set("style", count == 0 ? "" : style);
    tile.set("count", std::to_string(count));
    tile.set("label", label);
    tiles << tile;
  };
  add("", totals.checked, "combinations checked");
  add("good", totals.passed, "passed");
  add("bad", totals.failed, "failed");
  add("unsure", totals.undecided, "undecided");
  return tiles;
}

/// For a browser without scripts.
data list_of_failures(const Run &run) {
  data failures{data::type::list};
  std::size_t count = 0;
  for (const Record &record : run.records)
    if (record.outcome == Outcome::failed && count++ < failures_without_scripts) {
      data failure;
      failure.set("message", printable(record.message.empty() ? record.detail : record.message));
      failure.set("replay", printable(record.replay));
      failures << failure;
    }
  return failures;
}

data list_of_notes(const Run &run) {
  data notes{data::type::list};
  for (const std::string &note : run.notes)
    notes << data(printable(note));
  return notes;
}

std::string title_of(const Run &run) {
  if (!only_figures(run))
    return closing_line(totals_of(run.records));
  return run.environment.empty() ? run.figures.front().title : run.environment;
}

} // namespace

std::string report_page(const PageContents &contents) {
  data page;
  page.set("title", title_of(contents.run));
  page.set("facts", list_of_facts(contents));
  page.set("tiles", list_of_tiles(contents.run));
  page.set("failures", list_of_failures(contents.run));
  page.set("has-notes", contents.run.notes.empty() ? data::type::bool_false : data::type::bool_true);
  page.set("notes", list_of_notes(contents.run));
  for (const PagePart &part : page_parts())
    page.set(part.name, part.text);
  page.set("data", page_data(contents));
  mustache page_template{page_text()};
  return page_template.render(page);
}

std::string report_page(const Run &run, const std::optional<std::vector<Change>> &changes) {
  PageContents contents{run, changes};
  contents.facts = {{"Command", run.command},
                    {"Seed", only_figures(run) ? "" : std::to_string(run.seed)},
                    {"Environment", run.environment},
                    {"Duration", fmt::format("{:.{}f} s", run.seconds, run.seconds < 100 ? 2 : 0)}};
  return report_page(contents);
}

} // namespace assay::reports
