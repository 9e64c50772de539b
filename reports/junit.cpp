#include "reports/junit.hpp"

#include "reports/grouping.hpp"
#include "reports/markup.hpp"
#include <fmt/format.h>

namespace assay::reports {

namespace {

std::string test_case(const Record &record) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escape_markup(record.function),
                                       escape_markup(combination_text(record)));
  if (record.outcome == Outcome::passed)
    return head + "/>\n";
  const std::string text = escape_markup(record.message.empty() ? record.detail : record.message);
  if (record.outcome == Outcome::undecided)
    return head + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", escape_markup(record.verdict));
  return head + fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                            escape_markup(record.verdict), escape_markup(record.detail), text);
}

/// A suite of their own: there is no other place for words about the whole run.
std::string notes(const Run &run) {
  if (run.notes.empty())
    return {};
  std::string text;
  for (const std::string &note : run.notes)
    text += escape_markup(note) + "\n";
  return fmt::format("  <testsuite name=\"notes\" tests=\"0\" failures=\"0\" skipped=\"0\">\n"
                     "    <system-out>{}</system-out>\n  </testsuite>\n",
                     text);
}

} // namespace

std::string to_junit_xml(const Run &run) {
  const Totals totals = totals_of(run.records);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n", totals.checked,
                      totals.failed, totals.undecided, run.seconds);
  for (const FunctionGroup &group : group_by_function(run.records)) {
    text +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                    escape_markup(group.function), group.totals.checked, group.totals.failed, group.totals.undecided);
    text += fmt::format("    <properties><property name=\"seed\" value=\"{}\"/></properties>\n", run.seed);
    for (const Record *record : group.records)
      text += test_case(*record);
    text += "  </testsuite>\n";
  }
  return text + notes(run) + "</testsuites>\n";
}

} // namespace assay::reports
