// Would catch: structs of C that arrive with members in other places, or that are refused, and failures that do not
// name the member.

#include "cli/test/checked_program.hpp"
#include "cli/test/run_size.hpp"

namespace {

using assay::cli::test::CheckedProgram;
using assay::cli::test::mentions;
using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;

const std::string real = " --arg double", single = " --arg float";

struct Structs : CheckedProgram {
  Structs() : CheckedProgram("structs.c --plain --seconds 3 --function") {}
  void expect_right(const std::string &request) {
    for (const std::string &level : optimisation_levels())
      expect_all_passed(request + " --opt-level " + level);
  }
};

TEST_F(Structs, OfCAreTheirMembers) {
  expect_right("dot" + real + real + real + real + real + real);
  expect_right("determinant --arg 'double[4]' --arg int=1" + real);
  expect_right("energy --arg 'double[w.n]' --arg int=3" + real);
  expect_right("mixed --arg int=2" + single + real);
  expect_right("distance" + real + real + real + real + real + real);
  expect_right("volume --arg 'double[6]'");
}

TEST_F(Structs, OfCMayBeInRegistersAndInMemory) {
  expect_right("in_registers_and_memory --arg int=2" + real + real + real + " --arg long=3" + real + real + real +
               real + real + real + real + real);
}

TEST_F(Structs, OfCAreResults) {
  expect_right("cross" + real + real + real + real + real + real + " --arg 'double[3]'");
  expect_right("scaled" + single + single + single + single + " --arg 'float[3]'");
  expect_right("rotated" + real + real + real + " --arg 'double[2]'");
}

TEST_F(Structs, OfTwoPartsAreComplexNumbers) {
  expect_right("modulus" + real + real + real);
  expect_right("square" + single + single + " --arg 'float[2]'");
}

TEST_F(Structs, RowsAreOneBehindTheOther) {
  expect_right("lu_determinant --arg 'double[n*n]' --arg int=n --arg int=n --arg int=3");
  expect_right("gathered --arg 'float[m*n]' --arg int=m --arg int=n --arg 'int[m*n]=0..n-1' --arg int=m --arg int=n "
               "--arg int=2 --arg int=3");
  expect_right("exchanged --arg 'double[n*n]' --arg int=n --arg int=n --arg int=4");
}

TEST_F(Structs, BehindPointersAreTheirMembersToo) {
  const std::string arrays = " --arg 'double[p.n]' --arg 'double[p.n]' --arg 'double[2]'";
  expect_right("advance --arg int=3 --arg 'double[1]' --arg 'double[1]'" + arrays);
  expect_right("kinetic --arg int=3" + real + real + arrays);
  expect_refusal("advance", "advance(int p.n, double *p.dt, double *p.energy, double *p.angle, double *p.speed, "
                            "double *p.weights) needs one --arg for each parameter; for example --arg 'int=8' --arg "
                            "'double[1]'");
}

TEST_F(Structs, AreNamedWhereARuleForgetsAMember) {
  const Outcome outcome = check("price" + real + real + real + " --mode forward");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "size.y")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "area_tangent")) << outcome.output;
  expect_repeated_by(outcome.replay_command());
}

} // namespace
