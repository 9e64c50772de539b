// Would catch: a replay of a record of `assay check` that checks something else than what was recorded, or does not say
// what is not as it was; output of a checked function that makes a report unreadable.

#include "cli/sweep_trial.hpp"
#include "cli/test/checked_program.hpp"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace assay::cli::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string as_recorded = "bit for bit as recorded: inputs, IR, gradients and verdict\n";

class ReplayedRecord : public testing::Test {
protected:
  void expect_as_recorded(const std::string &words, int record) const {
    ASSERT_EQ(place.assay("check f.c --report r " + words).code, 0) << words;
    const Outcome outcome = place.assay("replay " + std::to_string(record) + " --report r");
    EXPECT_EQ(outcome.code, 0) << words << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr(as_recorded)) << words;
    EXPECT_EQ(outcome.last_line(), "1 combinations checked, 1 passed, 0 failed, 0 undecided") << words;
  }

  Workplace place;
};

TEST_F(ReplayedRecord, IsCheckedWithTheOptionsOfItsCheck) {
  place.write("f.c", "double f(double x, double y) { return x * y K; }\n"
                     "double dot(const double *x, const double *y, int n)\n"
                     "{ double s = 0; for (int i = 0; i < n; ++i) s += x[i] * y[i]; return s; }\n");
  expect_as_recorded("--function f --plain --samples 1 -- -DK=+x", 2);
  expect_as_recorded("--function f --samples 2 --opt-level 1 --rtol 1e-6 -- -DK=", 9);
  expect_as_recorded("--function f --budget 5 --seed 4 --oracle fd -- -DK=", 4);
  expect_as_recorded("--function f --mode reverse --plain --samples 1 -- -DK=", 1);
  expect_as_recorded("--function dot --arg 'double[n]' --arg 'double[n]' --arg int=1..5 --plain --jobs 2 -- -DK=", 3);
}

TEST_F(ReplayedRecord, SaysWhatIsNotAsItWas) {
  place.write("f.c", "double f(double x) { return x * x; }\n");
  expect_as_recorded("--function f --plain --samples 1", 1);
  place.write("f.c", "double f(double x) { return x * x * x; }\n");
  const Outcome outcome = place.assay("replay 1 --report r");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("not as recorded: same inputs, other IR, in "));
  EXPECT_THAT(outcome.output, Not(HasSubstr("libm")));
}

TEST_F(ReplayedRecord, IsMadeAgainFromAnotherFolderAndOfAProjectThatWasMoved) {
  EXPECT_EQ(place.shell("mkdir -p project/include elsewhere").code, 0);
  place.write("project/include/k.h", "#define K 3\n");
  place.write("project/f.c", "#include \"k.h\"\ndouble f(double x) { return x * x * K; }\n");
  const std::string check = ASSAY_COMMAND " check f.c --function f --plain --samples 1 --report ../r -- -Iinclude";
  ASSERT_EQ(place.shell("cd project && " + check).code, 0);
  for (const std::string words : {"replay 1 --report r", "replay 1 --report r --emit made"}) {
    const Outcome outcome = place.assay(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr(as_recorded));
  }
  EXPECT_EQ(place.shell("ls made/*.ll").code, 0);
  EXPECT_EQ(place.shell("mv project moved").code, 0);
  const Outcome outcome = place.shell("cd elsewhere && " ASSAY_COMMAND " replay 1 --report ../r");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("f.c is not in "), HasSubstr("say with --project DIR where it is now")));
  const Outcome there = place.shell("cd elsewhere && " ASSAY_COMMAND " replay 1 --report ../r --project ../moved");
  EXPECT_EQ(there.code, 0) << there.errors;
  EXPECT_THAT(there.output, HasSubstr(as_recorded));
  EXPECT_THAT(place.shell("cd moved && " ASSAY_COMMAND " replay 1 --report ../r").output, HasSubstr(as_recorded));
}

TEST_F(ReplayedRecord, MayHaveNoAnswer) {
  place.write("f.c", "#include <stdlib.h>\ndouble f(double x) { abort(); return x; }\n");
  ASSERT_EQ(place.assay("check f.c --function f --report r").code, 2);
  const Outcome outcome = place.assay("replay 1 --report r");
  EXPECT_EQ(outcome.code, 2) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr(as_recorded));
}

TEST_F(ReplayedRecord, OfWhatPrintsAnyBytesIsReadable) {
  place.write("f.c", "#include <stdio.h>\n#include <stdlib.h>\n"
                     "double f(double x) { fputs(\"\\xff\\x1b[31m\\xc3\\xa9\\xc3\", stderr); abort(); return x; }\n");
  const Outcome outcome = place.assay("check f.c --function f --report r");
  EXPECT_THAT(outcome.output, HasSubstr("its last words: \\xff\\x1b[31m\xc3\xa9\\xc3"));
  for (const char *file : {"junit.xml", "report.md", "index.html", "records.jsonl", "report.sarif"}) {
    std::ostringstream text;
    text << std::ifstream(place.path() / "r" / file, std::ios::binary).rdbuf();
    EXPECT_THAT(text.str(), HasSubstr("xff")) << file;
    for (const char *bytes : {"\xff", "\x1b", "\xc3\\"})
      EXPECT_THAT(text.str(), Not(HasSubstr(bytes))) << file;
  }
}

TEST(ReplayedFunction, IsNamedByACommandThatWorks) {
  SweepSettings settings;
  settings.program = "assay";
  std::size_t messages = 0;
  for (std::uint32_t number = 0; number < 12 && messages == 0; ++number)
    for (const reports::Record &record : check_random_function(
             {1, gen::functions::Terrain::near_kink, gen::functions::Precision::real32, number}, settings))
      if (!record.message.empty()) {
        ++messages;
        EXPECT_THAT(record.message, HasSubstr(record.replay));
        EXPECT_THAT(record.message, Not(HasSubstr("function.c")));
      }
  EXPECT_NE(messages, 0U) << "no function that is not right at once";
}

} // namespace
} // namespace assay::cli::test
