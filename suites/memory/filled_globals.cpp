// Globals that keep memory, filled and emptied by the program before, between and while it is differentiated: their
// shadows follow what became of them meanwhile.
#include "support/second_order.hpp"
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <list>
#include <malloc.h>
#include <map>
#include <sys/mman.h>
#include <unordered_map>
#include <vector>

namespace assay::suites {
struct Window {
  double *numbers;
  void *no_memory; ///< Nobody reads it.
};
Window window; // of external linkage: the compiler keeps both pointers
} // namespace assay::suites

using assay::suites::window;

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

double *table = nullptr;
constexpr std::size_t table_bytes = 2008;

double kept_in_table(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    table[i] = x[i] * x[(i + 1) % n];
  double result = 0;
  for (int i = 0; i < n; ++i)
    result += table[i] * table[n - 1 - i];
  return result;
}

double through_window(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    window.numbers[i] = x[i] * x[(i + 1) % n];
  double result = 0;
  for (int i = 0; i < n; ++i)
    result += window.numbers[i] * window.numbers[n - 1 - i];
  return result;
}

/// Its table of blocks has words that are left over from released ones.
std::deque<double> queue;

void push_and_pop(int count) {
  for (int i = 0; i < count; ++i)
    queue.push_back(i);
  for (int i = 0; i < count; ++i)
    queue.pop_front();
}

double through_queue(const double *x, int) {
  queue.push_back(x[0] * x[1]);
  queue.push_front(x[1] * x[1]);
  double result = 0;
  for (double value : queue)
    result = result * 0.3 + value * value;
  queue.pop_back();
  queue.pop_front();
  return result;
}

double fills_queue(const double *x, int) {
  queue.clear();
  for (int i = 0; i < 300; ++i)
    queue.push_back(x[0] * x[1] + i * 0.01);
  queue.push_front(x[1] * x[1]);
  double result = 0;
  for (double value : queue)
    result = result * 0.9 + value * value * 0.1;
  return result;
}

double in_moving_window(const double *x, int) {
  static std::deque<double> window_of_nine;
  window_of_nine.clear();
  double result = 0;
  for (int i = 0; i < 200; ++i) {
    window_of_nine.push_back(x[0] * x[1] + 0.01 * i);
    if (window_of_nine.size() > 9)
      window_of_nine.pop_front();
    result = 0.3 * result + window_of_nine.front() * window_of_nine.back();
  }
  return result;
}

std::size_t heap_in_use() {
  return ::mallinfo2().uordblks;
}

/// Leaves free blocks that are one step larger than the table, each between others that are in use.
void fill_heap_with_larger_gaps() {
  std::vector<void *> gaps;
  for (int i = 0; i < 64; ++i) {
    gaps.push_back(std::malloc(table_bytes + 16));
    static_cast<void>(std::malloc(table_bytes + 512));
  }
  for (void *gap : gaps)
    std::free(gap);
}

/// Both functions are x0^2 x1^2 * 2 of two numbers.
template <double (*program)(const double *, int)>
void check_gradient() {
  const double x[2] = {1.5, 0.5};
  double gradient[2] = {};
  __enzyme_autodiff<void>((void *)program, enzyme_dup, x, gradient, enzyme_const, 2);
  EXPECT_CLOSE(gradient[0], 4 * x[0] * x[1] * x[1]);
  EXPECT_CLOSE(gradient[1], 4 * x[0] * x[0] * x[1]);
}

/// Nodes in one block, with indices of others side by side, which look like addresses, and nodes with a row of numbers.
struct Node {
  double sum;
  int children[2];
  double *row;
};
Node *nodes = nullptr;
constexpr int inner_nodes = 7, all_nodes = 2 * inner_nodes + 1;

double summed_up(int index) {
  Node &node = nodes[index];
  if (index < inner_nodes)
    node.sum = summed_up(node.children[0]) * summed_up(node.children[1]) + 0.5 * summed_up(node.children[0]);
  else if (node.row)
    node.sum = node.row[0] * node.row[1];
  return node.sum;
}

double through_nodes(const double *x, int) {
  if (!nodes) {
    nodes = static_cast<Node *>(std::calloc(all_nodes, sizeof(Node)));
    for (int i = 0; i < all_nodes; ++i) {
      nodes[i].children[0] = 2 * i + 1;
      nodes[i].children[1] = 2 * i + 2;
      if (i % 4 == 3)
        nodes[i].row = static_cast<double *>(std::calloc(2, sizeof(double)));
    }
  }
  for (int i = inner_nodes; i < all_nodes; ++i) {
    nodes[i].sum = x[i % 2];
    if (nodes[i].row) {
      nodes[i].row[0] = x[0] + 0.1;
      nodes[i].row[1] = x[1] * x[0];
    }
  }
  return summed_up(0);
}

} // namespace

PLUGIN_TEST(FilledGlobals, LargerShadowsServeLaterCallsToo) {
  table = static_cast<double *>(std::calloc(1, table_bytes));
  fill_heap_with_larger_gaps();
  check_gradient<kept_in_table>();
  const std::size_t before = heap_in_use();
  for (int i = 0; i < 20; ++i)
    check_gradient<kept_in_table>();
  EXPECT_HOLDS(heap_in_use() == before);
}

PLUGIN_TEST(FilledGlobals, AddressesOfMemoryThatNobodyMayRead) {
  constexpr std::size_t page = 4096;
  void *forbidden = ::mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  window = {static_cast<double *>(std::calloc(4, sizeof(double))), static_cast<char *>(forbidden) + 64};
  errno = ERANGE;
  check_gradient<through_window>();
  EXPECT_HOLDS(errno == ERANGE);
  ::munmap(forbidden, page);
  errno = ERANGE;
  check_gradient<through_window>();
  EXPECT_HOLDS(errno == ERANGE);
}

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
PLUGIN_TEST(FilledGlobals, BlocksOfQueuesComeAndGoBetweenDerivatives) {
  for (int count : {1000, 77, 5000, 300}) {
    CHECK_FUNCTION(through_queue, 0.7, 1.3);
    CHECK_SECOND_ORDER(through_queue, 0.7, 1.3);
    push_and_pop(count);
    CHECK_FUNCTION(fills_queue, 0.7, 1.3);
    CHECK_SECOND_ORDER(fills_queue, 0.7, 1.3);
  }
}
PLUGIN_TEST(FilledGlobals, NodesHaveIndicesSideBySide) {
  for (int i = 0; i < 3; ++i) {
    CHECK_FUNCTION(through_nodes, 0.7, 0.9);
    CHECK_SECOND_ORDER(through_nodes, 0.7, 0.9);
  }
}
PLUGIN_TEST(FilledGlobals, ShadowsOfShadowsFollowAfterTheShadows) {
  for (int i = 0; i < 3; ++i) {
    CHECK_FUNCTION(in_moving_window, 0.7, 1.3);
    CHECK_SECOND_ORDER(in_moving_window, 0.7, 1.3);
  }
}
