// The typed front end without derivatives: how C++ values become flat numbers and back, and which combinations have
// code.

#include <assay/testing.hpp>

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace assay {
namespace {

using detail::ArgumentModel;
using testutils::Activity;
using testutils::Arguments;
using testutils::Mode;
using testutils::Values;

// A subject that offers no derivative, so that no plugin is needed.
template <class F, class... T>
auto primal_subject(F function, const T &...arguments) {
  using S = detail::Setting<detail::ThisFile, F, T...>;
  return typename S::ByPosition::Subject(detail::Menu<>{}, function, {"f", {}, {}}, arguments...);
}

void accumulate(const std::vector<double> &x, double &sum) {
  for (const double element : x)
    sum += element;
}

TEST(TypedSubject, ScalarByReferenceIsInputAndOutput) {
  auto subject = primal_subject(&accumulate, std::vector<double>{1, 2, 3}, 10.0);
  ASSERT_EQ(subject.signature().parameters.size(), 2U);
  EXPECT_EQ(subject.signature().parameters[1].passing, testutils::Passing::buffer);
  EXPECT_EQ(subject.signature().parameters[1].element_path(0), "x2");
  const testutils::PrimalOutcome outcome = subject.evaluate({{1, 2, 4}, {10}});
  EXPECT_EQ(outcome.contents, (Arguments{{1, 2, 4}, {17}}));
  EXPECT_TRUE(outcome.result.empty());
}

TEST(TypedSubject, GivenArgumentsAreNeverChanged) {
  std::vector<double> memory{1, 2};
  auto subject = primal_subject([](std::span<double> x) { x[0] = 7; }, std::span(memory));
  EXPECT_EQ(subject.evaluate({{3, 4}}).contents, (Arguments{{7, 4}}));
  EXPECT_EQ(memory, (std::vector<double>{1, 2}));
}

TEST(TypedSubject, NestedContainersHavePathsOfTheirElements) {
  auto subject = primal_subject([](const std::vector<std::array<double, 2>> &x) { return x[1][0]; },
                                std::vector<std::array<double, 2>>{{1, 2}, {3, 4}});
  EXPECT_EQ(subject.signature().parameters[0].size(), 4U);
  EXPECT_EQ(subject.signature().parameters[0].element_path(2), "x1[1][0]");
  EXPECT_EQ(subject.evaluate({{1, 2, 5, 4}}).result, (Values{5}));
}

TEST(TypedSubject, IntegersAndOtherTypesAreConstant) {
  auto subject =
      primal_subject([](double x, int n, const std::string &text) { return x * n + static_cast<double>(text.size()); },
                     2.0, 3, std::string("abcd"));
  EXPECT_TRUE(subject.signature().parameters[0].differentiable());
  EXPECT_FALSE(subject.signature().parameters[1].differentiable());
  EXPECT_FALSE(subject.signature().parameters[2].differentiable());
  EXPECT_EQ(subject.signature().parameters[2].size(), 0U);
  EXPECT_EQ(subject.evaluate(subject.given()).result, (Values{10}));
}

TEST(TypedSubject, WriteBeyondTheEndOfASpanIsSeen) {
  auto subject = primal_subject([](std::span<double> x) { x.data()[x.size()] = 1; }, std::span<double>());
  EXPECT_FALSE(subject.evaluate({{}}).violations.empty());
}

TEST(TypedSubject, ExceptionOfTheFunctionIsASubjectError) {
  auto subject = primal_subject([](double x) { return x < 0 ? throw std::domain_error("negative") : x; }, 1.0);
  EXPECT_THROW(subject.evaluate({{-1}}), testutils::SubjectError);
}

TEST(TypedSubject, ArrayResultHasOnePlaceForEachElement) {
  auto subject = primal_subject([](double x) { return std::array{x, x * x}; }, 3.0);
  ASSERT_TRUE(subject.signature().result.has_value());
  EXPECT_EQ(subject.signature().result->extents, (std::vector<std::size_t>{2}));
  EXPECT_EQ(subject.evaluate({{4}}).result, (Values{4, 16}));
}

TEST(TypedSubject, CombinationWithoutCodeIsNotSupported) {
  auto subject = primal_subject([](double x) { return x; }, 1.0);
  const testutils::Combination reverse{Mode::reverse, Activity::active, {Activity::active}, 1};
  EXPECT_FALSE(subject.supports(reverse));
  EXPECT_THROW(subject.differentiate({reverse, {{1}}, {{{}}}, {{1}}}), testutils::SubjectError);
}

TEST(Menu, OffersWhatTheTypesAllow) {
  using Scalar = ArgumentModel<double, double>;
  using ReadOnly = ArgumentModel<const std::vector<double> &, std::vector<double>>;
  using Writable = ArgumentModel<std::vector<double> &, std::vector<double>>;
  using Integer = ArgumentModel<int, int>;
  using Forward = detail::FullMenu<Mode::forward, double, Scalar, ReadOnly>;
  using Reverse = detail::FullMenu<Mode::reverse, void, Writable, Scalar, Integer>;
  EXPECT_TRUE(
      detail::offers(Forward{}, {Mode::forward, Activity::duplicated, {Activity::duplicated, Activity::constant}, 1}));
  EXPECT_FALSE(detail::offers(
      Forward{}, {Mode::forward, Activity::duplicated, {Activity::constant, Activity::duplicated_no_need}, 1}));
  EXPECT_FALSE(
      detail::offers(Forward{}, {Mode::forward, Activity::duplicated, {Activity::constant, Activity::constant}, 1}));
  EXPECT_TRUE(detail::offers(
      Reverse{},
      {Mode::reverse, Activity::constant, {Activity::duplicated_no_need, Activity::active, Activity::constant}, 1}));
  EXPECT_FALSE(detail::offers(
      Reverse{}, {Mode::reverse, Activity::constant, {Activity::constant, Activity::active, Activity::constant}, 1}));
}

template <TestForm... F>
std::vector<TestForm> forms_in(detail::FormList<F...>) {
  return {F...};
}

TEST(Variations, ForwardModeHasNoSplitFormAndThePlainOneIsNone) {
  using Forms = detail::FormsOf<Mode::forward, TestForm{}, TestForm{.split = true}, TestForm{.width = 2}>;
  EXPECT_EQ(forms_in(Forms{}), (std::vector<TestForm>{{.width = 2}}));
}

TEST(Variations, MemoryThatMayBeWrittenIsNeverConstant) {
  using Scalar = ArgumentModel<double, double>;
  using Writable = ArgumentModel<std::vector<double> &, std::vector<double>>;
  using Plain = detail::FullMenu<Mode::reverse, void, Writable, Scalar>;
  const auto varied = detail::combinations_in(
      detail::VariationMenu<Mode::reverse, std::remove_cv_t<decltype(every_form)>, Plain, Writable, Scalar>{});
  EXPECT_EQ(varied.size(), 4U * 19U); // {Duplicated, DuplicatedNoNeed} times {Const, Active}
  for (const testutils::Combination &combination : varied)
    EXPECT_NE(combination.arguments[0], Activity::constant);
}

TEST(Variations, FewFormsAreSpreadOverManyCombinations) {
  using Scalar = ArgumentModel<double, double>;
  using Plain = detail::FullMenu<Mode::reverse, double, Scalar, Scalar, Scalar>; // 7 combinations
  constexpr auto forms = in_forms<TestForm{.width = 2}, TestForm{.width = 3}>;
  const auto varied = detail::combinations_in(
      detail::VariationMenu<Mode::reverse, std::remove_cv_t<decltype(forms)>, Plain, Scalar, Scalar, Scalar>{});
  const auto plain = detail::combinations_in(Plain{});
  ASSERT_EQ(varied.size(), 2U);
  EXPECT_EQ(varied[0].arguments, plain[0].arguments);
  EXPECT_EQ(varied[1].arguments, plain[3].arguments);
}

TEST(Menu, ReverseCombinationsBringTheForwardOnesTheyAreComparedWith) {
  using Both = detail::StaticCombination<Mode::reverse, Activity::active, Activity::active, Activity::duplicated>;
  using Offered = detail::WithForward<detail::Menu<Both>>::type;
  EXPECT_TRUE(detail::offers(Offered{},
                             {Mode::forward, Activity::duplicated, {Activity::duplicated, Activity::duplicated}, 1}));
}

TEST(Arguments, MarksCarryTheirActivity) {
  const double x = 1;
  EXPECT_EQ(detail::Given<decltype(arg<Active>(x))>::activity, Activity::active);
  EXPECT_EQ(detail::Given<decltype(arg<DuplicatedNoNeed>(x))>::activity, Activity::duplicated_no_need);
  EXPECT_EQ(detail::Given<double>::activity, Activity::constant);
}

} // namespace
} // namespace assay
