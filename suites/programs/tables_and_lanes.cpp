// Pointers to constant tables beside pointers to active memory, and vectors that the optimiser takes apart in wide
// integers: random programs found what was wrong here.
#include "support/vector_program.hpp"

namespace {

const double table[3] = {0.25, 0.5, 2};
double state[3] = {1, 2, 3};
const double *const tables[2] = {table, table + 1};
const double *moving = table;

struct View {
  int first;
  const double *numbers;
};
const View views[2] = {{1, table}, {0, table + 1}};

// The shadow of the array was made of null pointers.
double array_of_tables(const double *x, int n) {
  const double *rows[3] = {table, table, table};
  rows[2] = x;
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += rows[i][0] * rows[(i + n) % 3][1] * x[i];
  return sum;
}

double structs_with_tables(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    View view = views[i];
    if (i < n - 2)
      view.numbers = x;
    sum += view.numbers[view.first] * view.numbers[0] * x[i];
  }
  return sum;
}

double choice_of_arrays(const double *x, int n) {
  const double *own[2] = {x, x + 1};
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double *const *rows = i % 2 ? own : tables;
    sum += rows[0][1] * x[i] + rows[1][0] * x[0];
  }
  return sum;
}

double tables_beside_globals(const double *x, int n) {
  const double *rows[2] = {table, state};
  state[0] = x[0];
  state[1] = x[1] * x[0];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += rows[i % 2][1] * x[i] * rows[1][0];
  return sum;
}

// A global that points to a table had the table for a shadow.
double global_pointer(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double *row = i % 2 ? x : moving;
    sum += row[1] * x[i] + row[0] * x[0];
  }
  return sum;
}

using Four = double __attribute__((vector_size(32)));
using Anywhere = double __attribute__((vector_size(32), aligned(8), may_alias));

// One half of the vector is used: it was taken out as an integer of 128 bits, which was refused.
double half_of_a_vector(const double *x, int) {
  const double *rows[3] = {x, x + 1, x};
  const Four numbers = *reinterpret_cast<const Anywhere *>(x) * x[1] + Four{1, 2, rows[1][2], x[3]};
  const Four bent = __builtin_elementwise_tanh(numbers);
  return std::cos(std::fmax(bent[3] + 1.2, bent[2] * 1.4375) - bent[2] * x[0] * rows[2][1]);
}

} // namespace

PLUGIN_TEST(TablesAndLanes, FollowArraysOfPointersToTables) {
  CHECK_FUNCTION(array_of_tables, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(TablesAndLanes, FollowTablesOfStructsThatPointToTables) {
  CHECK_FUNCTION(structs_with_tables, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(TablesAndLanes, FollowAChoiceBetweenTablesOfPointers) {
  CHECK_FUNCTION(choice_of_arrays, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(TablesAndLanes, FollowTablesBesideGlobalsThatAreWritten) {
  CHECK_FUNCTION(tables_beside_globals, 0.7, -1.2, 0.4);
}
/// In forward mode, what reverse mode has added to the table's shadow would be read.
PLUGIN_TEST(TablesAndLanes, AddAdjointsBesideATableThatAGlobalPointsTo) {
  double x[3] = {0.7, -1.2, 0.4}, gradient[3] = {};
  __enzyme_autodiff<void>((void *)global_pointer, enzyme_dup, x, gradient, enzyme_const, 3);
  EXPECT_CLOSE(gradient[0], 1 + 2 * x[0]);
  EXPECT_CLOSE(gradient[1], 2 * x[1]);
  EXPECT_CLOSE(gradient[2], 0.5);
}
PLUGIN_TEST(TablesAndLanes, TakeHalfOfAVector) {
  CHECK_FUNCTION(half_of_a_vector, 0.7, -1.2, 0.4, 1.1);
}
