// Would catch: comparisons that are not recorded, recorded with other operands or twice, at another place, or that
// change what the program computes; rules whose comparisons nobody sees.

#include "core/jit/program.hpp"
#include "core/test/jit/scratch_file.hpp"
#include "core/trace/comparison_run.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace {

using namespace assay;
using namespace assay::jit;
using test::ScratchFile;
using Kind = trace::ComparisonSite::Kind;

constexpr Activity dup = Activity::duplicated, active = Activity::active;

class Recorded {
public:
  Recorded(const std::string &source, OptimizationLevel level, const std::vector<Derivative> &derivatives = {})
      : scratch_("f.c", source), file_(scratch_.path, {level, {}, CompileOptions::Emit::used}),
        program_(file_, file_.function("f")) {
    auto compiled = program_.recording(derivatives);
    if (const auto *refusal = std::get_if<NoDerivative>(&compiled))
      throw std::runtime_error(refusal->message);
    code = std::get<RecordedComparisons>(std::move(compiled));
  }

  RecordedComparisons code;

private:
  ScratchFile scratch_;
  ModuleFile file_;
  Program program_;
};

void run(trace::ComparisonRun &run, Entry entry, void **slots) {
  run.program = entry;
  trace::ComparisonRun::enter(slots);
}

class Comparisons : public testing::TestWithParam<OptimizationLevel> {};

TEST_P(Comparisons, HaveTheirOperandsOutcomesAndLinesInOrder) {
  const Recorded recorded("double f(double x, int n) {\n"
                          "  if (x > 50)\n"
                          "    x -= 1;\n"
                          "  for (int i = 0; i < n; ++i)\n"
                          "    x *= 0.5;\n"
                          "  return n == 2 && x <= 20 ? x : -x;\n"
                          "}\n",
                          GetParam());
  double x = 61, result = 0;
  int n = 2;
  std::array<void *, 3> slots{&x, &n, &result};
  trace::ComparisonRun seen;
  run(seen, recorded.code.function, slots.data());
  EXPECT_EQ(result, 15);
  struct Expected {
    std::string place;
    Kind kind;
    double left, right;
    bool outcome;
  };
  const std::vector<Expected> expected{
      {"f.c:2 in f", Kind::numbers, 61, 50, true}, {"f.c:4 in f", Kind::integers, 0, 2, true},
      {"f.c:4 in f", Kind::integers, 1, 2, true},  {"f.c:4 in f", Kind::integers, 2, 2, false},
      {"f.c:6 in f", Kind::integers, 2, 2, true},  {"f.c:6 in f", Kind::numbers, 15, 20, true}};
  ASSERT_EQ(seen.comparisons().size(), expected.size());
  for (std::size_t index = 0; index < expected.size(); ++index) {
    const trace::Comparison &comparison = seen.comparisons()[index];
    EXPECT_EQ(recorded.code.sites[comparison.site].place, expected[index].place);
    EXPECT_EQ(recorded.code.sites[comparison.site].kind, expected[index].kind);
    EXPECT_EQ(comparison.left, expected[index].left);
    EXPECT_EQ(comparison.right, expected[index].right);
    EXPECT_EQ(comparison.outcome, expected[index].outcome);
  }
}

TEST_P(Comparisons, AreSummedUpWithTheClosestOperandsOfEachOutcome) {
  const Recorded recorded("double f(const double *x) { double sum = 0;\n"
                          "  for (int i = 0; i < 5; ++i)\n"
                          "    if (x[i] < 1) sum += x[i];\n"
                          "  return sum; }\n",
                          GetParam());
  std::array<double, 5> x{-4, 0.25, 8, 3, 0.125};
  double result = 0;
  std::array<void *, 2> slots{x.data(), &result};
  trace::ComparisonRun seen;
  run(seen, recorded.code.function, slots.data());
  EXPECT_EQ(result, -3.625);
  const auto site =
      std::ranges::find_if(recorded.code.sites, [](const auto &one) { return one.kind == Kind::numbers; });
  const trace::ComparisonSummary &summary =
      seen.summaries()[static_cast<std::size_t>(site - recorded.code.sites.begin())];
  EXPECT_EQ(summary.sides[1].count, 3U);
  EXPECT_EQ(summary.sides[1].left, 0.25);
  EXPECT_EQ(summary.sides[0].count, 2U);
  EXPECT_EQ(summary.sides[0].left, 3);
  EXPECT_EQ(summary.sides[0].right, 1);
}

TEST_P(Comparisons, AreThoseOfSwitchesAndOfTheLibraryToo) {
  const Recorded recorded("#include <math.h>\n"
                          "double f(double x) {\n"
                          "  switch ((int)x) {\n"
                          "  case 3: return fabs(x);\n"
                          "  case -7: return fmax(x, 2 * x);\n"
                          "  default: return copysign(1.0, x);\n"
                          "  }\n"
                          "}\n",
                          GetParam());
  double x = -7.5, result = 0;
  std::array<void *, 2> slots{&x, &result};
  trace::ComparisonRun seen;
  run(seen, recorded.code.function, slots.data());
  EXPECT_EQ(result, -7.5);
  std::vector<std::tuple<Kind, double, double, bool>> all;
  for (const trace::Comparison &one : seen.comparisons())
    all.emplace_back(recorded.code.sites[one.site].kind, one.left, one.right, one.outcome);
  EXPECT_EQ(all, (std::vector<std::tuple<Kind, double, double, bool>>{
                     {Kind::choice, -7, 3, false}, {Kind::choice, -7, -7, true}, {Kind::library, -7.5, -15, true}}));
}

TEST_P(Comparisons, AreThoseOfRulesInBothModes) {
  const std::string source =
      "struct augmented { void *tape; double primal; };\n"
      "double square(double x) { return x * x; }\n"
      "static double slope(double x) {\n"
      "  return x > 3 ? 2 * x : x + x;\n"
      "}\n"
      "double square_tangent(double x, double dx) { return slope(x) * dx; }\n"
      "struct augmented square_augmented(double x) { struct augmented a = {0, x * x}; return a; }\n"
      "double square_reverse(double x, double seed, void *tape) { return slope(x) * seed; }\n"
      "void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_tangent};\n"
      "void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented, (void "
      "*)square_reverse};\n"
      "double f(double x) {\n"
      "  return x < 1 ? x : square(x + 1);\n"
      "}\n";
  const Recorded recorded(source, GetParam(),
                          {{Mode::forward, 1, dup, PrimalResult::wanted, {dup}},
                           {Mode::reverse, 1, active, PrimalResult::wanted, {active}}});
  double x = 5, dx = 1, result = 0, tangent = 0, seed = 1;
  std::array<void *, 7> forward{&x, &dx, &result, &tangent, nullptr, nullptr, nullptr};
  std::array<void *, 7> reverse{&x, &dx, &result, nullptr, &seed, nullptr, nullptr};
  const auto in_rules = [&](const trace::ComparisonRun &seen) {
    std::vector<std::string> places;
    for (const trace::Comparison &one : seen.comparisons()) {
      const trace::ComparisonSite &site = recorded.code.sites[one.site];
      EXPECT_EQ(site.is_in_rule, site.place == "f.c:4 in slope");
      if (site.is_in_rule) {
        EXPECT_EQ(one.left, 6);
        EXPECT_TRUE(one.outcome);
        places.push_back(site.place);
      }
    }
    return places;
  };
  const std::vector<std::string> once{"f.c:4 in slope"};
  {
    trace::ComparisonRun seen;
    std::array<void *, 2> plain{&x, &result};
    run(seen, recorded.code.function, plain.data());
    EXPECT_TRUE(in_rules(seen).empty());
  }
  {
    trace::ComparisonRun seen;
    run(seen, recorded.code.derivatives[0], forward.data());
    EXPECT_EQ(in_rules(seen), once);
    EXPECT_EQ(tangent, 12);
  }
  {
    trace::ComparisonRun seen;
    run(seen, recorded.code.derivatives[1], reverse.data());
    EXPECT_EQ(in_rules(seen), once);
    EXPECT_EQ(dx, 12);
  }
}

/// Where a rule divides by 0 it is not finite, and the function may be smooth.
TEST_P(Comparisons, AreThoseOfDivisorsOfRulesBehindAllOthers) {
  const Recorded recorded("double ratio(double x) { return x / (x + 2); }\n"
                          "double ratio_tangent(double x, double dx) {\n"
                          "  return x > 1 ? 2 * dx / (x + 2) / (x + 2) : dx / 3;\n"
                          "}\n"
                          "void *__enzyme_register_derivative_ratio[] = {(void *)ratio, (void *)ratio_tangent};\n"
                          "double f(double x) { return ratio(x); }\n",
                          GetParam(), {{Mode::forward, 1, dup, PrimalResult::wanted, {dup}}});
  const auto &sites = recorded.code.sites;
  ASSERT_EQ(sites.size(), 3U); // Neither that of the function nor a constant one.
  EXPECT_EQ(sites[0].kind, Kind::numbers);
  for (const std::size_t site : {1U, 2U}) {
    EXPECT_EQ(sites[site].kind, Kind::divisor);
    EXPECT_TRUE(sites[site].is_in_rule);
    EXPECT_FALSE(sites[site].is_own);
  }
  double x = 5, dx = 1, result = 0, tangent = 0;
  std::array<void *, 7> forward{&x, &dx, &result, &tangent, nullptr, nullptr, nullptr};
  trace::ComparisonRun seen;
  run(seen, recorded.code.derivatives[0], forward.data());
  EXPECT_DOUBLE_EQ(tangent, 2.0 / 49);
  ASSERT_EQ(seen.comparisons().size(), 3U);
  EXPECT_EQ(seen.comparisons()[1].left, 7);
  EXPECT_EQ(seen.comparisons()[1].right, 0);
  EXPECT_TRUE(seen.comparisons()[1].outcome);
}

TEST_P(Comparisons, AreLeftWhereThereAreTooMany) {
  const Recorded recorded("double f(double x) { while (x > 0) x = x * 0.5 + x * 0.5; return x; }\n", GetParam());
  double x = 3, result = 0;
  std::array<void *, 2> slots{&x, &result};
  trace::ComparisonRun endless;
  endless.most_counted = 100;
  run(endless, recorded.code.function, slots.data());
  EXPECT_EQ(endless.count(), 101U);
  EXPECT_TRUE(endless.was_cut_short());
}

TEST_P(Comparisons, WithNaNsAndPointersAreNone) {
  const Recorded recorded("#include <math.h>\n"
                          "double f(const double *x) { return x == 0 || isnan(*x) || isinf(*x) ? 0 : *x; }\n",
                          GetParam());
  EXPECT_TRUE(std::ranges::none_of(recorded.code.sites, [](const auto &site) { return site.kind == Kind::numbers; }));
}

INSTANTIATE_TEST_SUITE_P(At, Comparisons, testing::Values(OptimizationLevel::none, OptimizationLevel::normal),
                         [](const auto &info) { return info.param == OptimizationLevel::none ? "O0" : "O2"; });

} // namespace
