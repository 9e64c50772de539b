// Structs whose middle is an integer are moved by many algorithms, some of them without inlining: what is left of a
// copy once the integer is known begins within a word.
#include "support/vector_program.hpp"
#include <algorithm>
#include <numeric>
#include <vector>

namespace {

struct Sample {
  double value;
  int rank;
  double weight;
  bool operator==(const Sample &other) const { return rank == other.rank; }
};

double rearranged(const double *x, int n) {
  std::vector<Sample> samples;
  for (int i = 0; i < 20; ++i)
    samples.push_back({x[i % n] * i, i * 7 % 10, x[0] + i});
  const auto by_rank = [](const Sample &a, const Sample &b) { return a.rank < b.rank; };
  std::nth_element(samples.begin(), samples.begin() + 10, samples.end(), by_rank);
  std::partial_sort(samples.begin(), samples.begin() + 5, samples.end(), by_rank);
  std::rotate(samples.begin(), samples.begin() + 7, samples.end());
  std::stable_partition(samples.begin(), samples.end(), [](const Sample &sample) { return sample.rank % 2 != 0; });
  std::stable_sort(samples.begin(), samples.end(), by_rank);
  samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
  const Sample sum = std::accumulate(samples.begin(), samples.end(), Sample{0, 0, 1}, [](Sample a, const Sample &b) {
    return Sample{a.value + b.value * b.rank, a.rank + b.rank, a.weight + b.weight * b.value};
  });
  return sum.value * sum.weight * sum.rank * 1e-6;
}

struct Reading {
  double value, weight;
  const double *scale;
};
/// Merged, by functions that only move the addresses, and copy any number of structs at a time.
double merged(const double *x, int n) {
  std::vector<Reading> readings;
  for (int i = 0; i < 2 * n; ++i)
    readings.push_back({x[i % n] * (i * 7 % 24 + 1), x[(i + 1) % n], x + i % n});
  std::stable_sort(readings.begin(), readings.end(),
                   [](const Reading &a, const Reading &b) { return a.value < b.value; });
  double sum = 0;
  for (std::size_t i = 0; i < readings.size(); ++i)
    sum += readings[i].value * readings[i].weight * *readings[i].scale * (1 + 0.125 * static_cast<double>(i));
  return sum;
}

} // namespace

PLUGIN_TEST(PartlySortedStructs, AddressesAreMerged) {
  CHECK_FUNCTION(merged, 0.34, 0.83, 0.57);
}
PLUGIN_TEST(PartlySortedStructs, ManyAlgorithmsMoveThem) {
  CHECK_FUNCTION(rearranged, 1.1, 2.2, 0.3);
}
