// What the compiler says of wrong calls of enzyme::autodiff: one sentence for each.
#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using assay::test::Language;
using assay::test::Plugin;
using testing::HasSubstr;

namespace {

/// One compilation of all of them, each in a function of its own.
std::string errors_of_all() {
  const auto result = assay::test::compile({.source = R"(
#include <enzyme/enzyme>
#include <array>
#include <string>
#include <vector>
using namespace enzyme;
struct Mode {};
double square(double x) { return x * x; }
double first(const std::vector<double> &x) { return x[0]; }
std::array<double, 2> pair(double x) { return {x, x}; }
void right() { autodiff<Reverse>(square, Active(3.0)); }
void active_in_forward_mode() { autodiff<Forward>(square, Active(3.0)); }
void active_vector(std::vector<double> v) { autodiff<Reverse>(first, Active(v)); }
void shadow_by_value() { autodiff<Reverse>(square, Duplicated(3.0, 1.0)); }
void duplicated_integer() { autodiff<Forward>(square, Duplicated(3, 1)); }
void no_annotation() { autodiff<Reverse>(square, 3.0); }
void no_mode() { autodiff<Mode>(square, Active(3.0)); }
void no_activity() { autodiff<Reverse, double>(square, Active(3.0)); }
void other_result() { autodiff<Reverse, Active<float>>(square, Active(3.0)); }
void too_many() { autodiff<Reverse>(square, Active(3.0), Active(3.0)); }
void other_shadow(std::vector<double> v) { Duplicated(v, std::string()); }
void active_result() { autodiff<Forward, Active<double>>(square, Duplicated(3.0, 1.0)); }
void no_primal() { autodiff<ForwardWithPrimal, DuplicatedNoNeed<double>>(square, Duplicated(3.0, 1.0)); }
void duplicated_result() { autodiff<Reverse, Duplicated<double>>(square, Active(3.0)); }
void result_without_seed() { autodiff<Reverse>(pair, Active(3.0)); }
)",
                                            .language = Language::cpp,
                                            .level = "-O0",
                                            .flags = {"-std=c++17", "-fsyntax-only", "-ferror-limit=0", "-w"},
                                            .plugin = Plugin::absent});
  return result.err;
}

TEST(EnzymeErrors, SayWhatIsWrong) {
  const std::string errors = errors_of_all();
  for (const char *sentence :
       {"enzyme: Active is for reverse mode; in forward mode use Duplicated(x, dx) with dx the tangent",
        "enzyme: Active is for numbers and structs of numbers; use Duplicated(x, dx) for what refers to memory",
        "enzyme: in reverse mode a Duplicated number needs a shadow that can be added into",
        "enzyme: an integer has no derivative; use Const(n)",
        "enzyme: every argument needs an annotation: Const(x), Active(x), Duplicated(x, dx) or DuplicatedNoNeed(x, dx)",
        "enzyme: the mode of autodiff is Forward, ForwardWithPrimal, Reverse or ReverseWithPrimal",
        "enzyme: the activity of the result is Const<R>, Active<R>, Duplicated<R> or DuplicatedNoNeed<R>",
        "enzyme: the activity of the result names another type than the function returns",
        "enzyme: the function cannot be called with the values of these annotations",
        "enzyme: the shadow of a Duplicated argument must have the same type as its value",
        "enzyme: an Active result is for reverse mode; in forward mode use Duplicated<R>",
        "enzyme: a DuplicatedNoNeed result has no primal; use Duplicated<R> or the mode Forward",
        "enzyme: in reverse mode the result is Active<R> or Const<R>",
        "enzyme: in reverse mode the function must return a floating-point number or nothing"})
    EXPECT_THAT(errors, HasSubstr(sentence));
  EXPECT_EQ(errors.find("in instantiation of function template specialization 'enzyme::autodiff<enzyme::Reverse, "
                        "enzyme::detail::Deduced, double (&)(double), enzyme::Active<double>>'"),
            std::string::npos)
      << "the right call is refused";
}

} // namespace
