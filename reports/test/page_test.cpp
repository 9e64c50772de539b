// Would catch: a page that needs something from outside, breaks on special characters, or leaves something out.

#include "reports/html_page.hpp"
#include "reports/junit.hpp"
#include "reports/markup.hpp"
#include "reports/test/sample_run.hpp"
#include "reports/write_report.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace {

using namespace assay::reports;
namespace fs = std::filesystem;

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

TEST(HtmlPage, NeedsNothingFromOutside) {
  const std::string page = to_html_page(test::sample_run());
  for (const char *reference : {"src=", "http:", "https:", "@import", "url(", "<link", "<script"})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
}

TEST(HtmlPage, FillsEveryPlaceOfItsTemplate) {
  const std::string page = to_html_page(test::sample_run());
  EXPECT_EQ(page.find("{{"), std::string::npos);
  EXPECT_EQ(page.find("}}"), std::string::npos);
}

TEST(HtmlPage, ShowsEveryCombinationAndTheFailureInFull) {
  const std::string page = to_html_page(test::sample_run());
  EXPECT_EQ(count(page, "<section class=\"card\" id=\"function-"), 3u);
  EXPECT_EQ(count(page, "<svg class=\"plot\""), 3u);
  for (const char *part : {"a factor of 3", "x[1]", "wrong derivative", "oracle unreliable", "caught", "--function dot",
                           "24 of 96 combinations"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(HtmlPage, EscapesWhatUsersWrote) {
  assay::reports::Run run = test::sample_run();
  for (Record &record : run.records)
    record.function = "f<T>(\"&\")";
  const std::string page = to_html_page(run);
  EXPECT_EQ(page.find("f<T>"), std::string::npos);
  EXPECT_NE(page.find("f&lt;T&gt;(&quot;&amp;&quot;)"), std::string::npos);
}

TEST(HtmlPage, IsBalanced) {
  const std::string page = to_html_page(test::sample_run());
  for (const char *tag :
       {"section", "table", "tr", "td", "th", "details", "summary", "div", "svg", "p", "span", "pre", "dl"})
    EXPECT_EQ(count(page, std::string("<") + tag + ">") + count(page, std::string("<") + tag + " "),
              count(page, std::string("</") + tag + ">"))
        << tag;
}

TEST(HtmlPage, DrawsFigures) {
  assay::reports::Run run;
  run.figures = {
      {"Error <1>", "A caption.", "step", "error", {{"p = 3", {{0.1, 1e-3}, {0.01, 1e-5}, {0, 1}, {1, NAN}}}}}};
  const std::string page = to_html_page(run);
  EXPECT_NE(page.find("Error &lt;1&gt;"), std::string::npos);
  EXPECT_NE(page.find("p = 3: 0.1, 0.001"), std::string::npos);
  EXPECT_EQ(count(page, "<title>p = 3"), 2u) << "points without a place are left out";
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST(HtmlPage, IsMadeOfNoRecordsToo) {
  EXPECT_NE(to_html_page(assay::reports::Run()).find("combinations checked"), std::string::npos);
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
