// Globals that keep memory, filled and emptied by the program before, between and while it is differentiated: their
// shadows follow what became of them meanwhile.
#include "support/vector_program.hpp"
#include <cstdlib>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

namespace {

std::map<int, double> known_values;

double recurrence(int k, const double *x) {
  if (k < 2)
    return x[k];
  if (const auto known = known_values.find(k); known != known_values.end())
    return known->second;
  const double value = recurrence(k - 1, x) * 0.5 + recurrence(k - 2, x) * x[2];
  known_values[k] = value;
  return value;
}

double remembered(const double *x, int) {
  known_values.clear();
  const double result = recurrence(12, x);
  return result * result;
}

double remembered_locally(const double *x, int n) {
  static std::unordered_map<int, double> values;
  static std::list<double> order;
  values.clear();
  order.clear();
  for (int i = 0; i < 20; ++i) {
    values[i * 3] = x[i % n] * i;
    order.push_back(values[i] + x[0]);
  }
  double result = 0;
  for (double value : order)
    result = result * 0.9 + value * value * 0.01;
  return result;
}

struct Model {
  std::vector<std::vector<double>> rows;
  double scale = 0;
};

Model model;

/// Longer each time that it runs.
double grown(const double *x, int n) {
  model.rows.emplace_back();
  for (auto &row : model.rows)
    row.assign(x, x + n);
  model.scale = x[0];
  double result = 0;
  for (double number : model.rows.back())
    result += number * number * model.scale;
  return result;
}

double *workspace = nullptr;

double worked_out(const double *x, int n) {
  if (workspace == nullptr)
    workspace = static_cast<double *>(std::malloc(sizeof(double) * std::size_t(n)));
  for (int i = 0; i < n; ++i)
    workspace[i] = x[i] * x[(i + 1) % n];
  double result = 0;
  for (int i = 0; i < n; ++i)
    result += workspace[i] * workspace[n - 1 - i];
  return result;
}

} // namespace

PLUGIN_TEST(FilledGlobals, MapsRememberResults) {
  CHECK_FUNCTION(remembered, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(FilledGlobals, StaticsOfFunctionsRememberResults) {
  CHECK_FUNCTION(remembered_locally, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(FilledGlobals, NestedVectorsGrow) {
  CHECK_FUNCTION(grown, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(FilledGlobals, MemoryIsAllocatedByWhoComesFirst) {
  CHECK_FUNCTION(worked_out, 1.1, 2.2, 0.3);
}
