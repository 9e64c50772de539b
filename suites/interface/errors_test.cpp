// Wrong combinations of annotations are refused by the compiler with a sentence that says what to do.
#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using assay::test::Language;
using assay::test::Plugin;
using testing::HasSubstr;

namespace {

std::string errors_of(const std::string &call) {
  const auto result = assay::test::compile({.source = R"(
#include <assay/autodiff.hpp>
using namespace assay;
double square(double x) { return x * x; }
double norm(const std::vector<double> &x) { return x[0]; }
double product(double x, double y) { return x * y; }
void nothing(double &x) { x = 1; }
std::array<double, 2> pair(double x) { return {x, x}; }
int main() { std::vector<double> v(2); double d = 0; (void)v; (void)d; )" +
                                                      call + "; }",
                                            .language = Language::cpp,
                                            .level = "-O0",
                                            .flags = {"-std=c++20", "-fsyntax-only"},
                                            .plugin = Plugin::absent});
  return result.exit_code == 0 ? "" : result.err;
}

TEST(InterfaceErrors, RightCallsCompile) {
  EXPECT_EQ(errors_of("autodiff<Reverse>(square, Active{3.0})"), "");
}

TEST(InterfaceErrors, ActiveInForwardMode) {
  EXPECT_THAT(errors_of("autodiff<Forward>(square, Active{3.0})"), HasSubstr("in forward mode use Duplicated{x, dx}"));
}

TEST(InterfaceErrors, ActiveVector) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(norm, Active{v})"),
              HasSubstr("use Duplicated{x, dx} for anything that refers to memory"));
}

TEST(InterfaceErrors, ShadowOfAnotherType) {
  EXPECT_THAT(errors_of("autodiff<Forward>(square, Duplicated{3.0, 1.0f})"),
              HasSubstr("must have the same type as its value"));
}

TEST(InterfaceErrors, ArgumentWithoutAnnotation) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(square, 3.0)"), HasSubstr("every argument needs an annotation"));
}

TEST(InterfaceErrors, ArgumentsThatTheFunctionDoesNotTake) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(square, Active{1.0}, Active{2.0})"),
              HasSubstr("cannot be called with the values of these annotations"));
}

TEST(InterfaceErrors, ShadowOfAScalarThatCannotAccumulate) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(square, Duplicated{3.0, 1.0})"), HasSubstr("is an accumulator"));
}

TEST(InterfaceErrors, DuplicatedInteger) {
  EXPECT_THAT(errors_of("autodiff<Forward>(square, Duplicated{3, 1})"),
              HasSubstr("an integer has no derivative; use Const{n}"));
}

TEST(InterfaceErrors, ActiveReturnInForwardMode) {
  EXPECT_THAT(errors_of("autodiff<Forward, Active>(square, Duplicated{3.0, 1.0})"),
              HasSubstr("an Active return is for reverse mode"));
}

TEST(InterfaceErrors, ReturnThatReverseModeCannotSeed) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(pair, Active{3.0})"),
              HasSubstr("must return a floating-point scalar or nothing"));
}

TEST(InterfaceErrors, BatchesOfDifferentWidths) {
  EXPECT_THAT(errors_of("autodiff<Forward>(product, BatchDuplicated{1.0, std::array{1.0, 0.0}}, BatchDuplicated{2.0, "
                        "std::array{1.0, 0.0, 0.0}})"),
              HasSubstr("the batched arguments of one call must all have the same number of shadows"));
}

TEST(InterfaceErrors, BatchBesideASingleShadow) {
  EXPECT_THAT(errors_of("autodiff<Forward>(product, BatchDuplicated{1.0, std::array{1.0, 0.0}}, Duplicated{2.0, 1.0})"),
              HasSubstr("Duplicated and BatchDuplicated do not mix"));
}

TEST(InterfaceErrors, BatchWithOneShadowThatIsNoArray) {
  EXPECT_THAT(errors_of("autodiff<Forward>(square, BatchDuplicated{1.0, 1.0})"),
              HasSubstr("the shadows of BatchDuplicated are a std::array or a std::tuple"));
}

TEST(InterfaceErrors, BatchWithShadowsOfAnotherType) {
  EXPECT_THAT(errors_of("autodiff<Forward>(square, BatchDuplicated{1.0, std::array{1.0f, 0.0f}})"),
              HasSubstr("must have the same type as its value"));
}

TEST(InterfaceErrors, BatchedReturnOfACallWithoutBatch) {
  EXPECT_THAT(errors_of("autodiff<Forward, BatchDuplicated>(square, Duplicated{1.0, 1.0})"),
              HasSubstr("a batched return needs batched arguments"));
}

TEST(InterfaceErrors, SeedInForwardMode) {
  EXPECT_THAT(errors_of("autodiff<Forward>(pair, Seed{std::array{1.0, 2.0}}, Duplicated{3.0, 1.0})"),
              HasSubstr("Seed is for reverse mode"));
}

TEST(InterfaceErrors, SeedOfAnotherType) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(pair, Seed{1.0}, Active{3.0})"),
              HasSubstr("Seed is the adjoint of the result, so it has the result's type"));
}

TEST(InterfaceErrors, SeedOfAFunctionWithoutResult) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(nothing, Seed{1.0}, Duplicated{d, d})"),
              HasSubstr("returns nothing that has one"));
}

TEST(InterfaceErrors, SeedWithAnotherNumberOfLanes) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(norm, Seed{std::array{1.0}}, BatchDuplicated{v, std::tie(v, v)})"),
              HasSubstr("Seed has another number of lanes than the batched arguments"));
}

TEST(InterfaceErrors, MixedDuplicatedWithATemporaryShadow) {
  EXPECT_THAT(errors_of("autodiff<Reverse>(norm, MixedDuplicated{v, std::vector<double>(2)})"),
              HasSubstr("in reverse mode the shadow of MixedDuplicated is a variable"));
}

TEST(InterfaceErrors, SplitModeWithoutThunk) {
  EXPECT_THAT(errors_of("autodiff<ReverseSplitWithPrimal>(square, Active{3.0})"),
              HasSubstr("a split mode has two functions: autodiff_thunk"));
}

TEST(InterfaceErrors, ThunkOfTypesWithoutAnnotation) {
  EXPECT_THAT(errors_of("autodiff_thunk<ReverseSplitWithPrimal, Active>(square, type<double>)"),
              HasSubstr("the arguments of a thunk are named by their annotations"));
}

TEST(InterfaceErrors, ThunkWithAnotherAnnotation) {
  EXPECT_THAT(errors_of("auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, "
                        "type<Active<double>>); forward(Const{3.0})"),
              HasSubstr("has another annotation than the type<...>"));
}

TEST(InterfaceErrors, ThunkWithAnotherType) {
  EXPECT_THAT(errors_of("auto thunk = autodiff_thunk<Reverse, Active>(square, type<Active<double>>); "
                        "thunk(Active{3.0f})"),
              HasSubstr("has another type than the type<...>"));
}

TEST(InterfaceErrors, ThunkWithAnotherNumberOfArguments) {
  EXPECT_THAT(errors_of("auto thunk = autodiff_thunk<Reverse, Active>(square, type<Active<double>>); thunk()"),
              HasSubstr("this thunk was made with another number of arguments"));
}

TEST(InterfaceErrors, ReversePassWithoutSeed) {
  EXPECT_THAT(errors_of("auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, "
                        "type<Active<double>>); auto a = forward(Active{3.0}); reverse(Active{3.0}, a.tape)"),
              HasSubstr("the reverse pass takes the arguments, the adjoint of the result, and the tape"));
}

TEST(InterfaceErrors, ReversePassWithASeedThatIsNotNeeded) {
  EXPECT_THAT(errors_of("auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Const>(square, "
                        "type<Active<double>>); auto a = forward(Active{3.0}); reverse(Active{3.0}, 1.0, a.tape)"),
              HasSubstr("the result of this thunk has no adjoint of its own"));
}

TEST(InterfaceErrors, ReversePassWithoutTape) {
  EXPECT_THAT(errors_of("auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, "
                        "type<Active<double>>); reverse(Active{3.0}, 1.0, 2.0)"),
              HasSubstr("the last operand of the reverse pass is the tape"));
}

TEST(InterfaceErrors, ModifiedBetweenOfAModeInOneFunction) {
  EXPECT_THAT(errors_of("autodiff<set_modified_between<true>(Reverse)>(square, Active{3.0})"),
              HasSubstr("set_modified_between is for the split modes"));
}

TEST(InterfaceErrors, OutputsThatAnArrayHasNot) {
  EXPECT_THAT(errors_of("jacobian<Reverse, Outputs<3>>(pair, 2.0)"),
              HasSubstr("Outputs<N> names another number than the elements of the std::array"));
}

TEST(InterfaceErrors, JacobianWithAnotherParameter) {
  EXPECT_THAT(errors_of("jacobian<Reverse, int>(pair, 2.0)"),
              HasSubstr("the parameters of jacobian are a mode, Chunk<N> and Outputs<N>"));
}

TEST(InterfaceErrors, JacobianOfAFunctionThatReturnsAnInteger) {
  EXPECT_THAT(errors_of("jacobian<Forward>([](double x) { return int(x); }, 2.0)"),
              HasSubstr("returns nothing that has a derivative"));
}

TEST(InterfaceErrors, JacobianInSplitMode) {
  EXPECT_THAT(errors_of("jacobian<ReverseSplitNoPrimal>(pair, 2.0)"),
              HasSubstr("the modes of jacobian are Forward and Reverse"));
}

TEST(InterfaceErrors, JacobianWithTheWrongArguments) {
  EXPECT_THAT(errors_of("jacobian<Forward>(pair, v)"),
              HasSubstr("the function of jacobian cannot be called with these arguments"));
}

TEST(InterfaceErrors, GradientOfAnInteger) {
  EXPECT_THAT(errors_of("gradient<Reverse>([](int n) { return 1.0 * n; }, 2)"),
              HasSubstr("there is nothing to differentiate in an argument of gradient"));
}

TEST(InterfaceErrors, GradientInChunksInReverseMode) {
  EXPECT_THAT(errors_of("gradient<Reverse, Chunk<4>>(norm, v)"), HasSubstr("Chunk<N> is for gradient<Forward>"));
}

TEST(InterfaceErrors, EmptyChunk) {
  EXPECT_THAT(errors_of("gradient<Forward, Chunk<0>>(norm, v)"), HasSubstr("a Chunk has at least one lane"));
}

TEST(InterfaceErrors, HessianOfAVectorFunction) {
  EXPECT_THAT(errors_of("hessian(pair, 2.0)"),
              HasSubstr("second derivatives are those of functions that return a floating-point number"));
}

TEST(InterfaceErrors, HvpAlongAnotherType) {
  EXPECT_THAT(errors_of("hvp(norm, v, 1.0)"), HasSubstr("the direction of hvp must have the same type"));
}

TEST(InterfaceErrors, HolomorphicModeOfARealFunction) {
  EXPECT_THAT(errors_of("autodiff<ReverseHolomorphic>(square, Active{1.0})"),
              HasSubstr("a holomorphic mode is for functions that return a std::complex"));
}

TEST(InterfaceErrors, HolomorphicModeWithARealArgument) {
  EXPECT_THAT(errors_of("autodiff<ReverseHolomorphic>([](double x) { return std::complex<double>(x); }, Active{1.0})"),
              HasSubstr("in a holomorphic mode the differentiated arguments are complex"));
}

TEST(InterfaceErrors, HolomorphicForwardMode) {
  EXPECT_THAT(errors_of("autodiff<set_holomorphic(Forward)>(square, Duplicated{1.0, 1.0})"),
              HasSubstr("holomorphic is a form of the reverse modes in one function"));
}

} // namespace
