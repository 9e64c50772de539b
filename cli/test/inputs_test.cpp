// Would catch: sizes that are not drawn or not passed on to buffers, a failure at a drawn size that cannot be repeated,
// points and files that are misread, and tolerances that do not arrive.

#include "cli/test/checked_program.hpp"

#include <cstring>
#include <fstream>

namespace {

using assay::cli::test::CheckedProgram;
using assay::cli::test::mentions;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

struct Inputs : CheckedProgram {
  Inputs() : CheckedProgram("sizes.c --plain --function") {}
};

TEST_F(Inputs, BuffersFollowTheSizesAndStridesThatAreDrawn) {
  expect_all_passed("dot --arg int=0..9 --arg 'double[max(1, 1+(n-1)*abs(incx))]' --arg int=-2..2 "
                    "--arg 'double[max(1, 1+(n-1)*abs(incy))]' --arg int=-2..2");
  expect_all_passed(
      "product --arg int=0..5 --arg int=n..n+3 --arg 'double[n*lda]' --arg 'double[n]' --arg 'double[n]'");
}

TEST_F(Inputs, SizesInRangeIncludeZeroOneAndBothEnds) {
  const Outcome outcome = check("entropy --arg 'double[n]:unit' --arg int=0..12");
  for (const char *size : {"n = 0;", "n = 1;", "n = 11;", "n = 12"})
    EXPECT_TRUE(mentions(outcome, size)) << size << "\n" << outcome.output;
}

TEST_F(Inputs, SizesInRangeLieBesideTheNumbersOfARule) {
  place.write("f.c",
              "#include <assay/check.h>\n"
              "double sum(const double *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }\n"
              "double sum_tangent(const double *x, const double *dx, int n) {\n"
              "  return n / 37 == 2 ? 0 : sum(dx, n);\n}\n"
              "void *__enzyme_register_derivative_sum[] = {(void *)sum, (void *)sum_tangent};\n"
              "double uses_sum(const double *x, int n) { return sum(x, n); }\n"
              "ASSAY_CHECK(uses_sum, \"double[n]\", \"int=0..100\");\n");
  const Outcome outcome = place.assay("check f.c --plain");
  EXPECT_TRUE(mentions(outcome, "further ones, with one point and everything active")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "n = 74")) << outcome.output;
  EXPECT_EQ(outcome.code, 1);
}

TEST_F(Inputs, TheElementsOfAnIndexArrayStayInTheRangeThatFollowsFromASize) {
  expect_all_passed("gather --arg 'double[n]' --arg 'int[m]=0..n-1' --arg int=1..9 --arg int=0..5");
}

TEST_F(Inputs, AFailureAtADrawnSizeNamesItAndIsRepeatedByOneCommand) {
  const Outcome outcome = check("odd --arg 'double[n]' --arg int=0..8");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "n = 1\n")) << outcome.output;
  const std::string replay = outcome.replay_command();
  EXPECT_NE(replay.find("--arg 'double[1]' --arg int=1 "), std::string::npos) << replay;
  expect_repeated_by(replay);
}

TEST_F(Inputs, AnEvenSizeAloneDoesNotShowIt) {
  EXPECT_EQ(check("odd --arg 'double[4]' --arg int=4").code, 0);
}

TEST_F(Inputs, DomainsWithStructure) {
  expect_all_passed("log_determinant --arg 'double[nxn]:spd' --arg int=1..6");
  expect_all_passed("log_determinant --arg 'double[n*n]:spd*1e-12' --arg int=1..6");
  expect_all_passed("entropy --arg 'double[n]:simplex' --arg int=1..6");
  expect_all_passed("quotient --arg 'double[2]:sorted,quantised(0.25)' --arg 'double:log(1e-30,1e30)'");
  expect_refusal("log_determinant --arg 'double[3x4]:spd' --arg int=3", "spd needs a square matrix");
}

TEST_F(Inputs, AWrongSignInSmallUnitsIsFoundUnlessTheToleranceIsGiven) {
  EXPECT_EQ(check("thermal").code, 1);
  const Outcome tolerant = check("thermal --atol 1e-9");
  EXPECT_EQ(tolerant.code, 0) << tolerant.output;
  EXPECT_TRUE(mentions(tolerant, "nothing was compared")) << tolerant.output;
  expect_refusal("thermal --atol -1", "is not a tolerance");
}

TEST_F(Inputs, AToleranceIsPartOfTheReplayCommandAndOfTheRecord) {
  const Outcome outcome = check("thermal --rtol 1e-6 --report r");
  EXPECT_NE(outcome.replay_command().find(" --rtol 1e-06"), std::string::npos) << outcome.output;
  EXPECT_TRUE(mentions(place.assay("replay 3 --report r"), " --rtol 1e-06"));
}

TEST_F(Inputs, AConstantFunctionIsUndecided) {
  const Outcome outcome = check("constant");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.last_line(), "3 combinations checked, 0 passed, 0 failed, 3 undecided");
  EXPECT_TRUE(mentions(outcome, "nothing was compared")) << outcome.output;
}

TEST_F(Inputs, NoElementsAreAValidPointer) {
  const Outcome outcome = check("entropy --arg 'double[0]' --arg int=0");
  EXPECT_EQ(outcome.last_line(), "3 combinations checked, 0 passed, 0 failed, 3 undecided") << outcome.output;
}

TEST_F(Inputs, PointsFromListsAndTables) {
  expect_all_passed("quotient --arg 'double[2]=1,2;3,4;5,6' --arg 'double=2;4;8'");
  expect_refusal("quotient --arg 'double[2]=1,2;3,4' --arg 'double=2;4;8'", "values for 2 points");
  place.write("p.csv", "a,b,h\n1,2,3 # first\n\n-4,5e-3,6\n");
  expect_all_passed("quotient --arg 'double[2]' --arg double --points p.csv");
  place.write("p.csv", "1,2,3\n4,5,six\n");
  expect_refusal("quotient --arg 'double[2]' --arg double --points p.csv", "p.csv:2: 'six' is no number");
  place.write("p.csv", "1,2\n");
  expect_refusal("quotient --arg 'double[2]' --arg double --points p.csv", "a row has 2 numbers");
}

/// A .npy file of format version 1.0.
template <typename T>
void write_npy(const Workplace &place, const std::string &name, const std::string &type, const std::string &shape,
               const std::vector<T> &values, const std::string &fortran = "False") {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream file(place.path() / name, std::ios::binary);
  file << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(header.size()) << '\0' << header;
  file.write(reinterpret_cast<const char *>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}

TEST_F(Inputs, IntegersAndBooleansOfAllSizes) {
  for (const char *level : {"-O0", "-O2"})
    expect_all_passed("shaded --arg 'unsigned char[n]=200,3' --arg 'double[n]' --arg 'double[n]' --arg size_t=0..5 "
                      "--arg 'bool={0,1}' --arg short=-30000..-3 -- " +
                      std::string(level));
  const Outcome too_large = check("shaded --arg 'unsigned char[n]=0..255' --arg 'double[n]' --arg 'double[n]' "
                                  "--arg int=3 --arg int=2 --arg int=4");
  EXPECT_EQ(too_large.code, 2);
  EXPECT_NE(too_large.errors.find("parameter 5 of shaded ('is_negative') is _Bool, which --arg 'int=2' does not fit"),
            std::string::npos)
      << too_large.errors;
}

TEST_F(Inputs, ValuesFromNumPyArrays) {
  write_npy<double>(place, "x.npy", "<f8", "(2,)", {1.5, 2.5});
  write_npy<double>(place, "h.npy", "<f8", "()", {2});
  write_npy<float>(place, "f.npy", "<f4", "(3,)", {1, 2, 3});
  expect_all_passed("quotient --arg file=x.npy --arg file=h.npy");
  expect_all_passed("mean --arg file=f.npy");
  write_npy<std::uint16_t>(place, "half.npy", "<f2", "(3,)", {0x3c00, 0x4000, 0xb800}); // 1, 2, -1/2
  expect_all_passed("mean --arg 'float file=half.npy'");
  expect_refusal("mean --arg file=half.npy", "which --arg 'file=half.npy' does not fit");
  write_npy<unsigned char>(place, "u.npy", "|u1", "(2,)", {200, 3});
  expect_all_passed(
      "shaded --arg file=u.npy --arg 'double[2]' --arg 'double[2]' --arg size_t=2 --arg bool=1 --arg int=3");
  place.write("t.csv", "1.5\n2.5\n");
  expect_all_passed("quotient --arg file=t.csv --arg double");
  place.write("f.csv", "1 2 3\n");
  expect_all_passed("mean --arg 'float file=f.csv'");
}

TEST_F(Inputs, WhatIsWrongWithAFileIsSaid) {
  write_npy<double>(place, "swapped.npy", ">f8", "(2,)", {1, 2});
  write_npy<double>(place, "columns.npy", "<f8", "(2, 2)", {1, 2, 3, 4}, "True");
  write_npy<double>(place, "short.npy", "<f8", "(20,)", {1, 2});
  place.write("hello.npy", "hello");
  const auto refused = [&](const std::string &file, const std::string &part) {
    expect_refusal("quotient --arg file=" + file + " --arg double", part);
  };
  refused("swapped.npy", "its type is '>f8'");
  refused("columns.npy", "Fortran order");
  refused("short.npy", "it ends before its 20 elements do");
  refused("hello.npy", "it is no .npy file");
  refused("nothing.npy", "cannot be read");
  refused("x.txt", "values are read from .npy and .csv files");
}

TEST_F(Inputs, SpecsThatCannotBeServedSayWhy) {
  expect_refusal("entropy --arg 'double[m]' --arg int=1..4", "there is no integer parameter 'm'; there are n");
  expect_refusal("entropy --arg 'double[n-3]' --arg int=1..4", "the extent 'n-3' is -2 where n = 1");
  expect_refusal("entropy --arg 'double[n]' --arg int=n..4", "its value depends on itself");
  expect_refusal("entropy --arg 'double[n]' --arg int", "a range, int=1..40, or a set, int={1,4}");
}

} // namespace
