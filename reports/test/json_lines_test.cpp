// Would catch: a record that loses or changes what is needed to replay it on its way through JSON.

#include "reports/json_lines.hpp"
#include "reports/test/sample_run.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay::reports;

TEST(JsonLines, KeepsEveryMemberOfARecord) {
  for (const Record &record : test::sample_run().records) {
    const std::string line = to_json_line(record);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(to_json_line(record_from_json_line(line)), line);
  }
}

TEST(JsonLines, KeepsNumbersToTheLastBit) {
  Record record = test::sample_run().records.front();
  record.inputs = {{"x", {0.1, -0.0, 0x1.fffffffffffffp+1023, 0x1p-1074, 1.0 / 3.0}}};
  const std::vector<double> values = record_from_json_line(to_json_line(record)).inputs.front().values;
  for (std::size_t index = 0; index < values.size(); ++index) {
    EXPECT_EQ(values[index], record.inputs.front().values[index]);
    EXPECT_EQ(std::signbit(values[index]), std::signbit(record.inputs.front().values[index]));
  }
}

TEST(JsonLines, KeepsNumbersThatAreNotFinite) {
  const Element element = record_from_json_line(to_json_line(test::sample_run().records[1])).worst.front();
  EXPECT_TRUE(std::isnan(element.ad));
  EXPECT_TRUE(std::isinf(element.absolute_error));
}

TEST(JsonLines, KeepsWhatASecondOracleGives) {
  const Record record = record_from_json_line(to_json_line(test::sample_run().records[1]));
  EXPECT_EQ(record.backend, "emulated device");
  EXPECT_EQ(record.second_oracle, "wide arithmetic");
  EXPECT_EQ(record.worst.front().second, 0.3);
  EXPECT_EQ(record.worst.front().second_error, 1e-21);
  EXPECT_FALSE(record_from_json_line(to_json_line(test::sample_run().records[0])).worst.front().second);
}

TEST(JsonLines, KeepsWhatTheHeapGave) {
  Record record = test::sample_run().records.front();
  record.heap = HeapCost{3, 480};
  const Record read = record_from_json_line(to_json_line(record));
  ASSERT_TRUE(read.heap);
  EXPECT_EQ(read.heap->allocations, 3U);
  EXPECT_EQ(read.heap->most_bytes, 480U);
  EXPECT_FALSE(read.heap_of_function);
}

TEST(JsonLines, KeepsStepsTimesAndLostDigits) {
  const Record read = record_from_json_line(to_json_line(test::sample_run().records[1]));
  ASSERT_TRUE(read.steps && read.times);
  EXPECT_EQ(read.steps->expected, 0.3);
  EXPECT_EQ(read.steps->rows.back().step, 0x1p-30);
  EXPECT_EQ(read.times->derivative.high, 5500);
  EXPECT_EQ(read.digits_lost, 3);
  EXPECT_FALSE(record_from_json_line(to_json_line(test::sample_run().records[0])).steps->expected);
}

TEST(JsonLines, KeepsSeedsOf64Bits) {
  EXPECT_EQ(record_from_json_line(to_json_line(test::sample_run().records.front())).seed, 0xFFFFFFFFFFFFFFFF);
}

TEST(JsonLines, WritesTextThatIsNotUtf8) {
  Record record = test::sample_run().records.front();
  record.detail = "\xff\xfe broken";
  EXPECT_NE(record_from_json_line(to_json_line(record)).detail.find("broken"), std::string::npos);
}

TEST(JsonLines, ReadsARunBackWithItsHead) {
  const assay::reports::Run run = run_from_json_lines(to_json_lines(test::sample_run()));
  EXPECT_EQ(run.seed, 7u);
  EXPECT_EQ(run.command, "assay check dot.c");
  EXPECT_EQ(run.seconds, 1.25);
  EXPECT_EQ(run.records.size(), 4u);
}

TEST(JsonLines, KeepsFigures) {
  assay::reports::Run run;
  run.figures = {{"title", "caption", "x", "y", {{"curve", {{1, 1e-3}, {2, INFINITY}}}}, Scale::linear}};
  const assay::reports::Run read = run_from_json_lines(to_json_lines(run));
  ASSERT_EQ(read.figures.size(), 1u);
  EXPECT_EQ(read.figures[0].caption, "caption");
  EXPECT_EQ(read.figures[0].x_scale, Scale::linear);
  EXPECT_EQ(read.figures[0].series[0].points[0].y, 1e-3);
  EXPECT_TRUE(std::isinf(read.figures[0].series[0].points[1].y));
}

TEST(JsonLines, ReadsWhatAnInterruptedRunLeft) {
  const std::string text = to_json_lines(test::sample_run());
  const std::size_t second_record = text.find('\n', text.find('\n') + 1);
  EXPECT_EQ(run_from_json_lines(text.substr(0, second_record + 40)).records.size(), 1u);
}

TEST(JsonLines, RefusesWhatIsNoRecord) {
  EXPECT_THROW(static_cast<void>(record_from_json_line("{\"kind\":\"record\"}")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(record_from_json_line("not json")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(record_from_json_line(R"({"kind":"record","schema_version":999})")),
               std::runtime_error);
}

TEST(JsonLines, RefusesLinesWithMembersOfOtherTypes) {
  for (const char *line : {R"({"kind":"run","environment":[]})", R"({"kind":"run","seed":"one"})",
                           R"({"kind":"figure","title":1})", R"({"kind":"record","schema_version":[]})"})
    EXPECT_THROW(static_cast<void>(run_from_json_lines(std::string(line) + "\n")), std::runtime_error) << line;
  EXPECT_TRUE(run_from_json_lines("{\"kind\":[]}\n").records.empty());
}

TEST(ClosingLine, CountsEveryOutcome) {
  EXPECT_EQ(closing_line(totals_of(test::sample_run().records)),
            "4 combinations checked, 2 passed, 1 failed, 1 undecided");
}

} // namespace
