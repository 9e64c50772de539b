// Containers of std::pmr that allocate from the default resource, whose code is in the C++ library.
#include "support/vector_program.hpp"
#include <deque>
#include <memory_resource>
#include <vector>

namespace {

double in_a_vector(const double *x, int n) {
  std::pmr::vector<double> squares;
  for (int i = 0; i < n; ++i)
    squares.push_back(x[i] * x[i]);
  double sum = 0;
  for (const double square : squares)
    sum += std::sin(square);
  return sum;
}

double in_rows(const double *x, int n) {
  std::pmr::vector<std::pmr::vector<double>> rows(std::pmr::new_delete_resource());
  for (int i = 0; i < n; ++i) {
    rows.emplace_back();
    for (int j = 0; j <= i; ++j)
      rows.back().push_back(x[i] * x[j]);
  }
  double sum = 0;
  for (const auto &row : rows)
    for (const double product : row)
      sum = 0.5 * sum + product * product;
  return sum;
}

double in_a_queue(const double *x, int n) {
  std::pmr::deque<double> squares;
  for (int i = 0; i < n; ++i)
    squares.push_back(x[i] * x[i]);
  double sum = 0;
  for (; !squares.empty(); squares.pop_front())
    sum = 0.5 * sum + std::sin(squares.front());
  return sum;
}

} // namespace

PLUGIN_TEST(DefaultResource, AVectorGrows) {
  CHECK_FUNCTION(in_a_vector, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(DefaultResource, VectorsPassItOn) {
  CHECK_FUNCTION(in_rows, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(DefaultResource, AQueueAllocatesBlocks) {
  CHECK_FUNCTION(in_a_queue, 0.7, 1.5, 2.25);
}
