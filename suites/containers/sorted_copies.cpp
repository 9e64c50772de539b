// Structs in which a float has padding or another float beside it. A vector of them is copied and the copy sorted, and
// both are used afterwards, so that adjoints of the copy are added to those that the originals have already.
#include "support/vector_program.hpp"
#include <algorithm>
#include <vector>

namespace {

struct Padded {
  int index;
  double key;
  float weight;
  double value;
};

struct Paired {
  int index;
  double key;
  float weight, shift;
  double value;
};

struct HasSmallerKey {
  template <class Record>
  bool operator()(const Record &one, const Record &other) const {
    return one.key < other.key;
  }
};

[[maybe_unused]] double padded(const double *x, int n) {
  std::vector<Padded> all;
  for (int i = 0; i < n; ++i)
    all.push_back({i, x[i], static_cast<float>(i) * 0.25F, x[i] * x[(i + 2) % n]});
  std::vector<Padded> sorted = all;
  std::sort(sorted.begin(), sorted.end(), HasSmallerKey{});
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sorted[i].value * (i + 1) * all[i].value * sorted[i].weight + all[i].key * sorted[i].index;
  return sum;
}

double paired(const double *x, int n) {
  std::vector<Paired> all;
  for (int i = 0; i < n; ++i)
    all.push_back({i, x[i], static_cast<float>(i) * 0.25F, 0.5F, x[i] * x[(i + 2) % n]});
  std::vector<Paired> sorted = all;
  std::sort(sorted.begin(), sorted.end(), HasSmallerKey{});
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sorted[i].value * (i + 1) * all[i].value * (sorted[i].weight + all[i].shift) + all[i].key * sorted[i].index;
  return sum;
}

} // namespace

#ifndef SUITE_IS_AT_O3 // where nothing tells the padding, and the program stops with its message
PLUGIN_TEST(SortedCopies, FloatsHavePaddingBeside) {
  CHECK_FUNCTION(padded, 0.7, 0.3, 0.9, 0.5, 0.4);
}
#endif
PLUGIN_TEST(SortedCopies, FloatsStandInPairs) {
  CHECK_FUNCTION(paired, 0.7, 0.3, 0.9, 0.5, 0.4);
}
