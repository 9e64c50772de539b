// Compile flags, compile_commands.json, several files, libraries.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Sources : public testing::Test {
protected:
  Sources() {
    std::filesystem::create_directories(place.path() / "include");
    std::filesystem::create_directories(place.path() / "build");
    place.write("include/power.h", "#ifndef N\n#error N is needed\n#endif\ndouble power(double x);\n");
    place.write("use.c", "#include \"power.h\"\n"
                         "double use(double x) { return power(x) + N * x; }\n");
    place.write("power.c", "#include \"power.h\"\n"
                           "double power(double x) { double y = 1; for (int i = 0; i < N; ++i) y *= x; return y; }\n"
                           "int main(void) { return 0; }\n");
  }

  Outcome check(const std::string &words) const { return place.assay("check " + words); }

  void expect_passed(const std::string &words) const {
    const Outcome outcome = check(words);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 failed, 0 undecided"));
    EXPECT_THAT(outcome.last_line(), Not(StartsWith("0 ")));
  }

  void expect_refusal(const std::string &words, const std::string &part) const {
    const Outcome outcome = check(words);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_THAT(outcome.errors, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }

  Workplace place;
  const std::string briefly = " --plain --samples 1 ", flags = " -- -Iinclude -DN=3";
};

TEST_F(Sources, are_compiled_with_the_flags_behind_two_dashes) {
  expect_passed("power.c --function power" + briefly + flags);
}

TEST_F(Sources, of_IR_that_are_damaged_are_one_line) {
  place.write("bitcode.bc", "BC\xc0\xde\x01\x02 \x1b\xff");
  place.write("broken.ll", "define double @f(double %x) {\n \xff\x1b %y\n}\n");
  expect_refusal("bitcode.bc --function f", "bitcode.bc is not readable as LLVM 22 IR: ");
  expect_refusal("broken.ll --function f", "broken.ll:2:2 is not readable as LLVM 22 IR: expected instruction opcode");
}

TEST_F(Sources, give_advice_where_an_include_is_missing) {
  const Outcome outcome = check("power.c --function power");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("compile flags stand behind --"));
}

TEST_F(Sources, of_one_request_use_each_other) {
  expect_passed("use.c power.c --function use --function power" + briefly + flags);
}

TEST_F(Sources, are_linked_with_others) {
  expect_passed("use.c --function use --with power.c" + briefly + flags);
}

TEST_F(Sources, name_what_is_defined_nowhere) {
  expect_refusal("use.c --function use" + flags, "power is declared and defined nowhere; give the source");
}

TEST_F(Sources, name_a_function_that_two_files_define) {
  place.write("again.c", "double power(double x) { return x; }\n");
  expect_refusal("power.c again.c --function power" + flags, "'power' is ambiguous: power.c and again.c");
  expect_refusal("use.c --function use --with power.c again.c" + flags, "both define power");
}

TEST_F(Sources, are_differentiated_in_archives_of_bitcode) {
  ASSERT_EQ(place.shell(ASSAY_CLANG " -O1 -flto -DN=3 -Iinclude -c power.c && llvm-ar-22 rc libpower.a power.o").code,
            0);
  expect_passed("use.c --function use --with libpower.a" + briefly + flags);
}

TEST_F(Sources, are_only_called_in_archives_of_machine_code) {
  ASSERT_EQ(place.shell(ASSAY_CLANG " -O1 -DN=3 -Iinclude -c power.c && llvm-ar-22 rc libpower.a power.o").code, 0);
  const Outcome outcome = check("use.c --function use --with libpower.a" + briefly + flags);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("cannot be differentiated"));
  EXPECT_THAT(outcome.errors, HasSubstr("'power'"));
}

TEST_F(Sources, repeat_their_flags_in_replay_commands) {
  place.write("wrong.c", "double sq(double x) { return X; }\n"
                         "static double aug(double x) { return X; }\n"
                         "static double rev(double x, double d) { return 3 * x * d; }\n"
                         "void *__enzyme_register_gradient_sq[] = {(void *)sq, (void *)aug, (void *)rev};\n"
                         "double f(double x) { return sq(x); }\n");
  const Outcome outcome = check("wrong.c --function f --mode reverse" + briefly + "-- '-DX=(x * x)'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.replay_command(), HasSubstr(" -- '-DX=(x * x)'"));
  const Outcome again = place.shell(outcome.replay_command());
  EXPECT_EQ(again.code, 1) << again.output << again.errors;
  EXPECT_EQ(again.replay_command(), outcome.replay_command());
}

TEST_F(Sources, get_the_flags_of_a_compilation_database) {
  const std::string folder = place.path().string();
  place.write("flags.rsp", "-Iinclude \"-DN=3\"");
  place.write(
      "build/compile_commands.json",
      R"([{"directory": ")" + folder + R"(", "file": "use.c",)" +
          R"( "command": "ccache gcc -O3 -fanalyzer -fconcepts-diagnostics-depth=3 -Wno-maybe-uninitialized @flags.rsp -Werror -MD -MF use.d -o use.o -c use.c"},)" +
          R"({"directory": ")" + folder + R"(/build", "file": "../power.c",)" +
          R"( "arguments": ["cc", "-I../include", "-DN=3", "-c", "../power.c", "-o", "power.o"]}])");
  expect_passed("use.c power.c -p build --function use" + briefly);
  EXPECT_FALSE(std::filesystem::exists(place.path() / "use.d"));
  place.write("other.c", "double f(double x) { return x; }\n");
  expect_refusal("other.c -p build --function f", "other.c is not in build/compile_commands.json");
}

TEST_F(Sources, need_a_readable_database) {
  expect_refusal("use.c -p build --function use", "there is no build/compile_commands.json");
  place.write("build/compile_commands.json",
              R"([{"directory": ")" + place.path().string() +
                  R"(", "file": "use.c", "command": "cc @build/missing.rsp -c use.c"}])");
  expect_refusal("use.c -p build --function use", "there is no response file build/missing.rsp in ");
  place.write("build/compile_commands.json", "[{}]");
  expect_refusal("use.c -p build --function use", "is no compilation database");
}

TEST_F(Sources, refuse_flags_for_another_output) {
  expect_refusal("use.c --function use -- -S", "'-S' behind -- asks the compiler for another output");
  expect_refusal("use.c --function use -- other.c", "'other.c' behind -- is no flag");
  expect_refusal("use.c --function use -- -lm", "'-lm' behind -- is for the linker");
}

TEST_F(Sources, that_are_damaged_bitcode_cost_one_line) {
  ASSERT_EQ(place
                .shell(ASSAY_CLANG " -O1 -emit-llvm -DN=3 -Iinclude -c power.c -o whole.bc &&"
                                   " head -c 900 whole.bc > damaged.bc")
                .code,
            0);
  const Outcome outcome = check("damaged.bc --function power");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, StartsWith("assay: damaged.bc is "));
}

TEST_F(Sources, warn_of_rules_that_optimised_code_does_not_call) {
  place.write("rule.c", "static double sq(double x) { return x * x; }\n"
                        "static double aug(double x) { return x * x; }\n"
                        "static double rev(double x, double d) { return 2 * x * d; }\n"
                        "void *__enzyme_register_gradient_sq[] = {(void *)sq, (void *)aug, (void *)rev};\n"
                        "double f(double x) { return sq(x); }\n");
  ASSERT_EQ(place.shell(ASSAY_CLANG " -O2 -emit-llvm -c rule.c -o rule.bc").code, 0);
  const Outcome outcome = check("rule.bc --function f --mode reverse" + briefly);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.errors,
              HasSubstr("warning: rule.bc registers a rule for sq, and nothing in it calls sq any more"));

  place.write("main.c", "double f(double);\ndouble g(double x) { return f(x) + x; }\n");
  EXPECT_THAT(check("main.c --with rule.bc --function g --mode reverse" + briefly).errors,
              HasSubstr("warning: rule.bc registers a rule for sq, and nothing in it calls sq any more"));
}

} // namespace
} // namespace assay::cli::test
