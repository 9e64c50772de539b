// A hash table's head keeps a factor of type float among its links: it carries no derivative, whatever else the program
// computes with.
#include "support/vector_program.hpp"
#include <string>
#include <unordered_map>
#include <vector>

namespace {

double accumulated(const double *x, int n) {
  std::unordered_map<int, double> sums;
  for (int i = 0; i < 60; ++i) // rehashes on its way
    sums[i * i % 47] += x[i % n] * i;
  double result = 0;
  for (const auto &[key, sum] : sums)
    result += sum * sum * key * 1e-4;
  return result;
}

double inserted_and_erased(const double *x, int n) {
  std::unordered_map<int, double> values;
  values.max_load_factor(0.5F);
  values.reserve(8);
  for (int i = 0; i < n; ++i)
    values.insert({i * 10, x[i] * x[(i + 1) % n]});
  values.erase(10);
  values[20] *= x[0];
  const auto found = values.find(30);
  return (found != values.end() ? found->second : 0) + values.at(20) * double(values.size());
}

/// Text that is filled with characters lies where other memory has numbers.
double filled_text(const double *x, int n) {
  struct Entry {
    std::string name;
    double weight;
  };
  std::vector<Entry> entries;
  for (int i = 0; i < n; ++i)
    entries.push_back({std::string(std::size_t(20 + i), '-') + std::to_string(i), x[i] * x[0]});
  double result = 0;
  for (const Entry &entry : entries)
    result += entry.weight * entry.weight * double(entry.name.size());
  return result;
}

// Another function of the file that computes with another type: it exchanges nothing with the table.
[[maybe_unused]] float used_elsewhere(const float *values, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i] * values[i];
  return sum;
}

} // namespace

PLUGIN_TEST(HashTables, AccumulateByKey) {
  CHECK_FUNCTION(accumulated, 1.1, 2.2, 0.3, 0.7);
}
PLUGIN_TEST(HashTables, InsertFindAndErase) {
  CHECK_FUNCTION(inserted_and_erased, 1.1, 2.2, 0.3, 0.7);
  const float values[2] = {1, 2};
  EXPECT_CLOSE(used_elsewhere(values, 2), 5);
}
PLUGIN_TEST(HashTables, FilledTextBesideNumbers) {
  CHECK_FUNCTION(filled_text, 1.1, 2.2, 0.3, 0.7);
}
