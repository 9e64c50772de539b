// Wrong combinations of annotations are refused by the compiler with a sentence that says what to do.
#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

using assay::test::Language;
using assay::test::Plugin;
using testing::HasSubstr;

namespace {

std::string errors_of(const std::string &call) {
  const auto result = assay::test::compile({.source = R"(
#include <assay/autodiff.hpp>
#include <assay/sparse.hpp>
#include <list>
using namespace assay;
double square(double x) { return x * x; }
double norm(const std::vector<double> &x) { return x[0]; }
double product(double x, double y) { return x * y; }
void nothing(double &x) { x = 1; }
std::array<double, 2> pair(double x) { return {x, x}; }
double first(const double *x) { return *x; }
int main() { std::vector<double> v(2); double d = 0; (void)v; (void)d; )" +
                                                      call + "; }",
                                            .language = Language::cpp,
                                            .level = "-O0",
                                            .flags = {"-std=c++20", "-fsyntax-only", "-ferror-limit=0"},
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

struct Refusal {
  const char *call, *sentence;
};
constexpr Refusal refusals[] = {
    {"const double *p = &d; autodiff<Reverse>(first, Duplicated{p, p})",
     "in reverse mode the shadow is added into and must not be const"}, // ConstPointerAsShadow
    {"autodiff<set_modified_between<true>(Reverse)>(square, Active{3.0})",
     "set_modified_between is for the split modes"}, // ModifiedBetweenOutsideOfSplitMode
    {"autodiff<Forward>(product, BatchDuplicated{1.0, std::array{1.0, 0.0}}, BatchDuplicated{2.0, std::array{1.0, 0.0, "
     "0.0}})",
     "the batched arguments of one call must all have the same number of shadows"}, // BatchesOfDifferentWidths
    {"autodiff<Forward>(product, BatchDuplicated{1.0, std::array{1.0, 0.0}}, Duplicated{2.0, 1.0})",
     "Duplicated and BatchDuplicated do not mix"}, // BatchBesideASingleShadow
    {"autodiff<Forward>(square, BatchDuplicated{1.0, 1.0})",
     "the shadows of BatchDuplicated are a std::array or a std::tuple"}, // BatchWithOneShadowThatIsNoArray
    {"autodiff<Forward>(square, BatchDuplicated{1.0, std::array{1.0f, 0.0f}})",
     "must have the same type as its value"}, // BatchWithShadowsOfAnotherType
    {"autodiff<Forward, BatchDuplicated>(square, Duplicated{1.0, 1.0})",
     "a batched return needs batched arguments"}, // BatchedReturnOfACallWithoutBatch
    {"autodiff<Forward>(pair, Seed{std::array{1.0, 2.0}}, Duplicated{3.0, 1.0})",
     "Seed is for reverse mode"}, // SeedInForwardMode
    {"autodiff<Reverse>(pair, Seed{1.0}, Active{3.0})",
     "Seed is the adjoint of the result, so it has the result's type"}, // SeedOfAnotherType
    {"autodiff<Reverse>([](std::vector<double> &x) { return std::span<double>(x); }, Seed{std::span<double>(v)}, "
     "Duplicated{v, v})",
     "a result that refers to numbers which it does not own"}, // SeedOfASpan
    {"struct At { double *p; }; autodiff<Reverse>([](std::vector<double> &x) { return At{x.data()}; }, Seed{At{&d}}, "
     "Duplicated{v, v})",
     "a result that refers to numbers which it does not own"}, // SeedOfAStructWithAPointer
    {"struct Base { virtual ~Base() = default; double number; }; autodiff<Reverse>([](double) { return "
     "std::unique_ptr<Base>(); }, Seed{std::unique_ptr<Base>()}, Active{d})",
     "a result that cannot be copied takes no Seed"}, // SeedOfAPointerToABase
    {"autodiff<Reverse>(nothing, Seed{1.0}, Duplicated{d, d})",
     "returns nothing that has one"}, // SeedOfAFunctionWithoutResult
    {"autodiff<Reverse>(norm, Seed{std::array{1.0}}, BatchDuplicated{v, std::tie(v, v)})",
     "Seed has another number of lanes than the batched arguments"}, // SeedWithAnotherNumberOfLanes
    {"autodiff<Reverse>(norm, MixedDuplicated{v, std::vector<double>(2)})",
     "in reverse mode the shadow of MixedDuplicated is a variable"}, // MixedDuplicatedWithATemporaryShadow
    {"autodiff<ReverseSplitWithPrimal>(square, Active{3.0})",
     "a split mode has two functions: autodiff_thunk"}, // SplitModeWithoutThunk
    {"autodiff_thunk<ReverseSplitWithPrimal, Active>(square, type<double>)",
     "the arguments of a thunk are named by their annotations"}, // ThunkOfTypesWithoutAnnotation
    {"auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, type<Active<double>>); "
     "forward(Const{3.0})",
     "has another annotation than the type<...>"}, // ThunkWithAnotherAnnotation
    {"auto thunk = autodiff_thunk<Reverse, Active>(square, type<Active<double>>); thunk(Active{3.0f})",
     "has another type than the type<...>"}, // ThunkWithAnotherType
    {"auto thunk = autodiff_thunk<Reverse, Active>(square, type<Active<double>>); thunk()",
     "this thunk was made with another number of arguments"}, // ThunkWithAnotherNumberOfArguments
    {"auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, type<Active<double>>); auto a = "
     "forward(Active{3.0}); reverse(Active{3.0}, a.tape)",
     "the reverse pass takes the arguments, the adjoint of the result, and the tape"}, // ReversePassWithoutSeed
    {"auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Const>(square, type<Active<double>>); auto a = "
     "forward(Active{3.0}); reverse(Active{3.0}, 1.0, a.tape)",
     "the result of this thunk has no adjoint of its own"}, // ReversePassWithASeedThatIsNotNeeded
    {"auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, type<Active<double>>); "
     "reverse(Active{3.0}, 1.0, 2.0)",
     "the last operand of the reverse pass is the tape"}, // ReversePassWithoutTape
    {"autodiff<set_modified_between<true>(Reverse)>(square, Active{3.0})",
     "set_modified_between is for the split modes"}, // ModifiedBetweenOfAModeInOneFunction
    {"jacobian<Reverse, Outputs<3>>(pair, 2.0)",
     "Outputs<N> names another number than the elements of the std::array"}, // OutputsThatAnArrayHasNot
    {"jacobian<Reverse, int>(pair, 2.0)",
     "the parameters of jacobian are a mode, Chunk<N> and Outputs<N>"},                 // JacobianWithAnotherParameter
    {"const std::vector<double> c(2); set_zero(c)", "set_zero writes to its argument"}, // SetZeroOfAConstant
    {"jacobian<Reverse, Chunk<2>, Chunk<3>>(pair, 2.0)",
     "jacobian takes one Chunk<N> and one Outputs<N>"},                                      // JacobianWithTwoChunks
    {"jacobian<Forward, Chunk<1000000>>(pair, 2.0)", "at least one lane, and at most 1024"}, // ChunkOfAMillionLanes
    {"const std::vector<double> c(2); autodiff<Reverse>(norm, BatchDuplicated{v, std::tie(v, c)})",
     "in reverse mode the shadow is added into and must not be const"}, // ConstVectorAsASecondShadow
    {"jacobian<Forward>([](double x) { return int(x); }, 2.0)",
     "returns nothing that has a derivative"}, // JacobianOfAFunctionThatReturnsAnInteger
    {"jacobian<ReverseSplitNoPrimal>(pair, 2.0)",
     "the modes of jacobian are Forward and Reverse"}, // JacobianInSplitMode
    {"jacobian<Forward>(pair, v)",
     "the function of jacobian cannot be called with these arguments"}, // JacobianWithTheWrongArguments
    {"gradient<Reverse>([](int n) { return 1.0 * n; }, 2)",
     "there is nothing to differentiate in an argument"},                          // GradientOfAnInteger
    {"gradient<Reverse, Chunk<4>>(norm, v)", "Chunk<N> is for gradient<Forward>"}, // GradientInChunksInReverseMode
    {"gradient<Forward>(product, 1.0)",
     "the function of gradient cannot be called with these arguments"}, // GradientWithoutAnArgument
    {"gradient<Reverse>([](double x) { return x > 0; }, 1.0)",
     "the function of gradient returns nothing that has a derivative"},        // GradientOfATruthValue
    {"gradient<Forward, Chunk<0>>(norm, v)", "a Chunk has at least one lane"}, // EmptyChunk
    {"hessian(pair, 2.0)",
     "second derivatives are those of functions that return a floating-point number"}, // HessianOfAVectorFunction
    {"hessian(product, 1.0, 2.0)", "a Hessian is by one argument"},                    // HessianOfTwoArguments
    {"hvp(norm, v, 1.0)", "the direction of hvp must have the same type"},             // HvpAlongAnotherType
    {"autodiff<ReverseHolomorphic>(square, Active{1.0})",
     "a holomorphic mode is for functions that return a std::complex"}, // HolomorphicModeOfARealFunction
    {"autodiff<ReverseHolomorphic>([](double x) { return std::complex<double>(x); }, Active{1.0})",
     "in a holomorphic mode the differentiated arguments are complex"}, // HolomorphicModeWithARealArgument
    {"autodiff<set_holomorphic(Forward)>(square, Duplicated{1.0, 1.0})",
     "holomorphic is a form of the reverse modes in one function"}, // HolomorphicForwardMode
};

// One compilation for all of them: each takes a second.
TEST(InterfaceErrors, AreOneSentenceForEachMisuse) {
  std::string calls = "(void)0; }\n";
  for (std::size_t index = 0; index != std::size(refusals); ++index)
    calls += "void misuse" + std::to_string(index) + "(std::vector<double> v, double d) { (void)v; (void)d; " +
             refusals[index].call + "; }\n";
  const std::string errors = errors_of(calls + "void end() { (void)0");
  for (const Refusal &refusal : refusals)
    EXPECT_THAT(errors, HasSubstr(refusal.sentence)) << refusal.call;
}

/// The name, by `#line`, of the file in which the misuse at `index` stands.
std::string file_of(std::size_t index) {
  return "misuse_" + std::to_string(index);
}

/// The errors, with their notes, of each of `count` misuses: an error belongs to the first of their files that it
/// names.
std::vector<std::string> errors_by_file(const std::string &all, std::size_t count) {
  std::vector<std::string> errors(count);
  std::istringstream lines(all);
  std::string block;
  const auto close = [&] {
    std::size_t first = count, place = std::string::npos;
    for (std::size_t index = 0; index != count; ++index)
      if (const std::size_t found = block.find(file_of(index) + ":"); found < place)
        first = index, place = found;
    if (first != count)
      errors[first] += block;
    else
      EXPECT_THAT(block, testing::Not(HasSubstr(" error: "))) << "of no misuse";
    block.clear();
  };
  for (std::string line; std::getline(lines, line); block += line + "\n")
    if (line.find(" error: ") != std::string::npos)
      close();
  close();
  return errors;
}

/// What follows from a wrong call is not said as well.
TEST(InterfaceErrors, AreNotFollowedByOthers) {
  const std::pair<const char *, const char *> misuses[] = {
      {"hvp(norm, v, 1.0)", "the direction of hvp must have the same type as the argument"},
      {"hvp(norm, v)", "hvp takes the direction as well: hvp(f, x, v)"},
      {"hessian<Reverse>(norm, v)", "the parameter of hessian is a Chunk<N>"},
      {"autodiff<3>(square, Active{1.0})", "the first parameter of autodiff is a mode"},
      {"struct Raw { double *p; }; (void)make_zero(Raw{&d})", "a raw pointer to numbers does not say to how many"},
      {"sparse_jacobian<Reverse>(std::identity{}, v, SparsityPattern{})", "sparse_jacobian is for the mode Forward"},
      {"sparse_jacobian<Forward>([](std::vector<double> &y, const std::vector<double> &x) { y = x; }, v, "
       "SparsityPattern{})",
       "the function of sparse_jacobian is called with the one argument"},
      {"sparse_jacobian<Forward>([](double) {}, 1.0, SparsityPattern{})", "returns nothing that has a derivative"},
      {"gradient<Forward, Outputs<2>>(norm, v)", "the second parameter of gradient is a Chunk<N>"},
      {"hessian<Outputs<2>>(norm, v)", "the parameter of hessian is a Chunk<N>"},
      {"autodiff<Reverse>(Active{square}, Active{3.0})", "a callable is Const or Duplicated"},
      {"autodiff<Forward>(product, BatchDuplicated{1.0, std::array{1.0, 2.0}}, BatchDuplicated{1.0, std::array{1.0}})",
       "must all have the same number of shadows"},
      {"gradient(Reverse, d, norm, v)", "must have the same type as its value"},
      {"const double *p = &d; gradient<Reverse>(first, p)", "a pointer does not say to how many numbers"},
      {"const float *p = nullptr; hessian([](const float *x) { return *x; }, p)",
       "a pointer does not say to how many numbers"},
      {"const long double *p = nullptr; jacobian<Forward>([](const long double *x) { return *x; }, p)",
       "a pointer does not say to how many numbers"},
      {"gradient<Reverse>([](const std::list<int *> &x) { return double(x.size()); }, std::list<int *>())",
       "there is nothing to differentiate in an argument"},
      {"autodiff<Forward>([](double (*f)(double)) { return f(1); }, Duplicated{square, square})",
       "a function has no derivative of its own"},
      {"auto [f, r] = autodiff_thunk<set_modified_between<true, false>(ReverseSplitWithPrimal), Active>(square, "
       "type<Active<double>>); f(Active{1.0})",
       "set_modified_between speaks of more arguments than the function has"},
      {"auto [f, r] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, type<Active<double>>, "
       "type<Active<double>>); f(Active{1.0}, Active{1.0})",
       "the function cannot be called with the values of these annotations"},
      {"auto [f, r] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, Active{1.0}); f(Active{1.0})",
       "the arguments of a thunk are named by type<...> of their annotations, without values"},
      {"autodiff<set_holomorphic(ReverseSplitWithPrimal)>(square, Active{1.0})",
       "holomorphic is a form of the reverse modes in one function"},
      {"auto [f, r] = autodiff_thunk<set_holomorphic(ReverseSplitNoPrimal), Active>(square, type<Active<double>>); "
       "f(Active{1.0})",
       "holomorphic is a form of the reverse modes in one function"},
      {"auto [f, r] = autodiff_thunk<ReverseSplitWithPrimal, Active>(norm, type<Active<std::vector<double>>>); "
       "f(Active{v})",
       "Active is for a floating-point scalar"},
      {"autodiff<Reverse>([](const std::vector<float> &x) { return x[0]; }, Active{std::vector<float>(2)})",
       "use Duplicated{x, dx} for anything that refers to memory"},
      {"autodiff<Reverse>(first, Active{&d})", "Active is for a floating-point scalar"},
      {"autodiff<Reverse>([](const std::pair<double, std::vector<double>> &x) { return x.first; }, "
       "Active{std::pair{1.0, v}})",
       "Active is for a floating-point scalar"},
      {"autodiff<Reverse>([](const std::tuple<double, double *> &x) { return std::get<0>(x); }, "
       "Active{std::tuple{1.0, &d}})",
       "Active is for a floating-point scalar"},
      {"autodiff<Reverse>([](std::span<double> x) { return x[0]; }, Active{std::span(v)})",
       "Active is for a floating-point scalar"},
      {"autodiff<Reverse>([](std::unique_ptr<double> &x) { return *x; }, Active{std::make_unique<double>(1)})",
       "Active is for a floating-point scalar"},
      {"autodiff<Reverse>([](const std::optional<std::vector<double>> &x) { return x->at(0); }, "
       "Active{std::optional{v}})",
       "Active is for a floating-point scalar"},
      {"struct Named { std::string name; double x; }; autodiff<Reverse>([](const Named &n) { return n.x; }, "
       "Active{Named{}})",
       "Active is for a floating-point scalar"},
      {"autodiff<Reverse>([](const std::array<int, 2> &n) { return 1.0 * n[0]; }, Active{std::array{1, 2}})",
       "there is nothing to differentiate in this Active argument"},
      {"auto thunk = autodiff_thunk<Reverse>(square, Active{1.0}); thunk(Active{1.0})",
       "the arguments of a thunk are named by type<...> of their annotations, without values"},
      {"tape_type<Reverse, Active, decltype((square)), Active<double>> *tape = nullptr; (void)tape",
       "tape_type is for the split modes"},
      {"autodiff<set_runtime_activity(5)>(square, Active{3.0})", "an option is one of a mode"},
      {"autodiff<set_strong_zero<false>(square)>(square, Active{3.0})", "an option is one of a mode"},
      {"sparse_jacobian<Forward>(norm, v, 5)", "the pattern of sparse_jacobian is a SparsityPattern"},
      {"sparse_hessian(norm, v, v)", "the pattern of sparse_hessian is a SparsityPattern"},
      {"auto [f, r] = autodiff_thunk<ReverseSplitWithPrimal>(square, type<Active<double>>); auto a = "
       "f(Active{1.0}); r(Active{1.0}, &d, a.tape)",
       "Seed is the adjoint of the result, so it has the result's type"},
      {"auto [f, r] = autodiff_thunk<ReverseSplitWithPrimal, Active>(pair, type<Active<double>>); auto a = "
       "f(Active{1.0}); r(Active{1.0}, &d, a.tape)",
       "Seed is the adjoint of the result, so it has the result's type"},
  };
  const std::size_t count = std::size(misuses);
  std::string calls = "(void)0; }\n";
  for (std::size_t index = 0; index != count; ++index)
    calls += "#line 1 \"" + file_of(index) + "\"\nvoid misuse" + std::to_string(index) +
             "() { std::vector<double> v(2); double d = 0; (void)v; (void)d; " + misuses[index].first + "; }\n";
  const std::vector<std::string> errors =
      errors_by_file(errors_of(calls + "#line 1 \"end\"\nvoid end() { (void)0"), count);
  for (std::size_t index = 0; index != count; ++index) {
    EXPECT_THAT(errors[index], HasSubstr(misuses[index].second)) << misuses[index].first;
    EXPECT_EQ(errors[index].find(" error: "), errors[index].rfind(" error: ")) << errors[index];
  }
}

} // namespace
