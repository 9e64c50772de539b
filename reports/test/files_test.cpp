// Would catch: a file for another tool that the tool would not read, or a change since the baseline that nobody is
// told.

#include "reports/baseline.hpp"
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

/// Nothing fails in it.
Report passing_run() {
  Report run = test::sample_run();
  run.records.erase(run.records.begin() + 1);
  return run;
}

TEST(Baseline, NamesWhatFailsNowAndWhatDoesNotFailAnyMore) {
  Report before = test::sample_run(), now = test::sample_run();
  before.records[1].outcome = Outcome::passed;
  now.records[3].function = "renamed";
  const std::vector<Change> changes = changes_since(before, now);
  EXPECT_EQ(kinds(changes),
            (std::vector{Change::Kind::newly_failing, Change::Kind::only_now, Change::Kind::only_before}));
  EXPECT_EQ(extent_of(changes[0]), "");
  EXPECT_EQ(changes[0].now, &now.records[1]);
  EXPECT_EQ(kinds(changes_since(now, now)), std::vector{Change::Kind::still_failing}) << "it was there already";
  EXPECT_EQ(kinds(changes_since(now, before)).front(), Change::Kind::newly_passing);
}

/// Would catch: hundreds of changes that say that another seed draws other functions.
TEST(Baseline, TakesNoFunctionThatWasDrawnForNewOrMissing) {
  Report before = passing_run(), now = test::sample_run();
  for (Report *run : {&before, &now}) {
    Record &record = run == &now ? now.records[1] : before.records[0];
    record.file.clear();
    record.case_id = run == &now ? "function/smooth/double/1@2" : "function/smooth/double/1@1";
  }
  const std::vector<Change> changes = changes_since(before, now);
  EXPECT_EQ(kinds(changes), (std::vector{Change::Kind::newly_failing, Change::Kind::only_now}))
      << "the failure, and the function of the file that was drawn before";
}

TEST(Baseline, SeesDigitsThatWereLost) {
  Report before = passing_run(), now = passing_run();
  now.records[0].worst[0].relative_error = 2e-11;
  EXPECT_EQ(kinds(changes_since(before, now)), std::vector{Change::Kind::less_accurate});
  now.records[0].worst[0].relative_error = 5e-13; // Not ten times as much.
  EXPECT_EQ(kinds(changes_since(before, now)), std::vector<Change::Kind>());
}

/// Would catch: every busy machine a regression, and a real one that is taken for noise.
TEST(Baseline, TellsSlowerFromNoise) {
  const Report before = passing_run();
  const auto kinds_with = [&](const Times &times, const std::string &cpu = "a processor") {
    Report now = passing_run();
    now.records[0].times = times;
    now.records[0].provenance.cpu = cpu;
    return kinds(changes_since(before, now));
  };
  const std::vector slower{Change::Kind::slower}, nothing = std::vector<Change::Kind>();
  EXPECT_EQ(kinds_with({{9, 2000, 2100, 2200}, {9, 9900, 10500, 11000}}), slower) << "twice the time";
  EXPECT_EQ(kinds_with({{9, 2000, 2100, 2200}, {9, 7000, 7350, 7700}}), nothing) << "not half as much again";
  EXPECT_EQ(kinds_with({{9, 2000, 2100, 2200}, {9, 5400, 10500, 30000}}), nothing) << "the spreads touch";
  EXPECT_EQ(kinds_with({{9, 4000, 4200, 4400}, {9, 9900, 10500, 11000}}), nothing) << "the function is slower as well";
  EXPECT_EQ(kinds_with({{2, 2000, 2100, 2200}, {2, 9900, 10500, 11000}}), nothing) << "two calls are too few";
  EXPECT_EQ(kinds_with({{9, 200, 210, 220}, {9, 990, 1050, 1100}}), nothing) << "too short to be timed";
  EXPECT_EQ(kinds_with({{9, 200, 220, 240}, {9, 1000, 1050, 1100}}, "a faster one"), nothing) << "too short again";
  EXPECT_EQ(kinds_with({{9, 1000, 1050, 1100}, {9, 5000, 5200, 5400}}, "a faster one"), slower)
      << "on another processor the ratio alone tells";
  Report now = passing_run();
  now.records[0].times = {{9, 2000, 2100, 2200}, {9, 9900, 10500, 11000}};
  EXPECT_EQ(extent_of(changes_since(before, now).front()), "5 times the function's time, was 2.5; 10.5 us, was 5.25");
  EXPECT_NE(to_markdown(now, changes_since(before, now)).find("slower: dot.c"), std::string::npos);
  const json result = json::parse(to_sarif(now, changes_since(before, now)))["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "slower-derivative");
  EXPECT_EQ(result["level"], "note");
  EXPECT_EQ(result["baselineState"], "updated");
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
