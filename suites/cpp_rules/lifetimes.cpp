// What a rule keeps between its passes, and what it is told of the values that are read.
#include "support/heap_growth.hpp"
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/hessian.hpp>
#include <assay/rules.hpp>
#include <assay/thunk.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
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

// Objects that are made anew in each turn of a loop, in a function that is only known when the program runs: by the
// time of reverse, the shadow of each leads to that of the last one.

/// Its members are unknown to the library.
class Storage {
public:
  explicit Storage(std::size_t size) : size_(size), numbers_(new double[size]) {}
  Storage(const Storage &) = delete;
  ~Storage() { delete[] numbers_; }
  double &operator[](std::size_t i) { return numbers_[i]; }
  const double &operator[](std::size_t i) const { return numbers_[i]; }
  std::size_t size() const { return size_; }
  double scale = 1;

private:
  std::size_t size_;
  double *numbers_;
};
struct Labelled {
  std::string label;
  Numbers numbers;
  double scale;
};
struct Chosen {
  std::optional<Numbers> numbers;
  std::tuple<double, Numbers> pair;
  std::map<int, double> by_key;
  double scale;
};
/// With two floats in one word.
class Floats {
public:
  explicit Floats(float x, float y) : x(x), y(y) { numbers_.push_back(x * y); }
  float x, y;
  const float &product() const { return numbers_[0]; }
  float &product() { return numbers_[0]; }

private:
  std::vector<float> numbers_;
};

double sum_of(const Storage &x) {
  return x.scale * (x[0] + 3 * x[1]);
}
double sum_of(const Labelled &x) {
  return x.scale * (x.numbers[0] + 3 * x.numbers[1]);
}
double sum_of(const Chosen &x) {
  return x.scale * ((*x.numbers)[0] + 3 * std::get<1>(x.pair)[0] + std::get<0>(x.pair) * x.by_key.at(7));
}
double sum_of(const Floats &x) {
  return x.x + 2 * x.y + 3 * x.product();
}
/// A tape has the numbers, since the objects are gone by then.
struct SumRule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    using T = std::remove_cvref_t<decltype(x.value)>;
    if constexpr (std::is_same_v<T, Chosen>)
      return AugmentedReturn{sum_of(x.value), None{},
                             std::array{x.value.scale, (*x.value.numbers)[0], std::get<1>(x.value.pair)[0],
                                        std::get<0>(x.value.pair), x.value.by_key.at(7)}};
    else if constexpr (std::is_same_v<T, Storage>)
      return AugmentedReturn{sum_of(x.value), None{}, std::array{x.value.scale, x.value[0], x.value[1]}};
    else if constexpr (std::is_same_v<T, Labelled>)
      return AugmentedReturn{sum_of(x.value), None{},
                             std::array{x.value.scale, x.value.numbers[0], x.value.numbers[1]}};
    else
      return AugmentedReturn{sum_of(x.value)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x) {
    using T = std::remove_cvref_t<decltype(x.value)>;
    for (const int lane : config.lanes()) {
      auto &dx = x.shadow(lane);
      if constexpr (std::is_same_v<T, Floats>) {
        dx.x += float(dy(lane));
        dx.y += 2 * float(dy(lane));
        dx.product() += 3 * float(dy(lane));
      } else if constexpr (std::is_same_v<T, Chosen>) {
        dx.scale += (kept[1] + 3 * kept[2] + kept[3] * kept[4]) * dy(lane);
        (*dx.numbers)[0] += kept[0] * dy(lane);
        std::get<1>(dx.pair)[0] += 3 * kept[0] * dy(lane);
        std::get<0>(dx.pair) += kept[0] * kept[4] * dy(lane);
        dx.by_key.begin()->second += kept[0] * kept[3] * dy(lane);
      } else {
        dx.scale += (kept[1] + 3 * kept[2]) * dy(lane);
        if constexpr (std::is_same_v<T, Storage>) {
          dx[0] += kept[0] * dy(lane);
          dx[1] += 3 * kept[0] * dy(lane);
        } else {
          dx.numbers[0] += kept[0] * dy(lane);
          dx.numbers[1] += 3 * kept[0] * dy(lane);
        }
      }
    }
  }
};
ASSAY_RULE(SumRule, rules::overload<double(const Storage &)>(sum_of), rules::overload<double(const Labelled &)>(sum_of),
           rules::overload<double(const Chosen &)>(sum_of), rules::overload<double(const Floats &)>(sum_of));

double by_storage(const Numbers &x) {
  Storage storage(2);
  storage[0] = x[0] * x[0];
  storage[1] = x[1];
  storage.scale = x[0];
  return sum_of(storage);
}
double by_labelled(const Numbers &x) {
  return sum_of(Labelled{std::string(x.size() * 20, 'x'), {x[0] * x[0], x[1]}, x[0]});
}
double by_chosen(const Numbers &x) {
  return sum_of(Chosen{Numbers{x[0] * x[0]}, {0.0, Numbers{x[1]}}, {{7, 2.0}}, x[0]});
}
double by_floats(const Numbers &x) {
  return sum_of(Floats(float(x[0]), float(x[1])));
}

double in_turns(double (*f)(const Numbers &), const Numbers &x, int turns) {
  double sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const double y = f(x);
    sum += y * y * (turn + 1);
  }
  return sum;
}

/// Of turns * (turns + 1) / 2 * f(x)^2.
void expect_turns(double (*f)(const Numbers &), double value, const Numbers &derivatives) {
  const Numbers x{2, 5};
  Numbers dx(2);
  autodiff<Reverse>(in_turns, Const{f}, Duplicated{x, dx}, Const{3});
  for (std::size_t i = 0; i < dx.size(); ++i)
    EXPECT_SAME(dx[i], 12 * value * derivatives[i]);
}

PLUGIN_TEST(RuleArguments, OfEachTurnOfALoopHaveShadowsOfTheirOwn) {
  expect_turns(by_labelled, 38, {27, 6}); // x0 (x0^2 + 3 x1)
  expect_turns(by_chosen, 38, {27, 6});
}

PLUGIN_TEST(RuleArguments, OfEachTurnOfALoopHaveShadowsOfTheirOwnInClassesOfUnknownMembers) {
  expect_turns(by_storage, 38, {27, 6});
  expect_turns(by_floats, 42, {16, 8}); // x0 + 2 x1 + 3 x0 x1
}

PLUGIN_TEST(RuleArguments, OfClassesOfUnknownMembersHaveSecondDerivatives) {
  volatile int known_late = 3;
  const int turns = known_late;
  const Numbers x{2, 5}, direction{1, 2};
  for (auto *f : {by_storage, by_labelled}) {
    const auto once = hvp([f](const Numbers &at) { return f(at); }, x, direction);
    EXPECT_CLOSE(once[0], 18); // of x0^3 + 3 x0 x1
    EXPECT_CLOSE(once[1], 3);
    const auto in_loop = hvp([f, turns](const Numbers &at) { return in_turns(f, at, turns); }, x, direction);
    EXPECT_CLOSE(in_loop[0], 20844);
    EXPECT_CLOSE(in_loop[1], 4176);
  }
}

/// A callee's tape is taken and given back by functions of which some are differentiated anew and others are not.
PLUGIN_TEST(RuleArguments, OfClassesOfUnknownMembersGiveTapesBackInSecondDerivatives) {
  static volatile int known_late = 2;
  EXPECT_NO_GROWTH([] {
    const int turns = known_late;
    const Numbers x{2, 5}, direction{1, 2};
    for (auto *f : {by_storage, by_labelled, by_chosen})
      hvp([f, turns](const Numbers &at) { return in_turns(f, at, turns); }, x, direction);
  });
}

/// An object that is given by a pointer.
struct Slice {
  double *numbers;
  int count;
};
double sum_of_slice(const Slice *slice) {
  double sum = 0;
  for (int i = 0; i < slice->count; ++i)
    sum += slice->numbers[i];
  return sum;
}
struct SliceRule {
  static auto augmented_primal(const auto & /*config*/, auto slice) {
    return AugmentedReturn{sum_of_slice(slice.value), None{}, slice.value->count};
  }
  static void reverse(const auto &config, const auto &dy, int count, auto slice) {
    for (const int lane : config.lanes())
      for (int i = 0; i < count; ++i)
        slice.shadow(lane)->numbers[i] += dy(lane);
  }
};
ASSAY_RULE(SliceRule, sum_of_slice);
double by_slice(const Numbers &x) {
  Numbers squares = x;
  for (double &each : squares)
    each *= each;
  const Slice slice{squares.data(), 2};
  return sum_of_slice(&slice);
}

PLUGIN_TEST(RuleArguments, OfEachTurnOfALoopHaveShadowsOfTheirOwnBehindPointers) {
  expect_turns(by_slice, 29, {4, 10});
}

struct Parts {
  Numbers squares;
  std::string label;
  std::optional<Numbers> cubes;
};
Parts parts_of(const Numbers &x) {
  return {{x[0] * x[0], x[1] * x[1]}, "parts", Numbers{x[0] * x[0] * x[0]}};
}
struct PartsRule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{parts_of(x.value), None{}, std::array{x.value[0], x.value[1]}};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x) {
    for (const int lane : config.lanes()) {
      x.shadow(lane)[0] += 2 * kept[0] * dy(lane).squares[0] + 3 * kept[0] * kept[0] * (*dy(lane).cubes)[0];
      x.shadow(lane)[1] += 2 * kept[1] * dy(lane).squares[1];
    }
  }
};
ASSAY_RULE(PartsRule, parts_of);
double by_parts(const Numbers &x) {
  const Parts parts = parts_of(x);
  return parts.squares[0] + parts.squares[1] * (*parts.cubes)[0];
}

PLUGIN_TEST(RuleResults, OfEachTurnOfALoopHaveShadowsOfTheirOwn) {
  expect_turns(by_parts, 204, {304, 80}); // x0^2 + x1^2 x0^3
}

} // namespace
