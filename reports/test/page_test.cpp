// Would catch: a page that needs something from outside, breaks on special characters, or leaves something out.

#include "reports/junit.hpp"
#include "reports/markup.hpp"
#include "reports/report_page.hpp"
#include "reports/test/large_run.hpp"
#include "reports/test/sample_run.hpp"
#include "reports/write_report.hpp"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace assay::reports;
namespace fs = std::filesystem;
using nlohmann::json;

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t found = 0;
  for (std::size_t position = text.find(part); position != std::string::npos; position = text.find(part, position + 1))
    ++found;
  return found;
}

/// A folder that exists for one test.
struct ScratchFolder {
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "assay-report-test-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

/// The data of the page's scripts.
json data_of(const std::string &page) {
  const std::string begin = "id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  return json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(ReportPage, FillsEveryPlaceOfItsTemplate) {
  const std::string page = report_page(test::sample_run());
  for (const char *place : {"{{title}}", "{{{", "{{#", "{{/", "{{."})
    EXPECT_EQ(page.find(place), std::string::npos) << place;
}

TEST(ReportPage, SaysTheTotalsAndTheFailuresWithoutScripts) {
  const std::string page = report_page(test::sample_run());
  EXPECT_NE(page.find("<b class=\"bad\">1</b><span>failed</span>"), std::string::npos);
  EXPECT_NE(page.find("<dt>Command</dt><dd>assay check dot.c</dd>"), std::string::npos);
  const std::string without = page.substr(page.find("<noscript>"), page.find("</noscript>") - page.find("<noscript>"));
  EXPECT_NE(without.find("--function dot"), std::string::npos) << without;
}

/// Would catch: a text of a record that ends the script element of the page, or is read as HTML.
TEST(ReportPage, HoldsAllRecordsAsData) {
  assay::reports::Run run = test::sample_run();
  run.records[1].detail = run.records[1].message = "</script><b>bold</b>";
  run.notes = {"f<T>(\"&\") is a template"};
  const std::string page = report_page({run, changes_since(run, run), {}, {{"Seed", "7"}}});
  EXPECT_EQ(page.find("<b>bold"), std::string::npos);
  EXPECT_NE(page.find("f&lt;T&gt;(&quot;&amp;&quot;)"), std::string::npos);
  const json data = data_of(page);
  ASSERT_EQ(data.at("records").size(), 4U);
  EXPECT_EQ(data.at("records").at(1).at("detail"), run.records[1].detail);
  EXPECT_EQ(data.at("records").at(1).at("ch"), "failing before, too");
  EXPECT_EQ(data.at("rows").size(), 3U) << "one for each function";
}

TEST(ReportPage, HoldsWhatItsPlotsShow) {
  const json data = data_of(report_page(test::sample_run())), failed = data.at("records").at(1);
  EXPECT_EQ(failed.at("st").at("rows").at(0), json::parse("[-1, 0.1, 0.1, 0.1, 0.0]")) << "errors of the step 1/2";
  EXPECT_EQ(failed.at("c"), 2.5) << "the derivative's time in units of the function's";
  EXPECT_EQ(failed.at("e").at(7), 0.3) << "the second oracle";
  EXPECT_EQ(failed.at("l"), 3);
  EXPECT_EQ(data.at("rows").at(0).at("unseen").size(), 1U);
}

TEST(ReportPage, HoldsEarlierNightsWhereThereAreSome) {
  const assay::reports::Run run = test::sample_run();
  EXPECT_FALSE(data_of(report_page({run})).contains("nights"));
  PageContents contents{run};
  contents.past = PastNights{{{"2031-02-03", 18446744073709551615U, 5, {4, 2, 1, 1}}}, {{"check/dot.c:dot@1", "f"}}};
  const json data = data_of(report_page(contents));
  EXPECT_EQ(data.at("nights").at(0).at(1), "18446744073709551615") << "a number that a script would round";
  EXPECT_EQ(data.at("letters").at("check/dot.c:dot@1"), "f");
}

TEST(ReportPage, DrawsFigures) {
  assay::reports::Run run;
  run.figures = {{"Error <1>", "A caption.", "step", "error", {{"p = 3", {{0.1, 1e-3}, {1, NAN}}}}}};
  const std::string page = report_page(run);
  EXPECT_NE(page.find("<h1>Error &lt;1&gt;</h1>"), std::string::npos);
  run.environment = "sines & cosines";
  EXPECT_NE(report_page(run).find("<h1>sines &amp; cosines</h1>"), std::string::npos);
  EXPECT_EQ(page.find("combinations checked</span>"), std::string::npos);
  const json figure = data_of(page).at("figures").at(0);
  EXPECT_EQ(figure.at("title"), "Error <1>");
  EXPECT_EQ(figure.at("series").at(0).at("points").at(1).at(1), "nan");
}

TEST(ReportPage, IsMadeOfNoRecordsToo) {
  EXPECT_NE(report_page(assay::reports::Run()).find("combinations checked"), std::string::npos);
}

/// In a browser: pages are opened, filtered and clicked, at two widths, light and dark.
TEST(ReportPage, WorksInABrowserWithTenThousandRecords) {
  ASSERT_EQ(std::system("command -v chromium >/dev/null || command -v google-chrome >/dev/null"), 0)
      << "there is no chromium: ./assay setup installs it";
  const ScratchFolder folder;
  const test::LargeRun large = test::large_run(10'000);
  PageContents contents{large.now, changes_since(large.before, large.now)};
  contents.past = large.past;
  contents.known_cases = {large.now.records[7].case_id};
  write_whole_file(folder.path / "large.html", report_page(contents));
  write_whole_file(folder.path / "small.html", report_page(test::sample_run()));
  const char *pictures = std::getenv("ASSAY_PICTURES"); // A folder for people who want to look.
  const std::string command =
      fmt::format("python3 -B '{}/reports/test/click_through.py' '{}/large.html' '{}/small.html' {}", ASSAY_SOURCE,
                  folder.path.string(), folder.path.string(), pictures ? pictures : "");
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(JunitXml, CountsFailuresAndSkips) {
  const std::string xml = to_junit_xml(test::sample_run());
  EXPECT_NE(xml.find("<testsuites tests=\"4\" failures=\"1\" skipped=\"1\""), std::string::npos) << xml;
  EXPECT_EQ(count(xml, "<testcase "), 4u);
  EXPECT_EQ(count(xml, "<failure "), 1u);
  EXPECT_NE(xml.find("&lt;0.1&gt; &amp; &quot;0.3&quot;"), std::string::npos);
}

TEST(Markup, FillsPlacesByName) {
  EXPECT_EQ(fill_template("a{{x}}b{{y}}c", [](std::string_view name) { return "<" + std::string(name) + ">"; }),
            "a<x>b<y>c");
  EXPECT_EQ(fill_template("{{ unfinished", [](std::string_view) { return std::string(); }), "{{ unfinished");
}

TEST(WriteReport, LeavesFiveFilesAndNoParts) {
  const ScratchFolder folder;
  write_report(folder.path / "deep" / "report", test::sample_run());
  std::size_t files = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder.path / "deep" / "report")) {
    ++files;
    EXPECT_NE(entry.path().extension(), ".part");
  }
  EXPECT_EQ(files, 5u);
  EXPECT_EQ(read_report(folder.path / "deep" / "report").records.size(), 4u);
}

TEST(WriteReport, SaysWhichFileCannotBeWritten) {
  const ScratchFolder folder;
  std::ofstream(folder.path / "in-the-way") << "x";
  EXPECT_THROW(write_report(folder.path / "in-the-way", test::sample_run()), std::runtime_error);
  EXPECT_THROW(static_cast<void>(read_report(folder.path / "nothing")), std::runtime_error);
}

} // namespace
