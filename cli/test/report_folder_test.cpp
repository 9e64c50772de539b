// Would catch: a report that destroys the records of a night, or forgets failures that nobody has checked again; output
// or a report that is lost without a word.

#include "cli/test/checked_program.hpp"
#include "cli/test/wrong_cube.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace assay::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of(const std::filesystem::path &file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class ReportFolder : public testing::Test {
protected:
  void SetUp() override {
    place.write("good.c", "double cube(double x) { return x * x * x; }\n");
    place.write("bad.c", std::string(wrong_cube) + "double first(double x) { return cube(x) + x; }\n"
                                                   "double second(double x) { return cube(x) - x; }\n");
  }

  std::vector<reports::Record> records() const { return reports::read_report(place.path() / "r").records; }

  std::size_t failures_of(const std::string &function) const {
    const std::vector<reports::Record> all = records();
    return static_cast<std::size_t>(std::ranges::count_if(all, [&](const reports::Record &record) {
      return record.function == function && record.outcome == reports::Outcome::failed;
    }));
  }

  Workplace place;
};

TEST_F(ReportFolder, OfANightIsRefused) {
  std::filesystem::create_directory(place.path() / "night");
  place.write("night/records.jsonl", "{\"kind\":\"night\",\"schema_version\":1}\n");
  const std::string before = text_of(place.path() / "night/records.jsonl");
  for (const std::string words :
       {"check good.c --function cube --report night", "check good.c --function cube --report night --only-failed",
        "accuracy --report night"}) {
    const Outcome outcome = place.assay(words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_EQ(outcome.output, "") << words;
    EXPECT_THAT(outcome.errors, HasSubstr("night holds the records of a night")) << words;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  }
  EXPECT_EQ(text_of(place.path() / "night/records.jsonl"), before);
  EXPECT_FALSE(std::filesystem::exists(place.path() / "night/index.html"));
}

TEST_F(ReportFolder, KeepsFailuresThatWereNotCheckedAgain) {
  const std::string options = " --oracle fd --plain --samples 1 --report r";
  ASSERT_EQ(place.assay("check bad.c --function first --function second" + options).code, 1);
  const std::size_t of_first = failures_of("first");
  ASSERT_NE(of_first, 0U);
  const Outcome outcome = place.assay("check bad.c --function second --only-failed" + options);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("not checked again, and stay in the report"));
  EXPECT_THAT(outcome.last_line(), HasSubstr("3 combinations checked"));
  EXPECT_EQ(failures_of("first"), of_first);
  for (const reports::Record &record : records())
    EXPECT_EQ(record.function == "first", std::ranges::any_of(record.notes, [](const std::string &note) {
                return note.starts_with("not checked again");
              }));
  const Outcome next = place.assay("check bad.c --function first --function second --only-failed" + options);
  EXPECT_THAT(next.output, HasSubstr("  first "));
  EXPECT_THAT(next.output, Not(HasSubstr("not checked again")));
}

TEST_F(ReportFolder, KeepsFailuresThatAnInterruptionLeft) {
  const std::string options = " --oracle fd --plain --samples 1 --report r";
  place.write("slow.c", "double slow(double x) { for (;;) x = x * 0.5 + 0.25; return x; }\n");
  ASSERT_EQ(place.assay("check bad.c --function first" + options).code, 1);
  const std::size_t failures = failures_of("first");
  place.shell(ASSAY_COMMAND " check slow.c bad.c --function slow --function first --failed-first --call-seconds 60" +
              options + " & checked=$!; sleep 0.05; kill -TERM $checked; wait $checked");
  EXPECT_EQ(failures_of("first"), failures);
}

TEST_F(ReportFolder, ThatCannotBeWrittenCostsTheReportAlone) {
  std::filesystem::create_directories(place.path() / "r/records.jsonl/in-the-way");
  const Outcome outcome = place.assay("check good.c --function cube --plain --samples 1 --report r");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.last_line(), "3 combinations checked, 3 passed, 0 failed, 0 undecided");
  EXPECT_THAT(outcome.errors, HasSubstr("cannot write r/records.jsonl: "));
  EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
}

TEST_F(ReportFolder, StandardOutputThatIsLostIsAnError) {
  for (const std::string words :
       {"check good.c --function cube --plain --samples 1", "check good.c --function cube --plain --samples 1 --json",
        "check good.c --list", "explain good.c --function cube", "completion bash"}) {
    const Outcome outcome = place.assay(words + " > /dev/full");
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_THAT(outcome.errors, HasSubstr("assay: standard output cannot be written: No space left on device\n"))
        << words;
  }
}

} // namespace
} // namespace assay::cli::test
