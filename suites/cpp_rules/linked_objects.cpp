// Rules whose arguments refer to other objects, which each turn of a loop makes anew: reverse sees the shadows of these
// as augmented_primal left them.
#include "support/plugin_test.hpp"
#include <algorithm>
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <functional>
#include <memory>
#include <vector>
using namespace assay;
namespace {
using Vector = std::vector<double>;

// ---- one link of each kind

double sum_of_squares(const Vector &x) {
  double sum = 0;
  for (double each : x)
    sum += each * each;
  return sum;
}

struct ByReference {
  const Vector &x;
};
struct ByPointer {
  const Vector *x;
};
struct ByWrapper {
  std::reference_wrapper<const Vector> x;
};
const Vector &vector_of(const ByReference &view) {
  return view.x;
}
const Vector &vector_of(const ByPointer &view) {
  return *view.x;
}
const Vector &vector_of(const ByWrapper &view) {
  return view.x.get();
}

template <class View>
double squares(const View &view) {
  return sum_of_squares(vector_of(view));
}

/// Ten times the derivative, to be told from the engine's own.
struct SquaresRule {
  static auto augmented_primal(const auto & /*config*/, auto view) {
    return AugmentedReturn{squares(view.value), None{}, vector_of(view.value)};
  }
  static void reverse(const auto &config, auto dy, const Vector &x, auto view) {
    if (view.is_const())
      return;
    for (int lane : config.lanes())
      for (std::size_t i = 0; i < x.size(); ++i)
        const_cast<double &>(vector_of(view.shadow(lane))[i]) += 20 * dy(lane) * x[i];
  }
};
ASSAY_RULE(SquaresRule, squares<ByReference>);
ASSAY_RULE(SquaresRule, squares<ByPointer>);
ASSAY_RULE(SquaresRule, squares<ByWrapper>);

template <class View>
View view_of(const Vector &x) {
  if constexpr (std::is_same_v<View, ByPointer>)
    return {&x};
  else
    return {x};
}

/// sum_t t^2 |x|^2
template <class View>
double squares_of_multiples(const Vector &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Vector multiple(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      multiple[i] = turn * x[i];
    sum += squares(view_of<View>(multiple));
  }
  return sum;
}

template <class View>
void expect_gradient_of_squares() {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(squares_of_multiples<View>, Duplicated{x, dx}, Const{3});
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_SAME(dx[i], 20.0 * (1 + 4 + 9) * x[i]);
}
PLUGIN_TEST(LinkedObjects, BehindReferences) {
  expect_gradient_of_squares<ByReference>();
}
PLUGIN_TEST(LinkedObjects, BehindPointers) {
  expect_gradient_of_squares<ByPointer>();
}
PLUGIN_TEST(LinkedObjects, BehindReferenceWrappers) {
  expect_gradient_of_squares<ByWrapper>();
}

// ---- several links

struct Inner {
  const Vector &x;
};
struct Outer {
  const Inner *inner;
  const Vector *extra; ///< May be null.
  double scale;
};

double total(const Outer &outer) {
  double sum = sum_of_squares(outer.inner->x);
  if (outer.extra)
    for (double each : *outer.extra)
      sum += each;
  return outer.scale * sum;
}

struct TotalRule {
  struct Kept {
    Vector x, extra;
    double scale, sum;
  };
  static auto augmented_primal(const auto & /*config*/, auto outer) {
    const Outer &value = outer.value;
    const double result = total(value);
    return AugmentedReturn{
        result, None{}, Kept{value.inner->x, value.extra ? *value.extra : Vector(), value.scale, result / value.scale}};
  }
  static void reverse(const auto &config, auto dy, const Kept &kept, auto outer) {
    if (outer.is_const())
      return;
    for (int lane : config.lanes()) {
      auto &shadow = outer.shadow(lane);
      for (std::size_t i = 0; i < kept.x.size(); ++i)
        const_cast<double &>(shadow.inner->x[i]) += 20 * dy(lane) * kept.scale * kept.x[i];
      for (std::size_t i = 0; i < kept.extra.size(); ++i)
        const_cast<double &>((*shadow.extra)[i]) += 10 * dy(lane) * kept.scale;
      shadow.scale += 10 * dy(lane) * kept.sum;
    }
  }
};
ASSAY_RULE(TotalRule, total);

/// sum_t 2t (t^2 |x|^2 + t x_0 for odd t)
double totals(const Vector &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Vector multiple(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      multiple[i] = turn * x[i];
    const Vector more(std::size_t(turn), x[0]);
    const Inner inner{multiple};
    sum += total(Outer{&inner, turn % 2 ? &more : nullptr, 2.0 * turn});
  }
  return sum;
}
PLUGIN_TEST(LinkedObjects, BehindOthersThatAreLinked) {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(totals, Duplicated{x, dx}, Const{3});
  EXPECT_SAME(dx[1], 10 * 2 * 2.0 * 2 * (1 + 8 + 27));
  EXPECT_SAME(dx[0], 10 * (2.0 * 2 * (1 + 8 + 27) + 2.0 * 1 * 1 + 2.0 * 3 * 3));
}
PLUGIN_TEST(LinkedObjects, OfEachLane) {
  Vector x{1, 2, 3};
  std::array<Vector, 2> dx{Vector(3), Vector(3)};
  autodiff<Reverse>(totals, BatchDuplicated{x, dx}, Const{3});
  for (const Vector &lane : dx)
    EXPECT_SAME(lane[1], 10 * 2 * 2.0 * 2 * (1 + 8 + 27));
}

double totals_on_the_heap(const Vector &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    auto multiple = std::make_unique<Vector>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      (*multiple)[i] = turn * x[i];
    const auto inner = std::make_unique<Inner>(*multiple);
    sum += total(Outer{inner.get(), nullptr, 2.0 * turn});
  }
  return sum;
}
PLUGIN_TEST(LinkedObjects, OnTheHeap) {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(totals_on_the_heap, Duplicated{x, dx}, Const{3});
  EXPECT_SAME(dx[1], 10 * 2 * 2.0 * 2 * (1 + 8 + 27));
}

/// The same vector by two links, emptied behind the call.
double same_twice(const Vector &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Vector multiple(x);
    for (double &each : multiple)
      each *= turn;
    const Inner inner{multiple};
    sum += total(Outer{&inner, &multiple, 1});
    multiple.clear();
    multiple.shrink_to_fit();
  }
  return sum;
}
PLUGIN_TEST(LinkedObjects, ThatAreThereTwice) {
  Vector x{1, 2, 3}, dx(3);
  autodiff<Reverse>(same_twice, Duplicated{x, dx}, Const{3});
  EXPECT_SAME(dx[1], 10 * (2.0 * 2 * (1 + 4 + 9) + (1 + 2 + 3)));
}

/// Objects without derivative have no shadow, and are not written to.
double constants_behind(double scale, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    const Vector constants(3, turn);
    const Inner inner{constants};
    sum += total(Outer{&inner, nullptr, scale * turn});
  }
  return sum;
}
PLUGIN_TEST(LinkedObjects, WithoutDerivative) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(constants_behind, Active{2.0}, Const{3}).gradient),
              10.0 * 3 * (1 + 8 + 27));
}

// ---- a circle

struct Node {
  Vector x;
  Node *next;
  double scale;
};
double first_two(const Node &node) {
  return node.scale * node.x[0] + node.next->x[0];
}
struct FirstTwoRule {
  static auto augmented_primal(const auto & /*config*/, auto node) {
    return AugmentedReturn{first_two(node.value), None{}, std::array{node.value.scale, node.value.x[0]}};
  }
  static void reverse(const auto &config, auto dy, const auto &kept, auto node) {
    for (int lane : config.lanes()) {
      auto &shadow = node.shadow(lane);
      shadow.x[0] += 10 * dy(lane) * kept[0];
      shadow.next->x[0] += 10 * dy(lane);
      shadow.scale += 10 * dy(lane) * kept[1];
    }
  }
};
ASSAY_RULE(FirstTwoRule, first_two);

/// sum_t t^2 (x + x^2)
double circles(double x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Node one{Vector(2, x * turn), nullptr, 1}, other{Vector(2, x * x * turn), &one, 2};
    one.next = &other;
    sum += first_two(one) * turn;
  }
  return sum;
}
PLUGIN_TEST(LinkedObjects, InACircle) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(circles, Active{3.0}, Const{3}).gradient),
              10 * (1 + 4 + 9) * (1 + 2 * 3.0));
}

/// An owner that says by an integer how much it owns.
struct Counted {
  double *numbers = nullptr;
  long count = 0;
  int tag = 7;

  explicit Counted(long n) : numbers(new double[std::size_t(n)]), count(n) {}
  Counted(const Counted &other) : Counted(other.count) { std::copy_n(other.numbers, count, numbers); }
  Counted &operator=(const Counted &) = delete;
  ~Counted() { delete[] numbers; }
};
double counted_total(const Counted &x) {
  double sum = 0;
  for (long i = 0; i < x.count; ++i)
    sum += x.numbers[i];
  return sum;
}
struct CountedTotalRule {
  static void reverse(const auto &config, auto dy, None /*tape*/, auto x) {
    for (int lane : config.lanes()) {
      EXPECT_HOLDS(x.shadow(lane).tag == 7);
      for (long i = 0; i < x.shadow(lane).count; ++i)
        x.shadow(lane).numbers[i] += 10 * dy(lane);
    }
  }
};
ASSAY_RULE(CountedTotalRule, counted_total);

double copies_in_turns(const std::vector<double> &v, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    Counted part(std::min<long>(turn, long(v.size())));
    for (long i = 0; i < part.count; ++i)
      part.numbers[i] = turn * v[std::size_t(i)];
    const Counted copy(part);
    sum += counted_total(copy);
  }
  return sum;
}
PLUGIN_TEST(LinkedObjects, SayHowLargeTheirShadowsAre) {
  const std::vector<double> v{1, 2, 3};
  const std::array<double, 3> expected{10 * (1 + 2 + 3 + 4), 10 * (2 + 3 + 4), 10 * (3 + 4)};
  std::vector<double> dv(3);
  autodiff<Reverse>(copies_in_turns, Duplicated{v, dv}, Const{4});
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_SAME(dv[i], expected[i]);
  std::array<std::vector<double>, 2> lanes{std::vector<double>(3), std::vector<double>(3)};
  autodiff<Reverse>(copies_in_turns, Seed{std::array{1.0, 2.0}}, BatchDuplicated{v, lanes}, Const{4});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_SAME(lanes[0][i], expected[i]);
    EXPECT_SAME(lanes[1][i], 2 * expected[i]);
  }
}
} // namespace
