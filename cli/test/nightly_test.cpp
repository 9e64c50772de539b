// Would catch: a night whose records depend on shards, jobs or interruptions; a failure that is forgotten; a replay
// that is another computation than what was recorded.

#include "cli/test/run_command.hpp"
#include "cli/test/wrong_cube.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

bool mentions(const Outcome &outcome, const std::string &text) {
  return (outcome.output + outcome.errors).find(text) != std::string::npos;
}

std::string contents(const fs::path &file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t lines_of(const fs::path &file) {
  const std::string text = contents(file);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// Behind `digest`.
std::string digest(const Outcome &outcome) {
  const std::size_t at = outcome.output.find("digest ");
  return at == std::string::npos ? "none: " + outcome.output + outcome.errors : outcome.output.substr(at + 7, 32);
}

/// A folder `project` with two functions in two files.
void write_project(const Workplace &place, const std::string &second = "double half(double x) { return x / 2; }\n") {
  fs::create_directories(place.path() / "project" / "kernels");
  place.write("project/square.c",
              "#include <assay/check.h>\ndouble square(double x) { return x * x; }\nASSAY_CHECK(square);\n");
  place.write("project/kernels/half.c", "#include <assay/check.h>\n" + second + "ASSAY_CHECK(half);\n");
}

const std::string wrong_half =
    std::string(assay::cli::test::wrong_cube) + "double half(double x) { return cube(x) / 2; }\n";

/// Of the first command of each test; two functions, three random cases.
const std::string small_night = "nightly --seed 3 --cases 5 --samples 1 --combinations 3 project ";

TEST(Nightly, ShardsAndJobsGiveTheRecordsOfOneProcess) {
  const Workplace place;
  write_project(place);
  const Outcome whole = place.assay(small_night + "--report whole --jobs 2");
  EXPECT_EQ(whole.code, 0) << whole.output << whole.errors;
  EXPECT_EQ(lines_of(place.path() / "whole/cases.txt"), 5U);
  EXPECT_EQ(contents(place.path() / "whole/cases.txt").find("check/kernels/half.c:half@"), 0U);
  const Outcome schema = place.shell("python3 '" ASSAY_SOURCE "/reports/test/validate.py' '" ASSAY_SOURCE
                                     "/reports/records.schema.json' whole/records.jsonl");
  EXPECT_EQ(schema.code, 0) << schema.errors;
  for (const char *shard : {"2/2", "1/2"}) {
    const Outcome part = place.assay(small_night + "--report " + shard[0] + " --shard " + shard);
    EXPECT_EQ(part.code, 0) << part.output << part.errors;
  }
  EXPECT_TRUE(mentions(place.assay("merge --report merged 1"), "of 2 shards 1 is missing: 2"));
  EXPECT_TRUE(mentions(place.assay("merge --report merged 1 2 1"), "are both shard 1"));
  EXPECT_FALSE(fs::exists(place.path() / "merged"));
  const Outcome merged = place.assay("merge --report merged 2 1");
  EXPECT_EQ(merged.code, 0) << merged.output << merged.errors;
  EXPECT_EQ(digest(merged), digest(whole));
  EXPECT_EQ(merged.last_line(), whole.last_line());
  EXPECT_TRUE(mentions(place.assay("merge --report 1 2 1"), "1 is one of the shards"));
  const Outcome same = place.assay("diff whole merged");
  EXPECT_EQ(same.code, 0) << same.output << same.errors;

  // Reports of check are compared in the same way.
  for (const char *report : {"one", "two"})
    EXPECT_EQ(place.assay(std::string("check project/square.c --plain --samples 1 --report ") + report).code, 0);
  EXPECT_EQ(place.assay("diff one two").code, 0);
  place.assay("check project/square.c --plain --samples 1 --seed 2 --report two");
  EXPECT_EQ(place.assay("diff one two").code, 1);
  EXPECT_EQ(place.assay("diff one nowhere").code, 2);

  // The list repeats the night, and the same command again is no work.
  const Outcome repeated =
      place.assay("nightly --seed 3 --cases whole/cases.txt --samples 1 --combinations 3 project --report repeated");
  EXPECT_EQ(digest(repeated), digest(whole));
  const std::string records = contents(place.path() / "whole/records.jsonl");
  EXPECT_EQ(place.assay(small_night + "--report whole --jobs 2").last_line(), whole.last_line());
  EXPECT_EQ(contents(place.path() / "whole/records.jsonl"), records);
  const Outcome other = place.assay("nightly --seed 4 --cases 5 --samples 1 --combinations 3 project --report whole");
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(mentions(other, "holds a night with seed 3")) << other.errors;
}

/// The records of the last cases as a kill in the middle of a write would leave them.
TEST(Nightly, GoesOnBehindATornLine) {
  const Workplace place;
  write_project(place);
  const std::string night = "nightly --seed 3 --cases 2 --samples 1 --combinations 3 project --report night";
  const Outcome whole = place.assay(night);
  const fs::path file = place.path() / "night/records.jsonl";
  const std::string text = contents(file);
  const std::size_t second_case = text.find("\"kind\":\"case\"") + 400;
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, second_case, text.size() - 3}) {
    std::ofstream(file, std::ios::binary) << text.substr(0, size);
    const Outcome again = place.assay(night);
    EXPECT_EQ(digest(again), digest(whole)) << "at byte " << size;
    EXPECT_EQ(again.last_line(), whole.last_line());
    EXPECT_EQ(lines_of(file), static_cast<std::size_t>(std::ranges::count(text, '\n'))) << "at byte " << size;
  }
}

TEST(Nightly, DoesNotGoOnWithOtherSources) {
  const Workplace place;
  write_project(place);
  const std::string night = "nightly --seed 3 --cases 2 --samples 1 --combinations 3 project --report ";
  ASSERT_EQ(place.assay(night + "night").code, 0);
  ASSERT_EQ(place.assay(night + "first --shard 1/2").code, 0);
  const std::string before = contents(place.path() / "night/records.jsonl");
  place.write("project/kernels/half.c", "#include <assay/check.h>\n/* elsewhere */\n"
                                        "double half(double x) { return x / 2; }\nASSAY_CHECK(half);\n");
  EXPECT_EQ(place.assay(night + "night").code, 0) << "a comment is no other code";
  write_project(place, "double half(double x) { return x / 3; }\n");
  const Outcome again = place.assay(night + "night");
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.errors, "assay: the sources changed since the night in night began: kernels/half.c:half; name "
                          "another folder\n");
  EXPECT_EQ(contents(place.path() / "night/records.jsonl"), before);
  ASSERT_EQ(place.assay(night + "second --shard 2/2").code, 0);
  EXPECT_TRUE(mentions(place.assay("merge --report both first second"), "it has other sources of kernels/half.c:half"));
}

TEST(Nightly, TellsNewFailuresFromKnownOnesAndRunsTheseFirst) {
  const Workplace place;
  write_project(place, wrong_half);
  const std::string history = " --samples 1 --combinations 3 --keep 1 --history failures.sqlite project ";
  const Outcome first = place.assay("nightly --seed 3 --cases 2" + history + "--report first");
  EXPECT_EQ(first.code, 1) << first.output << first.errors;
  EXPECT_TRUE(mentions(first, "new wrong derivative: check/kernels/half.c:half@")) << first.output;
  EXPECT_TRUE(mentions(first, "1 failed, 1 of them new")) << first.output;
  const std::string id =
      contents(place.path() / "first/cases.txt").substr(0, contents(place.path() / "first/cases.txt").find('\n'));

  const Outcome replayed = place.assay("replay " + id + " --report first --emit code");
  EXPECT_EQ(replayed.code, 1) << replayed.output << replayed.errors;
  EXPECT_TRUE(mentions(replayed, "bit for bit as recorded")) << replayed.output;
  EXPECT_NE(contents(place.path() / "code/program.differentiated.ll").find("diffe"), std::string::npos);
  EXPECT_TRUE(fs::exists(place.path() / "code/program.s"));

  const Outcome second = place.assay("nightly --seed 4 --cases 1" + history + "--report second");
  EXPECT_TRUE(mentions(second, "known wrong derivative: " + id)) << second.output;
  EXPECT_TRUE(mentions(second, "0 of them new")) << second.output;

  // Mended: it still comes first, passes, and is forgotten.
  write_project(place);
  const Outcome third = place.assay("nightly --seed 5 --cases 1" + history + "--report third");
  EXPECT_EQ(third.code, 0) << third.output << third.errors;
  EXPECT_EQ(contents(place.path() / "third/cases.txt").find(id), 0U);
  const std::string page = contents(place.path() / "third/index.html");
  EXPECT_NE(page.find("\"letters\":{\"" + id + "\":\"ffp\""), std::string::npos) << "how it fared in the last nights";
  EXPECT_NE(contents(place.path() / "first/index.html").find("\"letters\":{\"" + id + "\":\"f\""), std::string::npos);
  const Outcome fourth = place.assay("nightly --seed 6 --cases 1" + history + "--report fourth");
  EXPECT_EQ(lines_of(place.path() / "fourth/cases.txt"), 1U);

  const Outcome replayed_again = place.assay("replay " + id + " --report first");
  EXPECT_EQ(replayed_again.code, 1);
  EXPECT_TRUE(mentions(replayed_again, "not as recorded: same inputs, other IR")) << replayed_again.output;
  const Outcome different = place.assay("diff first third");
  EXPECT_EQ(different.code, 1);
  EXPECT_TRUE(mentions(different, id + ": same inputs, other IR, wrong derivative -> pass")) << different.output;
  const Outcome report = place.assay("report second --baseline third --history failures.sqlite");
  EXPECT_TRUE(mentions(report, "newly failing")) << report.output << report.errors;
  EXPECT_NE(contents(place.path() / "second/report.md").find("newly failing"), std::string::npos);
  EXPECT_NE(contents(place.path() / "second/report.sarif").find("\"baselineState\": \"new\""), std::string::npos);
  const std::string again = contents(place.path() / "second/index.html");
  EXPECT_NE(again.find("\"letters\":{\"" + id + "\":\"ffp"), std::string::npos);
  EXPECT_NE(again.find("\"ch\":\"newly failing\""), std::string::npos);
}

/// Would catch: a rule that became many times slower and that nobody is told of.
TEST(Nightly, NamesWhatIsSlowerThanInTheBaseline) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\n"
                     "double f(double x) { double s = 0; for (int i = 1; i < 300; ++i) s += sin(x / i); return s; }\n"
                     "struct augmented { void *tape; double primal; };\n"
                     "struct augmented f_augmented(double x) { struct augmented r = {0, f(x)}; return r; }\n"
                     "double f_reverse(double x, double seed, void *tape) {\n"
                     "  double g = 0;\n"
                     "  for (volatile int round = 0; round < ROUNDS; ++round) {\n"
                     "    g = 0;\n    volatile double y = x;\n"
                     "    for (int i = 1; i < 300; ++i) g += cos(y / i) / i;\n  }\n"
                     "  return g * seed;\n}\n"
                     "void *__enzyme_register_gradient_f[] = {(void *)f, (void *)f_augmented, (void *)f_reverse};\n");
  for (const char *rounds : {"1", "20"}) {
    const Outcome outcome = place.assay("check f.c --function f --samples 1 --report " + std::string("rounds") +
                                        rounds + " -- -DROUNDS=" + rounds);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  }
  const Outcome slower = place.assay("report rounds20 --baseline rounds1");
  EXPECT_TRUE(mentions(slower, " slower")) << slower.output << slower.errors;
  EXPECT_FALSE(mentions(slower, "less accurate") || mentions(slower, "failing")) << slower.output;
  EXPECT_NE(contents(place.path() / "rounds20/report.md").find("times the function's time, was"), std::string::npos);
  EXPECT_NE(contents(place.path() / "rounds20/report.sarif").find("slower-derivative"), std::string::npos);
  EXPECT_NE(contents(place.path() / "rounds20/index.html").find("\"ch\":\"slower\""), std::string::npos);
  EXPECT_FALSE(mentions(place.assay("report rounds1 --baseline rounds20"), " slower")) << "faster is not slower";
}

TEST(Nightly, ChecksWhatAProjectFileNamesWithItsFlags) {
  const Workplace place;
  fs::create_directories(place.path() / "project/src");
  place.write("project/src/scaled.c", "double scaled(const double *x, int n) { double s = 0; for (int i = 0; i < n; "
                                      "++i) s += SCALE * x[i] * x[i]; return s; }\n");
  place.write("project/src/half.c", wrong_half);
  place.write("project/assay.toml",
              "flags = ['-DSCALE=2.0']\n"
              "[[check]]\nfiles = ['src/scaled.c']\nfunction = 'scaled'\nargs = ['double[3]', 'int=3']\n"
              "[[check]]\nfiles = ['src/half.c']\nfunction = 'half'\n"
              "[[known-failure]]\nfunction = 'half'\nreason = 'to be mended'\nexpires = 2999-01-01\n");
  const Outcome outcome = place.assay("nightly --seed 3 --cases 2 --combinations 3 --samples 1 project --report night");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  const std::string cases = contents(place.path() / "night/cases.txt");
  EXPECT_NE(cases.find("check/src/half.c:half@"), std::string::npos) << cases;
  const std::size_t scaled = cases.find("check/src/scaled.c:scaled@");
  ASSERT_NE(scaled, std::string::npos) << cases;
  const Outcome replayed =
      place.assay("replay " + cases.substr(scaled, cases.find('\n', scaled) - scaled) + " --report night");
  EXPECT_EQ(replayed.code, 0) << replayed.output << replayed.errors;
  EXPECT_TRUE(mentions(replayed, "bit for bit as recorded")) << replayed.output;
}

TEST(Nightly, FindsTheCommitOfAFailure) {
  const Workplace place;
  write_project(place);
  const std::string commit =
      " && git add -A && git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m ";
  ASSERT_EQ(
      place.shell("git init -q ." + commit + "good && echo '/* */' >> project/square.c" + commit + "unrelated").code,
      0);
  write_project(place, "double half(double x) { return x / ; }\n");
  ASSERT_EQ(place.shell("true" + commit + "broken").code, 0);
  write_project(place, wrong_half);
  ASSERT_EQ(place.shell("true" + commit + "'Halve the cube'").code, 0);
  EXPECT_EQ(place
                .assay("nightly --seed 3 --cases 1 --samples 1 --combinations 3 project --report /tmp/" +
                       place.path().filename().string())
                .code,
            1);
  const std::string report = " --report /tmp/" + place.path().filename().string();
  const std::string text = contents("/tmp/" + place.path().filename().string() + "/cases.txt");
  const std::string id = text.substr(0, text.find('\n'));
  const Outcome found = place.assay("bisect " + id + " --good HEAD~3" + report);
  EXPECT_EQ(found.code, 0) << found.output << found.errors;
  EXPECT_TRUE(mentions(found, "the first bad commit is one of 2")) << found.output;
  EXPECT_TRUE(mentions(found, "Halve the cube")) << found.output;
  EXPECT_TRUE(mentions(found, "kernels/half.c:half is not among the project's functions")) << found.output;
  EXPECT_EQ(place.shell("git worktree list | wc -l").output, "1\n");
  const Outcome mended =
      place.assay("bisect " + id + " --good HEAD~3 --prepare 'sed -i \"s#/ . }#/ 2\\x3b }#\" kernels/half.c'" + report);
  EXPECT_TRUE(mentions(mended, "first bad commit: ")) << mended.output << mended.errors;
  EXPECT_TRUE(mentions(place.assay("bisect " + id + " --good HEAD~3 --prepare 'echo no tree >&2; false'" + report),
                       "--bad: the case cannot be run at "));
  EXPECT_TRUE(mentions(place.assay("bisect " + id + " --good HEAD" + report), "there is no commit between"));
  EXPECT_TRUE(mentions(place.assay("bisect " + id + " --good nowhere" + report), "'nowhere' names no commit"));
  EXPECT_TRUE(mentions(place.assay("bisect program/1@1 --good HEAD~1" + report), "is no case of a project"));
  fs::remove_all("/tmp/" + place.path().filename().string());
}

TEST(Nightly, EndsWithItsLastLineWhenItIsTold) {
  const Workplace place;
  write_project(place);
  const Outcome outcome =
      place.shell(std::string(ASSAY_COMMAND) +
                  " nightly --seed 3 --budget 1h --samples 1 --combinations 3 project --report night & pid=$!; "
                  "while ! grep -q '\"kind\":\"case\"' night/records.jsonl 2>/dev/null; do sleep 0.05; done; "
                  "kill -TERM $pid; wait $pid");
  EXPECT_EQ(outcome.code, 143) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.last_line().find("combinations checked"), std::string::npos) << outcome.output;
  EXPECT_TRUE(fs::exists(place.path() / "night/index.html"));
  EXPECT_EQ(contents(place.path() / "night/records.jsonl").find("\"kind\":\"totals\""), std::string::npos);
}

TEST(Nightly, TheLineForOneMachineGivesOneNight) {
  const Workplace place;
  write_project(place, wrong_half);
  const Outcome outcome = place.shell("ASSAY=" ASSAY_COMMAND " sh '" ASSAY_SOURCE
                                      "/examples/nightly/parallel.sh' 2 'a night' --seed 3 --cases 3 --samples 1 "
                                      "--combinations 3 --history failures.sqlite project");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "3 cases")) << outcome.output;
  EXPECT_TRUE(fs::exists(place.path() / "a night/report.md"));
  const Outcome again = place.assay(
      "nightly --seed 4 --cases 1 --samples 1 --combinations 3 --history failures.sqlite project --report next");
  EXPECT_TRUE(mentions(again, "known wrong derivative")) << "merge puts failures into the history" << again.output;
}

TEST(Nightly, ASourceThatDoesNotCompileIsAFailureAndTheOthersAreChecked) {
  const Workplace place;
  write_project(place, "double half(double x) { return x / ; }\n");
  const Outcome outcome = place.assay("nightly --seed 3 --cases 2 --samples 1 --combinations 3 project --report night");
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "cannot be checked: check/kernels/half.c:@")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "2 cases")) << outcome.output;
}

TEST(Nightly, EndsAsACheckDoesWhereNothingButAFunctionHasNoAnswer) {
  const Workplace place;
  write_project(place, "#include <stdlib.h>\ndouble half(double x) { abort(); return x / 2; }\n");
  const Outcome outcome = place.assay("nightly --seed 3 --cases 1 --samples 1 --combinations 3 project --report night");
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_EQ(outcome.errors.find("assay: half cannot be checked: the function itself gives no answer"), 0U)
      << outcome.errors;
  const std::string cases = contents(place.path() / "night/cases.txt");
  const std::string replay = "replay " + cases.substr(0, cases.find('\n')) + " --report night";
  const Outcome replayed = place.assay(replay);
  EXPECT_EQ(replayed.code, 2) << replayed.output << replayed.errors;
  EXPECT_TRUE(mentions(replayed, "bit for bit as recorded")) << replayed.output;
  write_project(place);
  const Outcome mended = place.assay(replay);
  EXPECT_EQ(mended.code, 1) << mended.output << mended.errors;
  EXPECT_TRUE(mentions(mended, "not as recorded")) << mended.output;
  EXPECT_FALSE(mentions(mended, "libm")) << mended.output;
}

TEST(Nightly, RefusesWhatCannotBeANight) {
  const Workplace place;
  write_project(place);
  const auto refusal = [&](const std::string &words) {
    const Outcome outcome = place.assay("nightly --seed 3 --report night " + words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.output << outcome.errors;
    return outcome.errors;
  };
  EXPECT_NE(refusal("project").find("either --budget 30m or --cases N"), std::string::npos);
  EXPECT_NE(refusal("--budget 0 project").find("no time above 0"), std::string::npos);
  EXPECT_NE(refusal("--budget -5m project").find("no time above 0"), std::string::npos);
  EXPECT_NE(refusal("--cases 0 project").find("not from 1"), std::string::npos);
  EXPECT_NE(refusal("--cases 2 --budget 1m project").find("either"), std::string::npos);
  EXPECT_NE(refusal("--cases 99999999999999999999 project").find("neither a number nor a file"), std::string::npos);
  EXPECT_NE(refusal("--cases 2 --shard 0/4 project").find("'0/4' is not I/N"), std::string::npos);
  EXPECT_NE(refusal("--cases 2 --shard 5/4 project").find("'5/4' is not I/N"), std::string::npos);
  EXPECT_NE(refusal("--cases 2 nowhere").find("nowhere is not a folder"), std::string::npos);
  EXPECT_NE(refusal("--cases project/square.c project").find("project/square.c:2: 'double square"), std::string::npos);
  EXPECT_NE(refusal("--cases 2 --history nowhere/failures.sqlite project").find("unable to open"), std::string::npos);
  EXPECT_FALSE(fs::exists(place.path() / "night"));
  fs::create_directories(place.path() / "night");
  place.write("night/records.jsonl", "{\"kind\":\"run\",\"schema_version\":2}\n");
  EXPECT_NE(refusal("--cases 2 project").find("does not begin a night"), std::string::npos);
}

} // namespace
