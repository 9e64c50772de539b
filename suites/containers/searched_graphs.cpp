// A search that calls itself with the number of a node and the set of those it has seen. Where forward and reverse mode
// are asked for in one file, the second was refused or wrote invalid code: its types were found in what the first had
// prepared.
#include "support/vector_program.hpp"
#include <unordered_set>
#include <vector>

namespace {

struct Edge {
  int to;
  double weight;
};

double search(const std::vector<Edge> *graph, int node, double sum, std::unordered_set<int> &seen) {
  seen.insert(node);
  double result = sum;
  for (const Edge &edge : graph[node])
    if (!seen.count(edge.to))
      result += search(graph, edge.to, sum * 0.5 + edge.weight, seen);
  return result;
}

double depth_first(const double *x) {
  std::vector<Edge> graph[4];
  for (int node = 0; node < 4; ++node)
    graph[node] = {{(node + 1) % 4, x[0] * node}, {(node + 2) % 4, x[1]}};
  std::unordered_set<int> seen;
  return search(graph, 0, x[0], seen);
}

/// One after the other: each derivative of a kind is asked for after one of the other kind.
void alternating(double *forward, double *gradient, const double *x) {
  constexpr int n = 2;
  for (int i = 0; i < n; ++i) {
    double tangent[n] = {};
    tangent[i] = 1;
    forward[i] = __enzyme_fwddiff<double>((void *)depth_first, enzyme_dup, x, tangent);
  }
  __enzyme_autodiff<void>((void *)depth_first, enzyme_dup, x, gradient);
}

} // namespace

PLUGIN_TEST(SearchedGraphs, ForwardModeBeforeReverseMode) {
  const double x[2] = {0.7, 0.4};
  double forward[2], gradient[2] = {};
  alternating(forward, gradient, x);
  for (int i = 0; i < 2; ++i)
    assay::suites::expect_near(gradient[i], forward[i], 1e-14, "gradient and tangent", __FILE__, __LINE__);
}
