// Would catch: sides of comparisons that no search finds although they are within the domain, thresholds that are
// missed by more than a neighbouring number, points outside the domain, and a budget or an order that is not kept.

#include "testutils/bisection.hpp"
#include "testutils/branch_search.hpp"
#include "testutils/test/hand_subject.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay::testutils;

/// A program that says what it compares.
class Recorder {
public:
  explicit Recorder(BranchTrace &trace) : trace_(trace) {}

  bool note(std::size_t site, double left, double right, bool outcome) {
    trace_.sites.resize(std::max(trace_.sites.size(), site + 1));
    BranchSummary::Side &side = trace_.sites[site].sides[outcome ? 1 : 0];
    if (side.count++ == 0 || std::abs(left - right) < std::abs(side.left - side.right)) {
      side.left = left;
      side.right = right;
    }
    ++trace_.comparisons;
    return outcome;
  }
  bool less(std::size_t site, double left, double right) { return note(site, left, right, left < right); }
  bool equal(std::size_t site, double left, double right) { return note(site, left, right, left == right); }

private:
  BranchTrace &trace_;
};

using Program = std::function<void(const Arguments &, Recorder &)>;

class HandTracer : public BranchTracer {
public:
  HandTracer(std::size_t sites, Program program) : program_(std::move(program)) {
    for (std::size_t site = 0; site < sites; ++site)
      sites_.push_back({"f.c:" + std::to_string(site + 1) + " in f"});
  }
  const std::vector<BranchSite> &sites() const override { return sites_; }
  std::optional<BranchTrace> trace(const Arguments &inputs) override {
    all.push_back(inputs);
    BranchTrace trace;
    Recorder recorder(trace);
    program_(inputs, recorder);
    return trace;
  }
  std::optional<BranchTrace> trace_other_calls(const Arguments &) override { return std::nullopt; }

  std::vector<Arguments> all; ///< Inputs of all calls.

private:
  Program program_;
  std::vector<BranchSite> sites_;
};

Signature numbers(std::vector<std::string> names) {
  Signature signature;
  signature.function = "f";
  for (std::string &name : names)
    signature.parameters.push_back(scalar(std::move(name)));
  return signature;
}

CheckOptions few_points() {
  CheckOptions options;
  options.samples = 3;
  options.brief_samples = 12;
  return options;
}

bool sees_both(const BranchSearchResult &result, std::size_t site) {
  return result.seen[site][0] && result.seen[site][1];
}

/// A point for which `holds`.
bool has_point(const BranchSearchResult &result, BranchPoint::Kind kind,
               const std::function<bool(const Arguments &)> &holds) {
  return std::any_of(result.points.begin(), result.points.end(),
                     [&](const BranchPoint &point) { return point.kind == kind && holds(point.inputs); });
}

constexpr auto side = BranchPoint::Kind::side, threshold = BranchPoint::Kind::threshold;

TEST(BranchSearch, FindsAFarThresholdFromBothSidesAndOn) {
  HandTracer tracer(1, [](const Arguments &x, Recorder &seen) { seen.less(0, 1e4, x[0][0]); });
  const BranchSearchResult result = search_branches(tracer, numbers({"x"}), few_points());
  EXPECT_TRUE(has_point(result, side, [](const Arguments &x) { return x[0][0] > 1.1e4 && x[0][0] < 1e6; }))
      << "well beyond the threshold, and not far from it";
  EXPECT_TRUE(has_point(result, threshold, [](const Arguments &x) { return x[0][0] == 1e4; }));
  EXPECT_TRUE(has_point(result, threshold, [](const Arguments &x) { return x[0][0] == std::nextafter(1e4, 2e4); }));
}

TEST(BranchSearch, PutsAPointALittleAwayFromAThresholdOnBothSides) {
  HandTracer tracer(1, [](const Arguments &x, Recorder &seen) { seen.less(0, 1, x[0][0]); });
  const BranchSearchResult result = search_branches(tracer, numbers({"x"}), few_points());
  EXPECT_TRUE(has_point(result, side, [](const Arguments &x) { return x[0][0] > 1.05 && x[0][0] < 1.07; }));
  EXPECT_TRUE(has_point(result, side, [](const Arguments &x) { return x[0][0] > 0.93 && x[0][0] < 0.95; }));
}

TEST(BranchSearch, ReachesNestedBranchesFromPointsOfUsualSize) {
  HandTracer tracer(3, [](const Arguments &x, Recorder &seen) {
    if (seen.less(0, x[1][0], -2) && seen.less(1, 37.5, x[0][0]))
      seen.less(2, x[0][0], 37.625);
  });
  const BranchSearchResult result = search_branches(tracer, numbers({"x", "y"}), few_points());
  EXPECT_TRUE(has_point(result, side, [](const Arguments &x) {
    return x[0][0] > 37.5 && x[0][0] < 37.625 && x[1][0] < -2 && x[1][0] > -10;
  })) << "large numbers that an edge point happened to have would hide what is wrong there";
}

TEST(BranchSearch, FindsEqualAndNearlyEqualNumbers) {
  HandTracer tracer(2, [](const Arguments &x, Recorder &seen) {
    seen.equal(0, 3 * x[0][0], x[1][0] + 1.25);
    seen.less(1, std::abs(x[0][0] - x[1][0]), 1e-6);
  });
  const BranchSearchResult result = search_branches(tracer, numbers({"x", "y"}), few_points());
  EXPECT_TRUE(sees_both(result, 0) && sees_both(result, 1));
}

TEST(BranchSearch, FindsASmallDisc) {
  HandTracer tracer(
      1, [](const Arguments &x, Recorder &seen) { seen.less(0, x[0][0] * x[0][0] + x[1][0] * x[1][0], 1e-12); });
  EXPECT_TRUE(sees_both(search_branches(tracer, numbers({"x", "y"}), few_points()), 0));
}

TEST(BranchSearch, FindsAnInnermostBranch) {
  HandTracer tracer(3, [](const Arguments &x, Recorder &seen) {
    if (seen.less(0, 20, x[0][0]) && seen.less(1, x[1][0], -30))
      seen.less(2, x[0][0], 20.5);
  });
  const BranchSearchResult result = search_branches(tracer, numbers({"x", "y"}), few_points());
  EXPECT_TRUE(sees_both(result, 0) && sees_both(result, 1) && sees_both(result, 2));
}

TEST(BranchSearch, FindsACaseOfTheIntegerPart) {
  HandTracer tracer(1, [](const Arguments &x, Recorder &seen) { seen.equal(0, std::trunc(x[0][0]), -1234); });
  EXPECT_TRUE(sees_both(search_branches(tracer, numbers({"x"}), few_points()), 0));
}

TEST(BranchSearch, FindsALongLoop) {
  HandTracer tracer(1, [](const Arguments &inputs, Recorder &seen) {
    int count = 0;
    for (double x = inputs[0][0]; x > 1; x /= 2)
      ++count;
    seen.less(0, 8, count);
  });
  EXPECT_TRUE(sees_both(search_branches(tracer, numbers({"x"}), few_points()), 0));
}

TEST(BranchSearch, FindsATieOfAnArray) {
  Signature signature = numbers({});
  signature.parameters.push_back(buffer("x", {6}));
  HandTracer tracer(1, [](const Arguments &x, Recorder &seen) {
    double most = x[0][0];
    for (std::size_t index = 1; index < 6; ++index)
      if (seen.less(0, most, x[0][index]))
        most = x[0][index];
  });
  const BranchSearchResult result = search_branches(tracer, signature, few_points());
  EXPECT_TRUE(has_point(result, threshold, [](const Arguments &x) {
    Values sorted = x[0];
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  }));
}

TEST(BranchSearch, FindsAMaximumBelowAllRandomOnes) {
  Signature signature = numbers({});
  signature.parameters.push_back(buffer("x", {5}));
  HandTracer tracer(1, [](const Arguments &x, Recorder &seen) {
    seen.equal(0, std::trunc(*std::max_element(x[0].begin(), x[0].end())), -3);
  });
  EXPECT_TRUE(sees_both(search_branches(tracer, signature, few_points()), 0));
}

TEST(BranchSearch, FindsIntegersThatAreDrawn) {
  Signature signature = numbers({});
  signature.parameters.push_back(buffer("n", {2}, ElementType::integer));
  signature.parameters[0].domain = {0, 1000, false};
  HandTracer tracer(1, [](const Arguments &n, Recorder &seen) { seen.equal(0, n[0][1], 777); });
  const BranchSearchResult result = search_branches(tracer, signature, few_points());
  EXPECT_TRUE(sees_both(result, 0));
  for (const Arguments &inputs : tracer.all)
    for (const double value : inputs[0])
      EXPECT_TRUE(value >= 0 && value <= 1000 && value == std::round(value)) << value;
}

TEST(BranchSearch, StaysInTheDomainAndSaysWhatIsNotInIt) {
  Signature signature = numbers({"x"});
  signature.parameters[0].domain = {0, 5, false};
  HandTracer tracer(2, [](const Arguments &x, Recorder &seen) {
    seen.less(0, 50, x[0][0]);
    seen.less(1, 4.875, x[0][0]);
  });
  const BranchSearchResult result = search_branches(tracer, signature, few_points());
  for (const Arguments &inputs : tracer.all)
    EXPECT_TRUE(inputs[0][0] > 0 && inputs[0][0] < 5) << inputs[0][0];
  EXPECT_TRUE(sees_both(result, 1));
  EXPECT_EQ(unseen_sides(tracer.sites(), result.seen),
            std::vector<std::string>{"no input found where the comparison at f.c:1 in f is true"});
}

TEST(BranchSearch, NamesComparisonsByTheirFunctionWithoutDebugInformation) {
  EXPECT_EQ(unseen_sides({{.place = "in f", .is_own = true}}, {{true, false}}),
            std::vector<std::string>{"no input found where the comparison in f is true"});
}

TEST(BranchSearch, NeedsNoPointWhereRandomOnesShowBothSides) {
  HandTracer tracer(1, [](const Arguments &x, Recorder &seen) { seen.less(0, x[0][0], 0.1); });
  const BranchSearchResult result = search_branches(tracer, numbers({"x"}), few_points());
  EXPECT_FALSE(has_point(result, side, [](const Arguments &x) { return std::abs(x[0][0] - 0.1) > 0.01; }))
      << "but beside the threshold";
  EXPECT_TRUE(has_point(result, threshold, [](const Arguments &x) { return x[0][0] == 0.1; }));
}

TEST(BranchSearch, FindsANarrowCellBetweenTwoRoundings) {
  const double width = 0.01;
  HandTracer tracer(2, [&](const Arguments &x, Recorder &seen) {
    seen.less(0, std::floor(x[0][0] / width), 0);
    seen.less(1, std::trunc(x[0][0] / width), 0);
  });
  const BranchSearchResult result = search_branches(tracer, numbers({"x"}), few_points());
  EXPECT_TRUE(has_point(result, side, [&](const Arguments &x) { return x[0][0] > -width && x[0][0] < 0; }));
}

TEST(BranchSearch, MirrorsTheSidesThatItSearchesFor) {
  HandTracer tracer(
      1, [](const Arguments &x, Recorder &seen) { seen.less(0, 2500, (x[0][0] - x[1][0]) * (x[0][0] - x[1][0])); });
  const BranchSearchResult result = search_branches(tracer, numbers({"x", "y"}), few_points());
  for (const double sign : {1.0, -1.0})
    EXPECT_TRUE(has_point(result, side, [&](const Arguments &x) { return sign * (x[0][0] - x[1][0]) > 50; })) << sign;
}

TEST(BranchSearch, KeepsItsBudgetAndIsTheSameAgain) {
  const Program program = [](const Arguments &x, Recorder &seen) {
    for (std::size_t site = 0; site < 40; ++site)
      seen.equal(site, std::sin(x[0][0] * static_cast<double>(site)), 2);
  };
  HandTracer first(40, program), second(40, program), third(40, program);
  BranchBudget budget;
  budget.calls = 500;
  EXPECT_LE(search_branches(first, numbers({"x"}), few_points(), budget).calls, 500U);
  budget = {.calls = 100000, .work = 8000};
  static_cast<void>(search_branches(second, numbers({"x"}), few_points(), budget));
  static_cast<void>(search_branches(third, numbers({"x"}), few_points(), budget));
  EXPECT_LE(second.all.size(), 300U);
  EXPECT_EQ(second.all, third.all);
}

TEST(BranchSearch, JoinsWhatSeveralShapesHaveSeen) {
  SidesSeen seen{{true, false}};
  join(seen, {{false, true}, {true, false}});
  EXPECT_EQ(seen, (SidesSeen{{true, true}, {true, false}}));
}

TEST(Bisection, EndsAtNeighbouringNumbers) {
  const Signature signature = numbers({"x", "y"});
  const Coordinates coordinates(signature);
  const auto is_inside = [](const Arguments &x) { return std::optional(x[0][0] >= 1.0 / 3); };
  const Bracket bracket = bisect(coordinates, {{{2}, {5}}, {{-1}, {7}}}, is_inside);
  EXPECT_EQ(bracket.inside[0][0], 1.0 / 3);
  EXPECT_EQ(bracket.outside[0][0], std::nextafter(1.0 / 3, 0));
  EXPECT_EQ(bracket.inside[1], bracket.outside[1]) << "the other coordinate does not matter";
}

} // namespace
