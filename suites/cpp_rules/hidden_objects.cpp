// Rules whose arguments lead to other objects in ways that only their own code knows: private members, closures,
// type-erased functions. Each turn of a loop makes these objects anew; reverse sees their shadows as augmented_primal
// saw them.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <functional>
#include <list>
#include <memory>
#include <stdexcept>
#include <vector>
using namespace assay;
extern int enzyme_dup;
double __enzyme_autodiff_pair(void *, ...);

namespace {
using Vector = std::vector<double>;
using Erased = std::function<double(double)>;

void add_adjoints(const Erased &shadow, double adjoint);

// ---- private members

/// x -> x sum(weights)
class ByReference {
public:
  explicit ByReference(const Vector &weights) : weights_(weights) {}
  double operator()(double x) const {
    double sum = 0;
    for (double weight : weights_)
      sum += weight;
    return sum * x;
  }
  friend void add_adjoints(const ByReference &shadow, double adjoint) {
    for (const double &weight : shadow.weights_)
      const_cast<double &>(weight) += adjoint;
  }

private:
  const Vector &weights_;
};

class ByPointer {
public:
  explicit ByPointer(const Vector &weights) : weights_(&weights) {}
  double operator()(double x) const { return ByReference(*weights_)(x); }
  friend void add_adjoints(const ByPointer &shadow, double adjoint) {
    for (const double &weight : *shadow.weights_)
      const_cast<double &>(weight) += adjoint;
  }

private:
  const Vector *weights_;
};

template <class F>
[[gnu::noinline]] double value_at(const F &f, const double &x) {
  return f(x);
}
/// Ten times the derivative, to be told from the engine's own. What the call read is gone when reverse runs.
template <class F>
struct ApplyRule {
  static auto augmented_primal(const auto & /*config*/, auto f, auto x) {
    return AugmentedReturn{f.value(x.value), None{}, std::array{x.value, f.value(1)}};
  }
  static void reverse(const auto &config, auto dy, const auto &kept, auto f, auto x) {
    for (int lane : config.lanes()) {
      add_adjoints(f.shadow(lane), 10 * dy(lane) * kept[0]);
      if (x.is_active())
        x.shadow(lane) += 10 * dy(lane) * kept[1];
    }
  }
};
ASSAY_RULE(ApplyRule<ByReference>, value_at<ByReference>);
ASSAY_RULE(ApplyRule<ByPointer>, value_at<ByPointer>);

/// sum_t t^2 * sum(x) * y
template <class F>
double in_turns(const Vector &x, double y, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Vector multiple(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      multiple[i] = turn * x[i];
    const F f(multiple);
    sum += value_at(f, turn * y);
  }
  return sum;
}
template <class F>
void expect_gradient_in_turns() {
  Vector x{1, 2, 3}, dx(3);
  const auto r = autodiff<Reverse>(in_turns<F>, Duplicated{x, dx}, Active{2.0}, Const{3});
  for (double each : dx)
    EXPECT_SAME(each, 10 * 14 * 2);
  EXPECT_SAME(std::get<1>(r.gradient), 10 * 14 * 6);
}
PLUGIN_TEST(HiddenObjects, BehindPrivateReferences) {
  expect_gradient_in_turns<ByReference>();
}
PLUGIN_TEST(HiddenObjects, BehindPrivatePointers) {
  expect_gradient_in_turns<ByPointer>();
}
PLUGIN_TEST(HiddenObjects, OfEachLane) {
  Vector x{1, 2, 3};
  std::array<Vector, 2> dx{Vector(3), Vector(3)};
  double y = 2;
  std::array<double, 2> dy{};
  autodiff<Reverse>(
      +[](const Vector &v, const double &w, int turns) { return in_turns<ByPointer>(v, w, turns); },
      BatchDuplicated{x, dx}, BatchDuplicated{y, dy}, Const{3});
  for (const Vector &lane : dx)
    for (double each : lane)
      EXPECT_SAME(each, 10 * 14 * 2);
  for (double each : dy)
    EXPECT_SAME(each, 10 * 14 * 6);
}

// ---- functions of which the type says nothing

ASSAY_RULE(ApplyRule<Erased>, value_at<Erased>);

/// The target of the type-erased functions of these tests.
template <class Container>
struct SumOf {
  const Container &numbers;

  double operator()(double x) const {
    double sum = 0;
    each(numbers, [&](const double &number) { sum += number; });
    return sum * x;
  }
  static void each(const double &number, const auto &use) { use(number); }
  static void each(const Vector *vector, const auto &use) { each(*vector, use); }
  static void each(const std::unique_ptr<Vector> &owned, const auto &use) { each(*owned, use); }
  static void each(const auto &range, const auto &use) {
    for (const auto &part : range)
      each(part, use);
  }
};
template <class Container>
bool adds_adjoints(const Erased &shadow, double adjoint) {
  const auto *sum = shadow.target<SumOf<Container>>();
  if (sum)
    SumOf<Container>::each(sum->numbers, [&](const double &number) { const_cast<double &>(number) += adjoint; });
  return sum != nullptr;
}
using Rows = std::vector<Vector>;
using Parts = std::list<Vector>;
using Owned = std::unique_ptr<Vector>;
/// Pointers to vectors in memory of the stack.
struct Table {
  const Vector *const *first;
  const Vector *const *last;
  const Vector *const *begin() const { return first; }
  const Vector *const *end() const { return last; }
};
void add_adjoints(const Erased &shadow, double adjoint) {
  EXPECT_HOLDS(adds_adjoints<Vector>(shadow, adjoint) || adds_adjoints<Rows>(shadow, adjoint) ||
               adds_adjoints<Parts>(shadow, adjoint) || adds_adjoints<Owned>(shadow, adjoint) ||
               adds_adjoints<Table>(shadow, adjoint));
}

double erased_in_turns(const Vector &x, double y, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Vector multiple(x);
    for (double &each : multiple)
      each *= turn;
    const Erased f = SumOf<Vector>{multiple};
    sum += value_at(f, turn * y);
  }
  return sum;
}
PLUGIN_TEST(HiddenObjects, BehindTypeErasedClosures) {
  Vector x{1, 2, 3}, dx(3);
  const auto r = autodiff<Reverse>(erased_in_turns, Duplicated{x, dx}, Active{2.0}, Const{3});
  for (double each : dx)
    EXPECT_SAME(each, 10 * 14 * 2);
  EXPECT_SAME(std::get<1>(r.gradient), 10 * 14 * 6);
}

/// Vectors of vectors that grow: their shadows move.
double nested_in_turns(const Vector &x, int turns) {
  double sum = 0;
  std::vector<Vector> rows;
  for (int turn = 1; turn <= turns; ++turn) {
    rows.emplace_back(x);
    for (Vector &row : rows)
      for (double &each : row)
        each *= 2;
    const Erased f = SumOf<Rows>{rows};
    sum += value_at<Erased>(f, turn);
  }
  return sum;
}
/// sum_t t sum_(s <= t) 2^(t - s + 1)
double factor_of_nested(int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn)
    for (int row = 1; row <= turn; ++row)
      sum += turn * double(1 << (turn - row + 1));
  return sum;
}
PLUGIN_TEST(HiddenObjects, ThatOwnOthers) {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(nested_in_turns, Duplicated{x, dx}, Const{9});
  for (double each : dx)
    EXPECT_SAME(each, 10 * factor_of_nested(9));
}

/// Stack memory of a size that each turn chooses.
double tables_in_turns(const Vector &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Vector multiple(x);
    for (double &each : multiple)
      each *= turn;
    auto **pointers = static_cast<const Vector **>(__builtin_alloca(std::size_t(turn) * sizeof(Vector *)));
    for (int i = 0; i < turn; ++i)
      pointers[i] = &multiple;
    const Table table{pointers, pointers + turn};
    const Erased f = SumOf<Table>{table};
    sum += value_at<Erased>(f, 1);
  }
  return sum;
}
PLUGIN_TEST(HiddenObjects, InMemoryOfTheStack) {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(tables_in_turns, Duplicated{x, dx}, Const{4});
  for (double each : dx)
    EXPECT_SAME(each, 10 * 30);
}

// ---- in functions that are called

[[gnu::noinline]] double local_container(const Vector &x, double factor) {
  std::list<Vector> parts;
  for (double each : x)
    parts.emplace_back(1, each * factor);
  const Erased f = SumOf<Parts>{parts};
  const double first = value_at(f, 1.0);
  parts.pop_front();
  return first + value_at(f, 2.0);
}
double calls_in_turns(const Vector &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn)
    sum += local_container(x, turn);
  return sum;
}
PLUGIN_TEST(HiddenObjects, OfFunctionsThatHaveReturned) {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(calls_in_turns, Duplicated{x, dx}, Const{4});
  EXPECT_SAME(dx[0], 10 * 10 * 1);
  EXPECT_SAME(dx[1], 10 * 10 * 3);
  EXPECT_SAME(dx[2], 10 * 10 * 3);
}

[[gnu::noinline]] double recursive(const Vector &x, int depth) {
  Vector mine(x);
  for (double &each : mine)
    each *= depth;
  const Erased f = SumOf<Vector>{mine};
  const double rest = depth > 1 ? recursive(mine, depth - 1) : 0;
  return value_at(f, 1.0) + rest;
}
PLUGIN_TEST(HiddenObjects, OfRecursiveFunctions) {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(recursive, Duplicated{x, dx}, Const{4});
  for (double each : dx)
    EXPECT_SAME(each, 10 * (4 + 12 + 24 + 24));
}

// ---- shadows that the caller sees

struct Pair {
  Vector *first, *second;
};
/// Exchanges what the caller's pointers lead to; f is called before and after.
double changes_arguments(Pair *pair, double factor) {
  double sum = 0;
  for (int turn = 1; turn <= 3; ++turn) {
    const Erased f = SumOf<Vector>{*pair->first};
    sum += value_at(f, turn * factor);
    std::swap(pair->first, pair->second);
  }
  return sum;
}
PLUGIN_TEST(HiddenObjects, OfTheCallerAreLeftAsTheForwardSweepLeftThem) {
  Vector x{1, 2}, y{3, 4}, dx(2), dy(2);
  Pair pair{&x, &y}, shadow{&dx, &dy};
  const double slope =
      __enzyme_autodiff_pair(reinterpret_cast<void *>(changes_arguments), enzyme_dup, &pair, &shadow, 5.0);
  EXPECT_HOLDS(pair.first == &y && pair.second == &x);
  EXPECT_HOLDS(shadow.first == &dy && shadow.second == &dx);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_SAME(dx[i], 10.0 * 5 * (1 + 3));
    EXPECT_SAME(dy[i], 10.0 * 5 * 2);
  }
  EXPECT_SAME(slope, 10.0 * (3 + 2 * 7 + 3 * 3));
}

/// Halves that are called apart, twice before any reverse half.
double of_members(const Vector &x, double factor) {
  double sum = 0;
  for (int turn = 1; turn <= 2; ++turn) {
    Owned owned = std::make_unique<Vector>(x);
    for (double &each : *owned)
      each *= factor * turn;
    const Erased f = SumOf<Owned>{owned};
    sum += value_at<Erased>(f, turn);
    owned.reset();
  }
  return sum;
}
PLUGIN_TEST(HiddenObjects, OfSplitHalves) {
  Vector x{1, 2, 3}, dx(3);
  auto [forward, reverse] =
      autodiff_thunk<ReverseSplitNoPrimal, Active>(of_members, type<Duplicated<Vector>>, type<Active<double>>);
  auto first = forward(Duplicated{x, dx}, Active{2.0});
  auto second = forward(Duplicated{x, dx}, Active{3.0});
  reverse(Duplicated{x, dx}, Active{2.0}, 1.0, first.tape);
  for (double each : dx)
    EXPECT_SAME(each, 10 * 5 * 2);
  reverse(Duplicated{x, dx}, Active{3.0}, 1.0, second.tape);
  for (double each : dx)
    EXPECT_SAME(each, 10 * 5 * (2 + 3));
}

/// An exception leaves the differentiated function, or is caught in it.
double throws_for_some(const Vector &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Vector multiple(x);
    for (double &each : multiple)
      each *= turn;
    const Erased f = SumOf<Vector>{multiple};
    if (turn == 5)
      throw std::runtime_error("five");
    sum += value_at(f, 1.0);
  }
  return sum;
}
PLUGIN_TEST(HiddenObjects, WhereAnExceptionPasses) {
  Vector x{1, 2, 3}, dx(3);
  bool caught = false;
  try {
    autodiff<Reverse>(throws_for_some, Duplicated{x, dx}, Const{6});
  } catch (const std::runtime_error &) {
    caught = true;
  }
  EXPECT_HOLDS(caught);
  autodiff<Reverse>(throws_for_some, Duplicated{x, dx}, Const{4});
  for (double each : dx)
    EXPECT_SAME(each, 10 * 10);
}

/// Forward over reverse: d/dx of the gradient of sum_t (t x)^2 by a rule.
double squares_in_turns(double x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    const Vector multiple{turn * x};
    const ByPointer f(multiple);
    sum += value_at(f, turn * x);
  }
  return sum;
}
double slope_of_squares(double x, int turns) {
  return std::get<0>(autodiff_deferred<Reverse>(squares_in_turns, Active{x}, Const{turns}).gradient);
}
PLUGIN_TEST(HiddenObjects, InSecondOrder) {
  EXPECT_SAME(slope_of_squares(3, 3), 10 * 14 * 2 * 3.0);
  EXPECT_SAME(autodiff<Forward>(slope_of_squares, Duplicated{3.0, 1.0}, Const{3}).derivative, 10 * 14 * 2);
}
} // namespace
