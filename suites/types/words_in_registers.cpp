// Words that LLVM keeps in registers and that are several things in turn: a tag beside a float, two floats, or an
// address, as small closures and unions have them. Each program is written once for all types of numbers; its gradient
// in floats is that of central differences in doubles.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include "support/vector_program.hpp"
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace {

using assay::suites::expect_near_element;

/// A number beside its tag: one word, where both are floats.
template <class T>
struct Tagged {
  int tag;
  union {
    T number;
    int count;
  };
};
template <class T>
Tagged<T> number(T value) {
  Tagged<T> tagged;
  tagged.tag = 0;
  tagged.number = value;
  return tagged;
}
template <class T>
Tagged<T> count(int value) {
  Tagged<T> tagged;
  tagged.tag = 1;
  tagged.count = value;
  return tagged;
}
template <class T>
T value_of(const Tagged<T> &tagged) {
  return tagged.tag ? T(tagged.count) : tagged.number;
}
template <class T>
T two_tagged(const T *x, int n) {
  Tagged<T> a[2];
  T sum = 0;
  for (int round = 0; round < n; ++round) {
    for (int i = 0; i < 2; ++i)
      a[i] = (i + round) % 2 ? number(x[i] * x[i]) : count<T>(3 * (i + 1));
    sum += value_of(a[0]) * value_of(a[1]);
    if (a[0].tag < a[1].tag)
      std::swap(a[0], a[1]);
    sum += value_of(a[0]);
  }
  return sum;
}
template <class T>
T sorted_by_tag(const T *x, int n) {
  Tagged<T> a[9];
  T sum = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 9; ++i)
      a[i] = (i + round) % 2 ? number(x[i % n] * x[(i + round) % n]) : count<T>(-7 * (i + 1));
    for (int i = 0; i < 9; ++i)
      sum += value_of(a[i]) * x[i % n] * T(i + 1 + round);
    for (int i = 0; i < 8; ++i)
      if (a[i].tag < a[i + 1].tag)
        std::swap(a[i], a[i + 1]);
    for (int i = 0; i < 9; ++i)
      sum += value_of(a[i]) * T(i + 1 + round);
  }
  return sum / T(100);
}

/// A variant of a float is five bytes, which go through registers as one integer.
template <class T>
T variants_in_order(const T *x, int n) {
  using Variant = std::variant<T, int>;
  std::array<Variant, 6> items;
  for (int k = 0; k < 6; ++k)
    items[unsigned(k)] = k % 2 ? Variant(x[k % n] * 2) : Variant(k);
  for (unsigned k = 0; k + 1 < 6; ++k)
    if (items[k].index() > items[k + 1].index())
      std::swap(items[k], items[k + 1]);
  T sum = 0;
  for (unsigned k = 0; k < 6; ++k)
    sum += std::visit([&](auto item) { return T(item) * x[0]; }, items[k]) * T(k + 1);
  return sum;
}

template <class T>
using Step = std::function<T(T)>;

template <class T>
Step<T> pair_or_four(const T *x, int i) {
  const T a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3];
  if (i % 2)
    return [a, b](T t) { return a * t + b * b; };
  return [a, b, c, d](T t) { return a * t + b * c * d; };
}
template <class T>
T assigned_closures(const T *x, int n) {
  Step<T> step;
  T sum = 0;
  for (int i = 0; i + 3 < n; ++i) {
    step = pair_or_four(x, i);
    sum += step(x[0] * T(0.5));
  }
  return sum;
}
/// Two floats are in the closure itself, five behind an address.
template <class T>
void set_pair_or_five(Step<T> &step, const T *x, int i) {
  const T a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], e = x[i + 4];
  if (i % 2)
    step = [a, b](T t) { return a * t + b * b; };
  else
    step = [a, b, c, d, e](T t) { return a * t + b * c * d * e; };
}
template <class T>
T exchanged_closures(const T *x, int) {
  Step<T> steps[3];
  for (int i = 0; i < 3; ++i)
    set_pair_or_five(steps[i], x, i);
  std::swap(steps[0], steps[1]);
  const Step<T> copy = steps[1];
  T sum = copy(2);
  for (auto &step : steps)
    sum += step(T(0.25));
  return sum;
}
template <class T>
T best_closure(const T *x, int) {
  std::vector<Step<T>> steps(3);
  for (int i = 0; i < 3; ++i)
    set_pair_or_five(steps[unsigned(i)], x, i);
  Step<T> best = steps[0];
  T sum = 0;
  for (auto &step : steps) {
    const T value = step(x[1]);
    sum += value * value;
    if (value > T(0.5))
      std::swap(best, step);
  }
  for (auto &step : steps)
    sum += step(T(0.25));
  return sum + best(x[0]);
}

template <float (*in_floats)(const float *, int), double (*in_doubles)(const double *, int), std::size_t N>
void check(const std::array<float, N> &x, int line) {
  std::array<float, N> input = x, gradient{};
  __enzyme_autodiff<void>((void *)in_floats, enzyme_dup, input.data(), gradient.data(), enzyme_const, int(N));
  for (std::size_t i = 0; i < N; ++i) {
    const double expected = assay::suites::central_difference([&](double change) {
      std::array<double, N> moved;
      std::copy(x.begin(), x.end(), moved.begin());
      moved[i] += change;
      return in_doubles(moved.data(), int(N));
    });
    expect_near_element(double(gradient[i]), expected, 1e-4, "reverse gradient", i, __FILE__, line);
    std::array<float, N> tangent{};
    tangent[i] = 1;
    const float forward =
        __enzyme_fwddiff<float>((void *)in_floats, enzyme_dup, input.data(), tangent.data(), enzyme_const, int(N));
    expect_near_element(double(forward), expected, 1e-4, "forward tangent", i, __FILE__, line);
  }
}
#define CHECK_FLOATS(program, ...) check<program<float>, program<double>>(std::array{__VA_ARGS__}, __LINE__)

/// A variable of a union type that begins with a number is copied as one, also where it is an address.
struct NumberOrAddress {
  int tag;
  union {
    double number;
    double *place;
  };
};
double growing_array(const double *x, int n) {
  auto *items = static_cast<NumberOrAddress *>(std::malloc(2 * sizeof(NumberOrAddress)));
  int room = 2, count = 0;
  double store[4];
  for (int k = 0; k < 6; ++k) {
    if (count == room)
      items = static_cast<NumberOrAddress *>(std::realloc(items, unsigned(room *= 2) * sizeof(NumberOrAddress)));
    NumberOrAddress item;
    item.tag = k % 2;
    if (item.tag) {
      item.number = x[k % n] * x[0];
    } else {
      store[k % 4] = x[1] * x[2];
      item.place = store + k % 4;
    }
    items[count++] = item;
  }
  double sum = 0;
  for (int k = 0; k < count; ++k)
    sum += (items[k].tag ? items[k].number * items[k].number : *items[k].place * 2) * double(k + 1);
  std::free(items);
  return sum;
}
NumberOrAddress item_of(const double *x, double *store, int k) {
  NumberOrAddress item;
  item.tag = k % 2;
  if (item.tag) {
    item.number = x[k % 3] * x[0];
  } else {
    store[k % 4] = x[1] * x[2];
    item.place = store + k % 4;
  }
  return item;
}
double array_grown_once(const double *x, int) {
  auto *items = static_cast<NumberOrAddress *>(std::malloc(4 * sizeof(NumberOrAddress)));
  int count = 0;
  double store[4];
  for (int k = 0; k < 4; ++k)
    items[count++] = item_of(x, store, k);
  items = static_cast<NumberOrAddress *>(std::realloc(items, 8 * sizeof(NumberOrAddress)));
  for (int k = 4; k < 8; ++k)
    items[count++] = item_of(x, store, k);
  double sum = 0;
  for (int k = 0; k < count; ++k)
    sum += (items[k].tag ? items[k].number * items[k].number : *items[k].place * 2) * double(k + 1);
  std::free(items);
  return sum;
}

/// The array is copied as it grows, before anything tells that there are addresses in it.
struct AnyMember {
  int tag;
  union {
    double number;
    float halves[2];
    double *place;
  };
};
double grown_array_of_unions(const double *x, int n) {
  auto *items = static_cast<AnyMember *>(std::malloc(4 * sizeof(AnyMember)));
  int room = 4, count = 0;
  double store[4];
  for (int k = 0; k < 14; ++k) {
    if (count == room)
      items = static_cast<AnyMember *>(std::realloc(items, unsigned(room *= 2) * sizeof(AnyMember)));
    AnyMember item;
    item.tag = k % 2;
    if (item.tag) {
      item.number = x[k % n] * x[0];
    } else {
      store[k % 4] = x[1] * x[2];
      item.place = store + k % 4;
    }
    items[count++] = item;
  }
  auto *copy = static_cast<AnyMember *>(std::malloc(unsigned(count) * sizeof(AnyMember)));
  std::memcpy(copy, items, unsigned(count) * sizeof(AnyMember));
  std::free(items);
  double sum = 0;
  for (int k = 0; k < count; ++k)
    switch (copy[k].tag) {
    case 0:
      sum += *copy[k].place * 2 * double(k + 1);
      break;
    case 1:
      sum += copy[k].number * copy[k].number * double(k + 1);
      break;
    default:
      sum += double(copy[k].halves[0] * copy[k].halves[1]);
    }
  std::free(copy);
  return sum;
}

/// Integers that look like floats, and are computed with as the bits of floats may be, beside doubles.
struct IntegersOrNumber {
  int tag;
  union {
    double number;
    int counts[2];
    float halves[2];
  };
};
double large_integers(const double *x, int n) {
  std::vector<IntegersOrNumber> items;
  for (int k = 0; k < 14; ++k) {
    IntegersOrNumber item;
    item.tag = k % 2;
    if (item.tag) {
      item.number = x[k % n] * x[0];
    } else {
      item.counts[0] = 0x3F800000 + k;
      item.counts[1] = 0x40000000 + 2 * k;
    }
    items.push_back(item);
  }
  double sum = 0;
  for (const auto &item : items)
    switch (item.tag) {
    case 0:
      sum += x[0] * (item.counts[0] - 0x3F800000) + x[1] * (item.counts[1] - 0x40000000);
      break;
    case 1:
      sum += item.number * item.number;
      break;
    default:
      sum += double(item.halves[0] * item.halves[1]);
    }
  return sum;
}

} // namespace

PLUGIN_TEST(WordsInRegisters, AreFloatsBesideTags) {
  CHECK_FLOATS(two_tagged, 0.7F, 0.4F, 1.3F);
  CHECK_FLOATS(sorted_by_tag, 0.7F, 0.4F, 1.3F);
  CHECK_FLOATS(variants_in_order, 0.7F, 0.4F, 1.3F);
}
PLUGIN_TEST(WordsInRegisters, AreClosuresOfTwoFloats) {
  CHECK_FLOATS(assigned_closures, 0.5F, 1.1F, 0.2F, 0.9F, 0.4F, 1.2F, 0.7F, 0.3F);
  CHECK_FLOATS(exchanged_closures, 0.5F, 1.1F, 0.2F, 0.9F, 0.4F, 1.2F, 0.7F);
  CHECK_FLOATS(best_closure, 0.5F, 1.1F, 0.2F, 0.9F, 0.4F, 1.2F, 0.7F);
}
PLUGIN_TEST(WordsInRegisters, AreNumbersOrAddressesInGrowingArrays) {
  CHECK_FUNCTION(growing_array, 0.7, 0.4, 1.3);
  CHECK_FUNCTION(array_grown_once, 0.7, 0.4, 1.3);
  CHECK_FUNCTION(grown_array_of_unions, 0.7, 0.4, 1.3);
}
PLUGIN_TEST(WordsInRegisters, AreIntegersThatLookLikeFloats) {
  CHECK_FUNCTION(large_integers, 0.7, 0.4, 1.3);
}
