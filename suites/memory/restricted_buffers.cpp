// Double buffering through restrict parameters: the noalias scopes of an inlined call hold in one iteration alone.
// Gradients were wrong at -O1 and above.
#include "support/vector_program.hpp"
#include <utility>
#include <vector>

namespace {

constexpr int cells = 8;

void step(double *__restrict next, double *__restrict now, double rate) {
  for (int j = 0; j < cells; ++j)
    next[j] = 0.1 * now[(j + 1) % cells] * now[j] * rate + 0.5 * now[(j + 1) % cells];
}

double of_rows(const double *x, int) {
  double rows[2][cells];
  for (int j = 0; j < cells; ++j)
    rows[0][j] = std::sin(j * x[0]);
  for (int t = 0; t < 7; ++t)
    step(rows[(t + 1) & 1], rows[t & 1], x[1]);
  double sum = 0;
  for (int j = 0; j < cells; ++j)
    sum += rows[1][j] * rows[1][j] * (j + 1);
  return 1000 * sum;
}

double of_vectors(const double *x, int) {
  std::vector<double> now(cells), next(cells);
  for (int j = 0; j < cells; ++j)
    now[j] = std::sin(j * x[0]);
  for (int t = 0; t < 7; ++t) {
    step(next.data(), now.data(), x[1]);
    std::swap(next, now);
  }
  double sum = 0;
  for (int j = 0; j < cells; ++j)
    sum += now[j] * now[j] * (j + 1);
  return 1000 * sum;
}

} // namespace

PLUGIN_TEST(RestrictedBuffers, OfRows) {
  CHECK_FUNCTION(of_rows, 0.83, 1.2);
}
PLUGIN_TEST(RestrictedBuffers, OfVectors) {
  CHECK_FUNCTION(of_vectors, 0.83, 1.2);
}
