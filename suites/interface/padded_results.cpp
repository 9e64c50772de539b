// Results with C arrays, and with floats that have padding behind them. The adjoints of such floats were lost where
// their seed's padding made an address of them.
#include <assay/autodiff.hpp>
#include <assay/jacobian.hpp>

#include "support/plugin_test.hpp"

#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace padded_results {

struct Part {
  float share;
  std::vector<double> numbers;
};
struct Arrays {
  double matrix[2][2];
  std::string name;
  std::vector<double> numbers;
  Part parts[2];
  int counts[3];
};
static Arrays arrays(const std::vector<double> &x) {
  return {{{x[0], x[0] * x[1]}, {x[1], 1}},
          "name",
          {x[0] * x[0]},
          {{float(x[0]), {x[1]}}, {float(x[1] * 3), {x[0] * 2}}},
          {1, 2, 3}};
}

struct Choices {
  std::optional<double> one;
  std::variant<int, double> other;
  std::array<std::pair<double, float>, 2> pairs;
};
static Choices choices(const std::vector<double> &x) {
  Choices result;
  result.one = x[0];
  result.other = x[0];
  result.pairs[0] = {x[0], float(x[0] * 2)};
  return result;
}

/// A copy whose padding makes an address of the word that a float begins.
template <class T>
struct WithPadding {
  explicit WithPadding(const T &value) {
    for (std::size_t word = 0; word < sizeof(T) / 8; ++word)
      std::memcpy(room + 8 * word, "\0\0\0\0\xfc\x7f\0\0", 8);
    object = new (room) T;
    assign(value);
  }
  ~WithPadding() { object->~T(); }
  void assign(const Choices &value) {
    object->one = value.one;
    object->other = value.other;
    for (std::size_t i = 0; i < 2; ++i) {
      object->pairs[i].first = value.pairs[i].first;
      object->pairs[i].second = value.pairs[i].second;
    }
  }
  alignas(T) char room[sizeof(T)];
  T *object;
};

} // namespace padded_results

using namespace padded_results;
using namespace assay;

PLUGIN_TEST(PaddedResults, OfCArrays) {
  const std::vector<double> x = {0.5, 2};
  const Arrays tangent = autodiff<Forward>(arrays, Duplicated{x, std::vector<double>{1, 0}}).derivative;
  EXPECT_CLOSE(tangent.matrix[0][0], 1);
  EXPECT_CLOSE(tangent.matrix[0][1], 2);
  EXPECT_CLOSE(tangent.numbers[0], 1);
  EXPECT_CLOSE(tangent.parts[0].share, 1);
  EXPECT_CLOSE(tangent.parts[1].numbers[0], 2);
  Arrays seed = arrays(x);
  for (auto &row : seed.matrix)
    for (double &number : row)
      number = 1;
  seed.numbers[0] = 10;
  seed.parts[0] = {1, {100}};
  seed.parts[1] = {2, {1000}};
  std::vector<double> gradient(2);
  autodiff<Reverse>(arrays, Seed{seed}, Duplicated{x, gradient});
  EXPECT_CLOSE(gradient[0], 1 + 2 + 10 + 1 + 2000);
  EXPECT_CLOSE(gradient[1], 0.5 + 1 + 100 + 6);
}
PLUGIN_TEST(PaddedResults, AreTheSameInBothModes) {
  const std::vector<double> x = {0.5, 2};
  const auto columns = jacobian<Forward>(arrays, x), rows = jacobian<Reverse>(arrays, x);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j)
      EXPECT_CLOSE(rows(i, j), columns(i, j));
}
PLUGIN_TEST(PaddedResults, SeedsWithAnythingBetweenTheirMembers) {
  const std::vector<double> x = {0.5};
  std::vector<double> gradient(1);
  const WithPadding<Choices> seed(choices(x));
  autodiff<Reverse>(choices, Seed{*seed.object}, Duplicated{x, gradient});
  EXPECT_CLOSE(gradient[0], 0.5 + 0.5 + 0.5 + 2 * 1.0);
}
