// Projects with an assay.toml, and which functions of a request are checked.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace assay::cli::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ProjectTest : public testing::Test {
protected:
  ProjectTest() {
    std::filesystem::create_directories(place.path() / "src");
    place.write("src/good.c", "#include <assay/check.h>\n"
                              "double dot(const double *x, const double *y, int n) {\n"
                              "  double s = 0; for (int i = 0; i < n; ++i) s += x[i] * y[i]; return s; }\n"
                              "ASSAY_CHECK(dot, \"double[3]\", \"double[3]\", \"int=3\");\n"
                              "double cube(double x) { return x * x * x; }\n"
                              "void twice(double *x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n");
    place.write("src/bad.c", "double sq(double x) { return x * x; }\n"
                             "static double aug(double x) { return x * x; }\n"
                             "static double rev(double x, double d) { return 3 * x * d; }\n"
                             "void *__enzyme_register_gradient_sq[] = {(void *)sq, (void *)aug, (void *)rev};\n"
                             "double bad(double x) { return sq(x); }\n");
  }

  void project(const std::string &text) const { place.write("assay.toml", text); }

  void expect_refusal(const std::string &text, const std::string &line) const {
    project(text);
    const Outcome outcome = place.assay("check");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, HasSubstr(line));
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }

  Workplace place;
  const std::string part =
      "samples = 1\nplain = true\nmode = \"reverse\"\n[[check]]\nfiles = [\"src/bad.c\"]\nfunction = \"bad\"\n";
  const std::string known = "[[known-failure]]\nfunction = \"bad\"\nreason = \"a factor\"\nexpires = 2030-01-31\n";
};

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

TEST_F(ProjectTest, is_checked_where_no_file_is_named) {
  project("samples = 1\nplain = true\n[[check]]\nfiles = [\"src/g*.c\"]\n"
          "[[check]]\nfile = \"src/good.c\"\nfunction = \"twice\"\nargs = [\"double[2]\", \"int=2\"]\n");
  const Outcome outcome = place.assay("check");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("  dot "));
  EXPECT_THAT(outcome.output, HasSubstr("  twice "));
}

TEST_F(ProjectTest, knows_failures_until_they_expire) {
  project(part + known);
  const Outcome before = place.assay("check --today 2030-01-31 --report r");
  EXPECT_EQ(before.code, 0) << before.output << before.errors;
  EXPECT_EQ(before.last_line(), "1 combinations checked, 0 passed, 0 failed, 1 undecided");
  EXPECT_THAT(before.output, HasSubstr("1 known to fail: a factor (until 2030-01-31)"));
  const Outcome after = place.assay("check --today 2030-02-01");
  EXPECT_EQ(after.code, 1);
  EXPECT_THAT(after.output, HasSubstr("assay.toml:7: the known failure of bad expired on 2030-01-31: a factor"));
}

TEST_F(ProjectTest, tells_of_known_failures_that_are_none) {
  project("samples = 1\nplain = true\n[[check]]\nfile = \"src/good.c\"\nfunction = \"cube\"\n"
          "[[known-failure]]\nfunction = \"cube\"\nreason = \"none\"\nexpires = \"2030-01-31\"\n");
  EXPECT_THAT(place.assay("check --today 2026-01-01").output, HasSubstr("cube is a known failure and no longer fails"));
}

TEST_F(ProjectTest, with_mistakes_costs_one_line_with_its_place) {
  expect_refusal("sampels = 1\n" + part, "assay.toml:1: unknown key 'sampels' in the file; did you mean 'samples'?");
  expect_refusal("samples = \"1\"\n[[check]]\nfile = \"src/good.c\"\n",
                 "assay.toml:1: samples has to be a whole number");
  expect_refusal("[[check]]\nfile = \"src/x*.c\"\n", "assay.toml:2: files: no file fits 'src/x*.c'");
  expect_refusal("seed = 1 2\n", "assay.toml:1: ");
  expect_refusal("seed = 1\n", "assay.toml has no [[check]]");
  expect_refusal(part + "[[known-failure]]\nfunction = \"bad\"\nreason = \"r\"\n", "needs expires = YYYY-MM-DD");
}

TEST_F(ProjectTest, goes_on_behind_a_file_that_does_not_compile) {
  place.write("src/broken.c", "double f(double x) { return y; }\n");
  project("samples = 1\nplain = true\n[[check]]\nfile = \"src/broken.c\"\n[[check]]\nfile = \"src/good.c\"\n");
  const Outcome outcome = place.assay("check");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("  dot "));
  EXPECT_THAT(outcome.errors, HasSubstr("src/broken.c could not be checked"));
}

TEST_F(ProjectTest, names_a_project_file_that_is_no_file) {
  const std::filesystem::path file = place.path() / "assay.toml";
  std::filesystem::create_directory(file);
  const auto expect_refusal = [&](const std::string &why) {
    for (const std::string words : {"check", "nightly . --seed 1 --cases 1 --report n"}) {
      const Outcome outcome = place.assay(words);
      EXPECT_EQ(outcome.code, 2) << words;
      EXPECT_THAT(outcome.errors, HasSubstr("assay.toml is " + why)) << words;
    }
    EXPECT_EQ(place.assay("check src/good.c --function cube --plain --samples 1").code, 0);
  };
  expect_refusal("no file; make it");
  std::filesystem::remove(file);
  std::filesystem::create_symlink("gone.toml", file);
  expect_refusal("a link to nothing; make it");
}

TEST_F(ProjectTest, lists_functions_with_their_specs) {
  const Outcome text = place.assay("check src/good.c --list");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(lines_of(text.output),
              ElementsAre("src/good.c --function dot --arg 'double[3]' --arg 'double[3]' --arg int=3",
                          "src/good.c --function cube --arg double"));
  EXPECT_THAT(text.errors, HasSubstr("left out: twice in src/good.c"));
  const std::vector<std::string> lines = lines_of(place.assay("check src/good.c --list --json").output);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(nlohmann::json::parse(lines[1]).at("function"), "cube");
  EXPECT_EQ(nlohmann::json::parse(lines[2]).at("kind"), "left_out");
}

TEST_F(ProjectTest, checks_all_functions_that_can_be_described) {
  const Outcome outcome = place.assay("check src/good.c --all --plain --samples 1");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("  cube "));
  EXPECT_THAT(outcome.output, HasSubstr("left out: twice in src/good.c: "));
}

TEST_F(ProjectTest, gives_each_function_the_specs_behind_it) {
  const Outcome outcome =
      place.assay("check src/good.c --plain --samples 1 --function twice --arg 'double[2]' --arg int=2 "
                  "--function dot --function cube");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("  twice "));
  EXPECT_THAT(outcome.output, HasSubstr("  dot "));
}

TEST_F(ProjectTest, leaves_standard_output_to_json_lines) {
  const Outcome outcome = place.assay("check src/good.c --function cube --plain --samples 1 --json");
  EXPECT_EQ(outcome.code, 0);
  const std::vector<std::string> lines = lines_of(outcome.output);
  std::vector<std::string> kinds;
  for (const std::string &line : lines)
    kinds.push_back(nlohmann::json::parse(line).at("kind"));
  EXPECT_THAT(kinds, ElementsAre("run", "record", "record", "record", "totals"));
  EXPECT_EQ(outcome.errors, "3 combinations checked, 3 passed, 0 failed, 0 undecided\n");
}

TEST_F(ProjectTest, checks_again_what_failed) {
  const std::string words =
      "check src/good.c src/bad.c --function cube --function bad --plain --samples 1 --report r -q";
  const Outcome first = place.assay(words);
  EXPECT_EQ(first.code, 1);
  EXPECT_THAT(first.output, Not(HasSubstr("cube")));
  const Outcome again = place.assay(words + " --only-failed");
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.last_line(), HasSubstr("3 combinations checked"));
  EXPECT_EQ(place.assay("check src/bad.c --function bad --only-failed").code, 2);
}

TEST_F(ProjectTest, stops_what_writes_without_end_and_goes_on) {
  place.write("src/loud.c", "#include <stdio.h>\n"
                            "double loud(double x) { for (;;) fputs(\"0123456789\\n\", stderr); return x; }\n"
                            "double after(double x) { return x * x; }\n");
  const Outcome outcome = place.assay("check src/loud.c --function loud --function after --plain --samples 1 "
                                      "--output-limit 64kB --call-seconds 60");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("it wrote more than 0.0625 MiB (--output-limit)"));
  EXPECT_THAT(outcome.output, HasSubstr("  after "));
}

TEST_F(ProjectTest, says_what_is_done_when_it_is_interrupted) {
  place.write("src/slow.c", "double slow(double x) { for (;;) x = x * 0.5 + 0.25; return x; }\n");
  const Outcome outcome =
      place.shell(ASSAY_COMMAND
                  " check src/good.c src/slow.c --function cube --function slow --plain --samples 1 --call-seconds 60 "
                  "--report r > out & checked=$!; until grep -q cube out || ! kill -0 $checked; do sleep 0.1; done; "
                  "sleep 0.5; kill -TERM $checked; wait $checked; echo $? >> out; cat out");
  EXPECT_THAT(outcome.output, HasSubstr("3 combinations checked, 3 passed, 0 failed, 0 undecided\n143\n"));
  EXPECT_THAT(outcome.output, HasSubstr("interrupted: what follows was not checked\n"));
  for (const char *file : {"records.jsonl", "junit.xml", "report.md", "index.html"}) {
    std::ostringstream text;
    text << std::ifstream(place.path() / "r" / file).rdbuf();
    EXPECT_THAT(text.str(), HasSubstr("interrupted: what follows was not checked")) << file;
  }
}

} // namespace
} // namespace assay::cli::test
