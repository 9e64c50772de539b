// Would catch: a file for another tool that the tool would not read, or a change since the baseline that nobody is
// told.

#include "reports/baseline.hpp"
#include "reports/browse_page.hpp"
#include "reports/json_lines.hpp"
#include "reports/markdown.hpp"
#include "reports/sarif.hpp"
#include "reports/test/sample_run.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace assay::reports;
using nlohmann::json;
using Report = assay::reports::Run; // A test has a member of that name.

std::vector<Change::Kind> kinds(const std::vector<Change> &changes) {
  std::vector<Change::Kind> all;
  for (const Change &change : changes)
    all.push_back(change.kind);
  return all;
}

TEST(Baseline, NamesWhatFailsNowAndWhatDoesNotFailAnyMore) {
  Report before = test::sample_run(), now = test::sample_run();
  before.records[1].outcome = Outcome::passed;
  now.records[3].function = "renamed";
  const std::vector<Change> changes = changes_since(before, now);
  EXPECT_EQ(kinds(changes),
            (std::vector{Change::Kind::newly_failing, Change::Kind::only_now, Change::Kind::only_before}));
  EXPECT_EQ(changes[0].now, &now.records[1]);
  EXPECT_EQ(kinds(changes_since(now, now)), std::vector<Change::Kind>());
  EXPECT_EQ(kinds(changes_since(now, before)).front(), Change::Kind::newly_passing);
}

TEST(Baseline, SeesDigitsThatWereLost) {
  Report before = test::sample_run(), now = test::sample_run();
  now.records[0].worst[0].relative_error = 2e-11;
  EXPECT_EQ(kinds(changes_since(before, now)), std::vector{Change::Kind::less_accurate});
  now.records[0].worst[0].relative_error = 5e-13; // Not ten times as much.
  EXPECT_EQ(kinds(changes_since(before, now)), std::vector<Change::Kind>());
}

TEST(Markdown, HasTotalsChangesAndTheCommandOfEachFailure) {
  Report before = test::sample_run();
  before.records[1].outcome = Outcome::passed;
  const Report now = test::sample_run();
  const std::string text = to_markdown(now, changes_since(before, now));
  EXPECT_NE(text.find("| 4 | 2 | 1 | 1 |"), std::string::npos) << text;
  EXPECT_NE(text.find("newly failing: dot.c"), std::string::npos) << text;
  EXPECT_NE(text.find("```\n" + now.records[1].replay + "\n```"), std::string::npos) << text;
}

/// Would catch: text of a user that ends its block.
TEST(Markdown, KeepsFencesOfAUserWithinTheirBlock) {
  Report run = test::sample_run();
  run.records[1].message = "before\n```\n# no title\n";
  EXPECT_NE(to_markdown(run).find("````\nbefore"), std::string::npos);
}

/// The members that SARIF 2.1.0 asks for.
TEST(Sarif, HasTheStructureThatToolsRead) {
  Report before = test::sample_run();
  before.records[1].outcome = Outcome::passed;
  Report now = test::sample_run();
  now.records[1].file = "src/a file.c";
  now.records[1].first_wrong->place = "a file.c:9 in cubes";
  const json document = json::parse(to_sarif(now, changes_since(before, now)));
  EXPECT_EQ(document.at("version"), "2.1.0");
  const json &run = document.at("runs").at(0);
  const json &driver = run.at("tool").at("driver");
  EXPECT_EQ(driver.at("name"), "Assay");
  ASSERT_EQ(run.at("results").size(), 1U) << "passed and undecided records are no results";
  const json &result = run.at("results").at(0);
  EXPECT_EQ(driver.at("rules").at(result.at("ruleIndex").get<std::size_t>()).at("id"), result.at("ruleId"));
  EXPECT_EQ(result.at("level"), "error");
  EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
  const json &place = result.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "src/a%20file.c");
  EXPECT_EQ(place.at("region").at("startLine"), 9);
  EXPECT_EQ(result.at("baselineState"), "new");
}

/// Would catch: a text of a record that ends the script element of the page, or is read as HTML.
TEST(BrowsePage, HoldsAllRecordsAsData) {
  Report run = test::sample_run();
  run.records[1].detail = "</script><b>bold</b>";
  const std::string page = to_browse_page({run, changes_since(run, run), {}, {{"Seed", "7"}}});
  EXPECT_EQ(page.find("<b>bold"), std::string::npos);
  const std::string begin = "id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  const json data = json::parse(page.substr(at, page.find("</script>", at) - at));
  EXPECT_EQ(data.at("records").size(), 4U);
  EXPECT_EQ(data.at("records").at(1).at("detail"), run.records[1].detail);
  EXPECT_EQ(data.at("facts").at(0).at(1), "7");
}

/// The schema is what others build on: a line that does not fit it is a mistake on one side or the other.
TEST(Schema, DescribesEveryLineOfAReport) {
  const std::string file = (std::filesystem::temp_directory_path() / "assay-schema-XXXXXX").string();
  std::string path = file;
  const int descriptor = mkstemp(path.data());
  ASSERT_GE(descriptor, 0);
  Report run = test::sample_run();
  run.figures = {{"title", "caption", "x", "y", {{"curve", {{1, 1e-3}, {2, INFINITY}}}}, Scale::linear}};
  std::ofstream(path) << to_json_lines(run);
  const std::string command = "python3 '" ASSAY_SOURCE "/reports/test/validate.py' '" ASSAY_SOURCE
                              "/reports/records.schema.json' '" +
                              path + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ofstream(path) << R"({"kind":"record","schema_version":2})" << "\n";
  EXPECT_NE(std::system((command + " >/dev/null 2>&1").c_str()), 0) << "a schema that takes anything";
  std::filesystem::remove(path);
}

} // namespace
