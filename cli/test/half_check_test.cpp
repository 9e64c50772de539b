// Would catch: numbers of 16 bits that are refused, that lie in memory otherwise than the function has them, that are
// judged by the tolerance or by the differences of another type, or whose rounding hides a wrong rule.

#include "cli/test/checked_program.hpp"
#include "cli/test/run_size.hpp"

namespace {

using assay::cli::test::campaign_size;
using assay::cli::test::CheckedProgram;
using assay::cli::test::mentions;
using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;

const std::string brain = " -- -DHALF=__nv_bfloat16 -DPAIR=__nv_bfloat162";

struct HalvesInKernels : CheckedProgram {
  HalvesInKernels() : CheckedProgram("halves.cu --seconds 3 --samples 1 --function") {}

  /// `request` with T for the type; at all levels in both types and without optimisation, too.
  void expect_right(const std::string &request) {
    for (const std::string &level : optimisation_levels())
      for (const auto &[type, flags] : types())
        expect_all_passed(with_type(request, type) + " --opt-level " + level + flags);
  }
  void expect_wrong(const std::string &request) {
    for (const std::string &level : optimisation_levels())
      for (const auto &[type, flags] : types()) {
        const Outcome outcome = check(with_type(request, type) + " --opt-level " + level + flags);
        EXPECT_EQ(outcome.code, 1) << type << level << outcome.output << outcome.errors;
        EXPECT_TRUE(mentions(outcome, "wrong derivative")) << type << level << outcome.output;
      }
  }

  static std::vector<std::pair<std::string, std::string>> types() {
    std::vector<std::pair<std::string, std::string>> types{{"half", ""}, {"bfloat16", brain}};
    types.resize(campaign_size(1, 2));
    return types;
  }

  static std::string with_type(std::string request, const std::string &type) {
    for (std::size_t at = 0; (at = request.find("'T", at)) != std::string::npos; at += type.size())
      request.replace(at + 1, 1, type);
    return request;
  }
};

TEST_F(HalvesInKernels, AreBuffersAndScalars) {
  expect_right("saxpy --launch '<<<2,32>>>' --arg 'T[60]' --arg 'T' --arg 'T[60]' --arg int=60");
  expect_right("saxpy_in_float --launch '<<<2,32>>>' --arg 'T[60]' --arg float --arg 'T[60]' --arg int=60");
}

TEST_F(HalvesInKernels, ArePairs) {
  expect_right("saxpy_of_pairs --launch '<<<1,32>>>' --arg 'T[32x2]' --arg 'T' --arg 'T' --arg 'T[32x2]' --arg int=32");
  expect_right("histogram --launch '<<<2,32>>>' --arg 'T[64x2]' --arg 'int[64]=0,1,2' --arg 'T[3x2]' --arg int=64");
}

TEST_F(HalvesInKernels, AreAddedUpInFloat) {
  expect_right("dot --launch '<<<1,32>>>' --arg 'T[64]' --arg 'T[64]' --arg 'float[1]' --arg int=64");
  expect_right("layer_norm --launch '<<<2,32>>>' --arg 'T[2x40]' --arg 'T[40]' --arg 'T[2x40]' --arg int=40 --plain");
}

TEST_F(HalvesInKernels, GoThroughSharedMemoryShufflesTablesAndConversions) {
  expect_right("softmax --launch '<<<2,32>>>' --arg 'T[2x32]' --arg 'T[2x32]' --plain");
  expect_right("look_up --launch '<<<1,32>>>' --arg 'T[32]:unit' --arg 'bfloat16[8]' --arg 'T[32]' --arg int=8");
  expect_right("round_trip --launch '<<<1,32>>>' --arg 'T[32]' --arg 'double[32]' --arg 'T[32]'");
  expect_all_passed("through_bits --launch '<<<1,32>>>' --arg 'half[32]' --arg 'half[32]'");
  expect_right("horner --launch '<<<1,32>>>' --arg 'T[32]' --arg 'T[6]' --arg 'T[32]' --arg int=5");
}

TEST_F(HalvesInKernels, HaveAdjointsThatAreAddedUpInTheirOwnType) {
  for (const std::string seed : {"3", "5", "6"})
    expect_all_passed("shifted --launch '<<<1,32>>>' --arg 'half[32]' --arg bfloat16 --arg 'half[32]' --seed " + seed);
}

TEST_F(HalvesInKernels, LeaveADoubleNoMoreDigitsThanTheyHave) {
  const Outcome outcome =
      check("round_trip --launch '<<<1,32>>>' --arg 'half[32]' --arg 'double[32]' --arg 'half[32]'");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_FALSE(mentions(outcome, "digits lost")) << outcome.output;
}

TEST_F(HalvesInKernels, AreMembersOfStructs) {
  expect_right("layer --launch '<<<1,32>>>' --arg 'T' --arg 'T[3]' --arg 'T[32]' --arg 'T' --arg 'T' --arg 'T[32]'");
}

TEST_F(HalvesInKernels, DoNotHideAWrongRule) {
  const std::string arguments = " --launch '<<<1,32>>>' --arg 'T[32]' --arg 'T[32]' --plain --mode ";
  expect_wrong("wrong_tangent" + arguments + "forward");
  expect_wrong("wrong_adjoint" + arguments + "reverse");
}

TEST_F(HalvesInKernels, AreNamedAsTheSourceNamesThem) {
  const std::string saxpy = "saxpy --launch '<<<2,32>>>' --arg ";
  expect_refusal(saxpy + "'float[60]' --arg half --arg 'half[60]' --arg int=60",
                 "parameter 1 of saxpy ('x') is const __half *, which --arg 'float[60]' does not fit; for example "
                 "--arg 'half[8]'");
  expect_refusal(saxpy + "'__half[60]' --arg float --arg '__half[60]' --arg int=60",
                 "parameter 2 of saxpy ('a') is __half, which --arg 'float' does not fit; for example --arg 'half'");
  expect_refusal(saxpy + "'half[60]' --arg half --arg 'half[60]' --arg int=60 --write-test t.cu",
                 "a test program has no numbers of 16 bits yet");
}

struct Halves : CheckedProgram {
  Halves() : CheckedProgram("halves.c --seconds 3 --function") {}
  void expect_right(const std::string &request) {
    for (const std::string &level : optimisation_levels())
      expect_all_passed(request + " --opt-level " + level);
  }
};

TEST_F(Halves, AreBuffersScalarsAndResults) {
  expect_right("quadratic --arg '_Float16[8]' --arg _Float16 --arg int=8");
  expect_right("scale --arg '__bf16[8]' --arg __bf16 --arg int=8");
  expect_right("dot --arg 'half[8]' --arg 'bfloat16[8]' --arg int=8");
  expect_right("product");
  expect_right("first --arg half --arg 'bfloat16[2]'");
}

TEST_F(Halves, DoNotHideAWrongRule) {
  for (const std::string &level : optimisation_levels())
    for (const std::string request :
         {"wrong --arg 'half[4]' --arg half --arg int=4", "wrong_brain --arg 'bfloat16[1]' --arg bfloat16"}) {
      const Outcome outcome = check(request + " --mode forward --plain --opt-level " + level);
      EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
      EXPECT_TRUE(mentions(outcome, "wrong derivative")) << outcome.output;
      expect_repeated_by(outcome.replay_command());
    }
}

TEST_F(Halves, AreUndecidedWhereWideArithmeticDoesNotFollow) {
  const Outcome outcome = check("bits --plain");
  EXPECT_TRUE(mentions(outcome, "finite differences cannot resolve derivatives of half")) << outcome.output;
  EXPECT_FALSE(mentions(outcome, "wrong derivative")) << outcome.output;
}

TEST_F(Halves, HaveReproducersThatFailAsTheCheckDoes) {
  for (const std::string request :
       {"wrong --arg 'half[4]' --arg half --arg int=4", "wrong_brain --arg 'bfloat16[1]' --arg bfloat16"}) {
    const std::string name = request.substr(0, request.find(' '));
    EXPECT_EQ(check(request + " --mode forward --plain --reproducer r").code, 1);
    const Outcome run = place.shell("$(sed -n '2s,^// ,,; 2s/ && .*//; 2p' r/" + name + "-forward.c) && ./a.out");
    EXPECT_EQ(run.code, 1) << run.output << run.errors;
    EXPECT_NE(run.output.find("WRONG"), std::string::npos) << run.output << run.errors;
  }
}

TEST_F(Halves, FollowFromTheSeedAndTheirDigestsToo) {
  const std::string request = "quadratic --arg 'half[8]' --arg half --arg int=8 --plain --report ";
  expect_all_passed(request + "one");
  expect_all_passed(request + "two");
  const auto digests = [&](const std::string &folder) {
    return place.shell("grep -oE '\"(inputs|ir|gradients)\":\"[0-9a-f]{32}\"' " + folder + "/records.jsonl").output;
  };
  EXPECT_FALSE(digests("one").empty());
  EXPECT_EQ(digests("one"), digests("two"));
}

struct HalvesInCpp : CheckedProgram {
  HalvesInCpp() : CheckedProgram("halves.cpp --plain --seconds 3 --function") {}
};

TEST_F(HalvesInCpp, AreNumbersAndPointersToThem) {
  expect_all_passed("area --arg 'half[2]' --arg half");
  expect_all_passed("'cube<_Float16>' --arg half");
}

TEST_F(HalvesInCpp, AreRefusedInObjects) {
  expect_refusal("of_object --arg mixed", "'mixed' of of_object (const Mixed &) has numbers of 16 bits");
  expect_refusal("of_container --arg 'vector[3]'", "has no numbers that can be seen");
}

} // namespace
