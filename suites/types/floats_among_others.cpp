// Floats at places where addresses, integers or doubles are at other times, in programs that compute with doubles, too.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <any>
#include <map>
#include <new>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct Single {
  float value;
};
struct Counted {
  int count;
  float value;
};
struct Address {
  const float *place;
};
struct Wide {
  double value;
  float one, other;
};

/// One multiplication makes both floats of the pair.
double twice_in_a_word(float x) {
  const std::unordered_map<int, std::pair<float, Single>> pairs{{9, {x, Single{x}}}};
  double sum = 0;
  for (const auto &[key, pair] : pairs)
    sum += pair.first + double(pair.second.value) * 0.5;
  return sum;
}

/// The nodes of the target are used again.
double assigned_map(float x) {
  const std::map<int, float> source{{4, x}, {5, 2 * x}};
  std::map<int, float> target{{6, x}};
  target = source;
  double sum = 0;
  for (const auto &[key, value] : target)
    sum += double(key) * double(value);
  return sum;
}

double address_before_a_float(float x) {
  alignas(8) static char buffer[8];
  const float half = x * 0.5F;
  double sum = *(new (buffer) Address{&half})->place;
  sum += (new (buffer) Single{x})->value;
  return sum;
}

double address_before_a_double(double x) {
  alignas(8) static char buffer[8];
  const float half = float(x) * 0.5F;
  double sum = *(new (buffer) Address{&half})->place;
  sum += *(new (buffer) double(x)) * x;
  return sum;
}

double zero_over_a_float(float x) {
  std::vector<std::any> values;
  for (int i = 0; i < 3; ++i) {
    values.emplace_back(Single{x});
    if (i % 2 == 1)
      values.back() = std::any(Single{0});
  }
  double sum = 0;
  for (const std::any &value : values)
    sum += std::any_cast<Single>(&value)->value;
  return sum;
}

double constant_beside_an_integer(float x) {
  using Entry = std::tuple<Counted, const char *, Single>;
  std::map<int, Entry> entries{{3, Entry(Counted{-1, x}, "a", Single{x})}};
  if (x > 0.5F)
    entries =
        std::map<int, Entry>{{6, Entry(Counted{2, 1.25F}, "b", Single{x})}, {7, Entry(Counted{5, x}, "c", Single{x})}};
  double sum = 0;
  for (const auto &[key, entry] : entries)
    sum += double(std::get<0>(entry).value) * 0.5 + std::get<0>(entry).count + double(std::get<2>(entry).value);
  return sum;
}

double large_integer(double x) {
  using Value = std::variant<Counted, int, Wide>;
  const std::map<int, Value> values{{4, Value(100000000)}, {5, Value(-3)}, {6, Value(Wide{x, float(x), 1})}};
  double sum = 0;
  for (const auto &[key, value] : values)
    sum += value.index() == 1 ? std::get<1>(value) * 0.125 : std::get<2>(value).value;
  return sum;
}

} // namespace

#define EXPECT_SLOPE(function, slope)                                                                                  \
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)(function), 2.0F), slope);                                       \
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)(function), 2.0F, 1.0F), slope)

PLUGIN_TEST(FloatsAmongOthers, AreStoredTwiceInAWord) {
  EXPECT_SLOPE(twice_in_a_word, 1.5F);
}
PLUGIN_TEST(FloatsAmongOthers, AreAssignedToAMapThatHasNodes) {
  EXPECT_SLOPE(assigned_map, 14.0F);
}
PLUGIN_TEST(FloatsAmongOthers, FollowAnAddressInAStaticBuffer) {
  EXPECT_SLOPE(address_before_a_float, 1.5F);
}
PLUGIN_TEST(FloatsAmongOthers, EndWhereZeroIsStored) {
  EXPECT_SLOPE(zero_over_a_float, 2.0F);
}
PLUGIN_TEST(FloatsAmongOthers, AreConstantsBesideIntegers) {
  EXPECT_SLOPE(constant_beside_an_integer, 2.5F);
}
PLUGIN_TEST(FloatsAmongOthers, HaveNoTangentWhereIntegersAre) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)large_integer, 2.0), 1.0);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)large_integer, 2.0, 1.0), 1.0);
}
/// An address that is left in the shadow is a very small number, but not zero.
PLUGIN_TEST(FloatsAmongOthers, LeaveNothingOfAnAddressToADouble) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)address_before_a_double, 2.0), 4.5);
}
