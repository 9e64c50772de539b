// What a rule keeps between its passes, and what it is told of the values that are read.
#include "support/heap_growth.hpp"
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <assay/thunk.hpp>
#include <cmath>
#include <vector>

using namespace assay;

namespace {

using Numbers = std::vector<double>;

double norm2(const Numbers &x) {
  double sum = 0;
  for (const double each : x)
    sum += each * each;
  return sum;
}
/// Its tape lies on the heap, and owns memory.
struct Norm2Rule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{norm2(x.value), None{}, x.overwritten() ? x.value : Numbers()};
  }
  static void reverse(const auto & /*config*/, auto dy, const auto &kept, auto x) {
    const Numbers &value = x.overwritten() ? kept : x.value;
    for (std::size_t i = 0; x.is_active() && i < value.size(); ++i)
      x.shadow()[i] += 2 * value[i] * dy;
  }
};
ASSAY_RULE(Norm2Rule, norm2);

double products(const Numbers &x, int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round)
    sum += norm2(x) * norm2(x);
  if (rounds > 2)
    throw rounds;
  return sum;
}

PLUGIN_TEST(RuleTapes, AreReleasedWhereAnExceptionLeaves) {
  EXPECT_NO_GROWTH([] {
    const Numbers x{1, 2};
    Numbers dx(2);
    int caught = 0;
    try {
      autodiff<Reverse>(products, Duplicated{x, dx}, Const{3});
    } catch (int) {
      ++caught;
    }
    auto [forward, reverse] =
        autodiff_thunk<ReverseSplitNoPrimal, Active>(products, type<Duplicated<Numbers>>, type<Const<int>>);
    try {
      forward(Duplicated{x, dx}, Const{4});
    } catch (int) {
      ++caught;
    }
    EXPECT_HOLDS(caught == 2);
    EXPECT_SAME(dx[0], 0.0);
  });
}

PLUGIN_TEST(RuleTapes, AreReleasedWithATapeThatIsDropped) {
  EXPECT_NO_GROWTH([] {
    const Numbers x{1, 2};
    Numbers dx(2);
    auto [forward, reverse] =
        autodiff_thunk<ReverseSplitNoPrimal, Active>(products, type<Duplicated<Numbers>>, type<Const<int>>);
    auto dropped = forward(Duplicated{x, dx}, Const{2});
    auto used = forward(Duplicated{x, dx}, Const{1});
    reverse(Duplicated{x, dx}, Const{1}, 1.0, used.tape);
    EXPECT_SAME(dx[1], 2 * 5 * 4.0);
  });
}

PLUGIN_TEST(RuleTapes, KeepNothingThatStaysBetweenThePasses) {
  constexpr auto mode = set_modified_between<false>(ReverseSplitNoPrimal);
  Numbers x{1, 2}, dx(2);
  auto [forward, reverse] = autodiff_thunk<mode, Active>(norm2, type<Duplicated<Numbers>>);
  auto [tape, primal, shadow] = forward(Duplicated{x, dx});
  x[0] = 10; // against the promise: the rule is told that it need not keep the old content
  reverse(Duplicated{x, dx}, 1.0, tape);
  EXPECT_SAME(dx[0], 20.0);
}

/// Says in its tangent, and in its derivative, whether the value is read.
double watched(double x) {
  return x * x;
}
struct WatchedRule {
  static auto forward(const auto &config, auto x) {
    return Duplicated{x.value * x.value, config.needs_primal() ? 1.0 : 0.0};
  }
  static auto augmented_primal(const auto &config, auto x) {
    return AugmentedReturn{x.value * x.value, None{}, config.needs_primal() ? 1.0 : 0.0};
  }
  static auto reverse(const auto & /*config*/, auto /*dy*/, double needs_primal, auto /*x*/) { return needs_primal; }
};
ASSAY_RULE(WatchedRule, watched);

double only_added(double x) {
  return 3 * watched(x) + x - x;
}
double multiplied(double x) {
  return watched(x) * watched(x);
}
double in_exponential(double x) {
  return std::exp(watched(x)) / std::exp(x * x);
}
double compared(double x) {
  const double y = watched(x);
  return y > 100 ? y : y + 0;
}

PLUGIN_TEST(NeedsPrimal, IsFalseWhereNothingReadsTheValue) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(only_added, Active{2.0}).gradient), 0.0);
  EXPECT_SAME(autodiff<Forward>(only_added, Duplicated{2.0, 1.0}).derivative, 0.0);
  EXPECT_SAME(std::get<0>(autodiff<ReverseWithPrimal>(only_added, Active{2.0}).gradient), 1.0);
  EXPECT_SAME(autodiff<ForwardWithPrimal>(only_added, Duplicated{2.0, 1.0}).derivative, 3.0);
}

PLUGIN_TEST(NeedsPrimal, IsTrueWhereADerivativeOrABranchReadsIt) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(multiplied, Active{2.0}).gradient), 2.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(compared, Active{2.0}).gradient), 1.0);
  EXPECT_HOLDS(autodiff<Forward>(in_exponential, Duplicated{2.0, 1.0}).derivative != 0);
}

} // namespace
