// Would catch: a fault without its line and column, columns that are bytes, a place of the adapter, output that is no
// JSON where a request is unusable.

#include "cli/source_place.hpp"
#include "cli/test/run_command.hpp"
#include "cli/test/wrong_cube.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace assay::cli::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class EditorDiagnostics : public testing::Test {
protected:
  /// The output of a check, which fits the schema.
  json diagnose(const std::string &words, int code) {
    const Outcome outcome = place.assay("check " + words + " --plain --samples 1 --lsp-json");
    EXPECT_EQ(outcome.code, code) << outcome.output << outcome.errors;
    place.write("diagnostics.json", outcome.output);
    const Outcome valid =
        place.shell("python3 -c 'import json, jsonschema, sys; "
                    "jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(json.load(open(sys.argv[2])"
                    "))' '" ASSAY_SOURCE "/reports/diagnostics.schema.json' diagnostics.json");
    EXPECT_EQ(valid.code, 0) << valid.errors << outcome.output;
    errors = outcome.errors;
    return json::parse(outcome.output, nullptr, false);
  }

  /// Those of one file, in order.
  static json of_file(const json &all, const std::string &name) {
    for (const json &file : all)
      if (fs::path(file["uri"].get<std::string>()).filename() == name)
        return file["diagnostics"];
    return nullptr;
  }

  static json range(unsigned line, unsigned begin, unsigned end) {
    return {{"start", {{"line", line}, {"character", begin}}}, {"end", {{"line", line}, {"character", end}}}};
  }

  const Workplace place;
  std::string errors;
};

TEST_F(EditorDiagnostics, NameTheFunctionTheFirstWrongValueAndTheRule) {
  place.write("f.c", std::string(wrong_cube) + "double energy(double x, double y) {\n  double c = cube(x);\n"
                                               "  return c * y;\n}\ndouble right(double x) { return x * x; }\n");
  const json all = diagnose("f.c --function energy --function right", 1);
  const json found = of_file(all, "f.c");
  ASSERT_FALSE(found.empty()) << all;
  EXPECT_EQ(found[0]["code"], "wrong-derivative");
  EXPECT_EQ(found[0]["severity"], 1);
  EXPECT_EQ(found[0]["source"], "assay");
  EXPECT_EQ(found[0]["range"], range(8, 2, 21)) << found;
  EXPECT_THAT(found[0]["data"]["replay"].get<std::string>(), HasSubstr("--function energy"));
  std::string related;
  bool names_rule = false, names_function = false;
  for (const json &place : found[0]["relatedInformation"]) {
    related += place["message"].get<std::string>() + "\n";
    names_rule = names_rule || place["location"]["range"] == range(4, 7, 19);
    names_function = names_function || place["location"]["range"] == range(7, 7, 13);
  }
  EXPECT_TRUE(names_rule && names_function) << found[0];
  EXPECT_THAT(related, HasSubstr("first wrong value: "));
  EXPECT_THAT(related, HasSubstr("of the rule at fault: "));
  EXPECT_THAT(errors, HasSubstr("combinations checked"));
}

TEST_F(EditorDiagnostics, OfFunctionsOfCppValuesAreInTheUsersFile) {
  place.write("f.cpp",
              "#include <vector>\n#include <cstdlib>\nnamespace n {\ndouble ends(const std::vector<double> &x) { "
              "std::abort(); }\n}\n");
  const json found = of_file(diagnose("f.cpp --function n::ends --arg 'vector[2]'", 2), "f.cpp");
  ASSERT_EQ(found.size(), 1U) << found;
  EXPECT_EQ(found[0]["range"], range(3, 7, 11)) << found;
  EXPECT_EQ(found[0]["code"], "crash");
}

TEST_F(EditorDiagnostics, HaveTheColumnsOfTheCompiler) {
  place.write("f.cpp", "double f(double x) {\n  const char *s = \"\xc3\xa9\xf0\x9f\x98\x80\"; return unknown(x);\n}\n");
  const json found = of_file(diagnose("f.cpp --function f", 2), "f.cpp");
  ASSERT_GE(found.size(), 1U);
  EXPECT_EQ(found[0]["code"], "compiler-error");
  EXPECT_THAT(found[0]["message"].get<std::string>(), HasSubstr("unknown"));
  EXPECT_EQ(found[0]["range"], range(1, 32, 39)) << "two bytes are one unit, four are two";
}

TEST_F(EditorDiagnostics, SayWhyARequestCannotBeUsed) {
  place.write("f.c", "double f(double x) { return x; }\n");
  const json unknown = of_file(diagnose("f.c --function g", 2), "f.c");
  ASSERT_EQ(unknown.size(), 1U);
  EXPECT_EQ(unknown[0]["code"], "unusable-request");
  EXPECT_THAT(unknown[0]["message"].get<std::string>(), HasSubstr("no function 'g'"));
  EXPECT_EQ(of_file(diagnose("f.c --function f", 0), "f.c"), json::array());
  place.write("g.c", "double missing(double);\n\ndouble g(double x) { return missing(x); }\n");
  const json unlinked = of_file(diagnose("g.c --function g", 2), "g.c");
  ASSERT_EQ(unlinked.size(), 1U);
  EXPECT_EQ(unlinked[0]["code"], "not-checked");
  EXPECT_EQ(unlinked[0]["range"], range(2, 7, 8)) << unlinked;
  place.write("assay.toml", "samples = 1\nnonsense = 2\n");
  const json project = of_file(diagnose("", 2), "assay.toml");
  ASSERT_EQ(project.size(), 1U);
  EXPECT_EQ(project[0]["range"], range(1, 0, 12)) << project;
}

TEST_F(EditorDiagnostics, WarnOfRulesWithoutCalls) {
  place.write("f.c", std::string("static inline __attribute__((always_inline)) ") + wrong_cube +
                         "double f(double x) { return cube(x); }\n");
  ASSERT_EQ(place.shell(ASSAY_CLANG " -O2 -S -emit-llvm f.c -o f.ll").code, 0);
  const json found = of_file(diagnose("f.ll --function f", 0), "f.ll");
  ASSERT_EQ(found.size(), 1U) << found;
  EXPECT_EQ(found[0]["code"], "lost-rule");
  EXPECT_EQ(found[0]["severity"], 2);
}

TEST(SourcePlace, CountsFromZeroAndKnowsLinesThatAreNotThere) {
  const Workplace place;
  place.write("f.c", "int ab, b;\n\n  x\n");
  const fs::path file = place.path() / "f.c";
  EXPECT_EQ(word_in(file, 1, "b"), (SourceRange{file, 0, 8, 9}));
  EXPECT_EQ(word_at(file, 1, 5), (SourceRange{file, 0, 4, 6}));
  EXPECT_EQ(word_at(file, 1, 900), (SourceRange{file, 0, 10, 10}));
  EXPECT_EQ(whole_line(file, 2), (SourceRange{file, 1, 0, 0}));
  EXPECT_EQ(whole_line(file, 3), (SourceRange{file, 2, 2, 3}));
  EXPECT_EQ(whole_line(file, 99), (SourceRange{file, 0, 0, 0}));
  EXPECT_EQ(whole_line(place.path() / "none.c", 1), (SourceRange{place.path() / "none.c", 0, 0, 0}));
}

} // namespace
} // namespace assay::cli::test
