// Would catch: pointers to functions in C that cannot be described, that get another function than the one named, or
// one of another type.

#include "cli/test/checked_program.hpp"
#include "cli/test/run_size.hpp"

namespace {

using assay::cli::test::CheckedProgram;
using assay::cli::test::mentions;
using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;

const std::string real = " --arg double";

struct CallablesOfC : CheckedProgram {
  CallablesOfC() : CheckedProgram("callables.c --plain --seconds 3 --function") {}
  void expect_right(const std::string &request) {
    for (const std::string &level : optimisation_levels())
      expect_all_passed(request + " --opt-level " + level);
  }
};

TEST_F(CallablesOfC, AreNamedInTheSpec) {
  const std::string rest = real + real + " --arg int=3";
  for (const std::string function : {"square", "f=square", "f=&square", "f=sin", "f=cube", "f=expm1", "f=lgamma"})
    expect_right("integrate --arg '" + function + "'" + rest);
}

TEST_F(CallablesOfC, AreThoseThatWereNamed) {
  const std::string request = "integrate --arg 'f=quartic' --arg double=1 --arg double=2 --arg int=3 --mode forward";
  const Outcome outcome = check(request);
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "quartic_tangent")) << outcome.output;
  expect_repeated_by(outcome.replay_command());
}

TEST_F(CallablesOfC, GetTheirContext) {
  expect_right("with_context --arg 'f=scaled' --arg 'double[2]'" + real);
}

TEST_F(CallablesOfC, AreMembersOfStructs) {
  for (const std::string function : {"of_problem", "of_problem_by_value"})
    expect_right(function + " --arg 'p.f=scaled' --arg 'double[3]' --arg int=3" + real);
}

TEST_F(CallablesOfC, MayBeSeveralAndNone) {
  expect_right("apply --arg f=square --arg g=sin --arg chosen=is_odd --arg 'double[n]' --arg int=4");
  expect_right("apply --arg f=square --arg g=sin --arg chosen=NULL --arg 'double[n]' --arg int=4");
}

TEST_F(CallablesOfC, MayTakeWhatTheirTypeDoesNotSay) {
  expect_right("unprototyped --arg f=square" + real);
}

TEST_F(CallablesOfC, AreRefusedWithWhatWouldWork) {
  const std::string rest = real + real + " --arg int=3";
  expect_refusal("integrate", "integrate(double (*f)(double), double a, double b, int n) needs one --arg for each "
                              "parameter; for example --arg 'f=function' --arg 'double' --arg 'double' --arg 'int=8'");
  expect_refusal(
      "integrate --arg f=squair" + rest,
      "--arg 'f=squair': there is no function 'squair'; parameter 1 ('f') of integrate is double (*)(double)");
  expect_refusal("integrate --arg f=two" + rest, "parameter 1 ('f') of integrate is double (*)(double), and 'two' is "
                                                 "double (*)(double, double)");
  for (const std::string function : {"sqrtf", "printf", "pow"})
    expect_refusal("integrate --arg f=" + function + rest, "there is no function '" + function + "'");
  expect_refusal("integrate --arg f=rounded" + rest, "'rounded' is int (*)(double)");
  expect_refusal("with_context --arg f=scaled --arg 'double[f]' --arg double", "there is no integer parameter 'f'");
}

} // namespace
