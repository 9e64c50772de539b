// Several tangents in one call, through memory of the function's own: each lane is what a call with that tangent alone
// gives.
#include "support/plugin_test.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

template <int width>
struct Lanes {
  double tangent[width];
};

extern "C" {
extern int enzyme_dup, enzyme_const, enzyme_width;
}
template <class Result, class... Arguments>
Result __enzyme_fwddiff(void *, Arguments...);

namespace {

constexpr int capacity = 16;
using Numbers = std::array<double, capacity>;
double of_array(const double *x, double *out, int n) {
  double products[capacity];
  for (int i = 0; i < n; ++i)
    products[i] = x[i] * x[i] + std::sin(x[i]);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    products[i] *= products[(i + 1) % n];
    sum += products[i];
    out[i] = products[n - 1 - i] * 2;
  }
  return sum;
}

double of_vectors(const double *x, double *out, int n) {
  std::vector<double> start(x, x + n), grown;
  for (int i = 0; i < n; ++i)
    grown.push_back(start[i] * start[(i * 3) % n]);
  std::vector<double> copied = grown;
  for (double &value : copied)
    value = std::exp(-value * value);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += copied[i] * grown[i];
    out[i] = copied[i];
  }
  for (const double value : grown)
    sum += value / (1 + sum * sum);
  return sum;
}

double of_matrices(const double *x, double *out, int n) {
  double matrix[4][4], squared[4][4] = {};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      matrix[i][j] = x[(i * 4 + j) % n] * (i + 1);
  for (int power = 0; power < n % 3 + 1; ++power) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        double sum = 0;
        for (int k = 0; k < 4; ++k)
          sum += matrix[i][k] * matrix[k][j] * 0.1;
        squared[i][j] = sum;
      }
    std::memcpy(matrix, squared, sizeof matrix);
  }
  for (int i = 0; i < n; ++i)
    out[i] = squared[i % 4][(i * 2) % 4];
  return matrix[0][0] + matrix[3][3];
}

/// Either block may be either pointer, and they are copied to and from memory with separate shadows.
double of_moved_blocks(const double *x, double *out, int n) {
  auto *first = static_cast<double *>(std::calloc(n, sizeof(double)));
  auto *second = static_cast<double *>(std::malloc(n * sizeof(double)));
  std::memcpy(second, x, n * sizeof(double));
  double *to = n % 2 ? first : second, *from = n % 2 ? second : first;
  for (int i = 0; i < n; ++i)
    to[i] += from[i] * from[0];
  std::memmove(first, second, (n / 2) * sizeof(double));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += first[i] * second[i];
  std::memcpy(out, first, n * sizeof(double));
  std::memset(second, 0, n * sizeof(double));
  sum += second[n - 1];
  std::free(first);
  std::free(second);
  return sum;
}

double of_floats(const double *x, double *out, int n) {
  float rounded[capacity];
  for (int i = 0; i < n; ++i)
    rounded[i] = static_cast<float>(x[i] * x[i]);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += rounded[i] > 1 ? rounded[i] * x[i] : -rounded[i];
    out[i] = std::fmin(rounded[i], x[0]);
  }
  return sum;
}

struct Powers {
  double one, two, constant;
};
double of_structs(const double *x, double *out, int n) {
  Powers powers[capacity];
  for (int i = 0; i < n; ++i)
    powers[i] = {x[i], x[i] * x[i], 1};
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const Powers &other = powers[(i * 5) % n];
    sum += other.one * other.two + other.constant * std::pow(other.two + 1, other.one);
    out[i] = other.one / other.two;
  }
  return sum;
}

using Program = double (*)(const double *, double *, int);

Numbers direction(int lane) {
  Numbers result;
  for (int i = 0; i < capacity; ++i)
    result[i] = std::cos(lane * 1.3 + i * 0.7);
  return result;
}

template <Program program, std::size_t... lane>
void check_lanes(int n, std::index_sequence<lane...>) {
  constexpr int width = sizeof...(lane);
  Numbers x, out{};
  for (int i = 0; i < capacity; ++i)
    x[i] = 0.7 + 0.05 * i;
  std::array<Numbers, width> tangents{direction(lane)...}, changes{};
  const auto together = __enzyme_fwddiff<Lanes<width>>((void *)program, enzyme_width, width, enzyme_dup, x.data(),
                                                       tangents[lane].data()..., enzyme_dup, out.data(),
                                                       changes[lane].data()..., enzyme_const, n);
  for (int one = 0; one < width; ++one) {
    Numbers change{};
    const double alone = __enzyme_fwddiff<double>((void *)program, enzyme_dup, x.data(), tangents[one].data(),
                                                  enzyme_dup, out.data(), change.data(), enzyme_const, n);
    EXPECT_CLOSE(together.tangent[one], alone);
    for (int i = 0; i < n; ++i)
      EXPECT_CLOSE(changes[one][i], change[i]);
  }
}

template <Program program>
void check() {
  for (const int n : {5, 8, 13}) {
    check_lanes<program>(n, std::make_index_sequence<2>());
    check_lanes<program>(n, std::make_index_sequence<3>());
    check_lanes<program>(n, std::make_index_sequence<4>());
    check_lanes<program>(n, std::make_index_sequence<8>());
  }
}

} // namespace

PLUGIN_TEST(InterleavedTangents, OfAnArray) {
  check<of_array>();
}
PLUGIN_TEST(InterleavedTangents, OfVectors) {
  check<of_vectors>();
}
PLUGIN_TEST(InterleavedTangents, OfMatrices) {
  check<of_matrices>();
}
PLUGIN_TEST(InterleavedTangents, OfBlocksThatAreMoved) {
  check<of_moved_blocks>();
}
PLUGIN_TEST(InterleavedTangents, OfFloats) {
  check<of_floats>();
}
PLUGIN_TEST(InterleavedTangents, OfStructs) {
  check<of_structs>();
}
