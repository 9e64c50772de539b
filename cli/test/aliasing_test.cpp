// Would catch: arguments that share memory and are not passed so, have two shadows, or cannot be repeated by the
// command that a failure names; ways to share memory that are not tried, or that the function forbids.

#include "cli/test/checked_program.hpp"
#include "cli/test/run_size.hpp"

namespace {

using assay::cli::test::CheckedProgram;
using assay::cli::test::mentions;
using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;

struct Aliasing : CheckedProgram {
  Aliasing() : CheckedProgram("aliasing.c") {}
};

TEST_F(Aliasing, DerivativesAreRightInPlace) {
  for (const std::string &level : optimisation_levels()) {
    const std::string options = " --opt-level " + level;
    expect_all_passed("--function sines --arg 'double[4]' --arg 'double[4] alias=x' --arg int=4" + options);
    expect_all_passed("--function product --arg 'double[n]' --arg 'double[n] alias=x' --arg 'double[n] alias=x' "
                      "--arg int=0..3" +
                      options);
  }
}

TEST_F(Aliasing, DerivativesAreRightWhereMemoryOverlaps) {
  for (const std::string &level : optimisation_levels()) {
    const std::string options = " --opt-level " + level;
    expect_all_passed("--function sines --arg 'double[n+2]' --arg 'double[n] alias=x+2' --arg int=1..5" + options);
    expect_all_passed("--function sines --arg 'double[n] alias=y+1' --arg 'double[n+1]' --arg int=1..5" + options);
  }
}

TEST_F(Aliasing, ARuleThatIsWrongInPlacePassesApartFromThat) {
  expect_all_passed("--function wrong_in_place --arg 'double[3]' --arg 'double[3]' --arg int=3");
  const Outcome outcome =
      check("--function wrong_in_place --arg 'double[3]' --arg 'double[3] alias=x' --arg int=3 --report r");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "wrong_in_place (y = x)")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "reverse: wrong_in_place(Duplicated x (y = x), Const n)")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "x[0]")) << outcome.output;
  EXPECT_FALSE(mentions(outcome, "y[0]")) << outcome.output;
  const std::string replay = outcome.replay_command();
  EXPECT_NE(replay.find("--arg 'double[3] alias=x'"), std::string::npos) << replay;
  expect_repeated_by(replay);
  const Outcome of_record = place.assay("replay 3 --report r");
  EXPECT_TRUE(mentions(of_record, "wrong_in_place (y = x)")) << of_record.output << of_record.errors;
}

TEST_F(Aliasing, TheSharedMemoryHasOneActivity) {
  const Outcome outcome = check("--plain --function sines --arg 'double[2]' --arg 'double[2] alias=x' --arg int=2");
  EXPECT_EQ(outcome.last_line(), "4 combinations checked, 4 passed, 0 failed, 0 undecided") << outcome.output;
}

TEST_F(Aliasing, WritingBehindTheSharedMemoryIsSeen) {
  const Outcome outcome =
      check("--function too_far --arg 'double[4]' --arg 'double[3] alias=x+1' --arg int=3 --mode reverse");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "wrong mutation") || mentions(outcome, "crash")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "behind the shadow of x")) << outcome.output;
}

TEST_F(Aliasing, EveryWayIsTriedAndNamed) {
  const Outcome outcome = check("--plain --aliasings --function product --arg 'double[2]' --arg 'double[2]' "
                                "--arg 'double[2]' --arg int=2");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  for (const char *way :
       {"  product  ", "product (y = x)", "product (z = x)", "product (z = y)", "product (y = x, z = x)"})
    EXPECT_TRUE(mentions(outcome, way)) << way << "\n" << outcome.output;
  EXPECT_FALSE(mentions(outcome, "share no memory")) << outcome.output;
}

TEST_F(Aliasing, EveryWayFindsTheWrongOne) {
  const Outcome outcome =
      check("--aliasings --function wrong_in_place --arg 'double[3]' --arg 'double[3]' --arg int=3");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "reverse: wrong_in_place(Duplicated x (y = x), Const n)")) << outcome.output;
}

TEST_F(Aliasing, WaysTakeTheLongerMemoryAndItsDomain) {
  const Outcome outcome = check("--plain --budget 2 --aliasings --function roots --arg 'double[2]' "
                                "--arg 'double[m]:positive' --arg int=2 --arg int=2..4");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "roots (x = y)")) << outcome.output;
}

TEST_F(Aliasing, RestrictIsNeverShared) {
  const Outcome outcome = check("--plain --aliasings --function apart --arg 'double[2]' --arg 'double[2]' --arg int=2");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_FALSE(mentions(outcome, "apart (")) << outcome.output;
  EXPECT_FALSE(mentions(outcome, "share no memory")) << outcome.output;
  expect_refusal("--function apart --arg 'double[2]' --arg 'double[2] alias=x' --arg int=2", "'y' is restrict");
}

TEST_F(Aliasing, WhatWasNotSharedIsNotSeen) {
  const Outcome outcome = check("--plain --budget 2 --function product --arg 'double[2]' --arg 'double[2] alias=x' "
                                "--arg 'double[2]' --arg int=2");
  EXPECT_TRUE(mentions(outcome, "x, z share no memory")) << outcome.output;
}

TEST_F(Aliasing, PlacesThatAreNoneAreRefused) {
  expect_refusal("--function sines --arg 'double[4]' --arg 'double[4] alias=x+1' --arg int=4", "give that 5");
  expect_refusal("--function sines --arg 'double[n]' --arg 'double[n] alias=x+1' --arg int=1..4", "ends behind 'x'");
  expect_refusal("--function sines --arg 'double[4]' --arg 'double[4] alias=w' --arg int=4", "no parameter 'w'");
}

TEST_F(Aliasing, AFixedPointOfAFunctionInPlaceIsWritten) {
  for (const char *numbers : {"1", "1,2,3,4,5,6", "0,0,0,0,0,0.5"})
    expect_all_passed(std::string("--plain --function smooth --arg 'double[6]=") + numbers + "' --arg int=6");
}

TEST_F(Aliasing, WhatAFunctionInPlaceReadsIsSeenAtSimpleNumbers) {
  for (const char *numbers : {"0.25", "0.125,0.25,0.375"})
    expect_all_passed(std::string("--plain --function parabola --arg 'double[3]=") + numbers + "' --arg int=3");
}

TEST_F(Aliasing, AReproducerPassesTheSameMemoryTwice) {
  const Outcome outcome = check("--function wrong_in_place --arg 'double[4]' --arg 'double[3] alias=x+1' --arg int=3 "
                                "--plain --mode reverse --reproducer r");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const Outcome built = place.shell("sh -c \"$(sed -n '2s,^// ,,p' r/wrong_in_place-reverse-y___x___1.c)\"");
  EXPECT_EQ(built.code, 1) << built.output << built.errors;
  EXPECT_NE(built.output.find("WRONG"), std::string::npos) << built.output;
}

} // namespace
