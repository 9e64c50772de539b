// Addresses as integers that are moved by a distance: by flags that are cleared, or by how far two words are apart that
// constants make of one. The distance is an integer, and the word that it is added to is the address. Gradients were
// wrong and were written into the program's own memory (-O0, -O1), second derivatives of flagged trees at every level.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <cstdint>

namespace {

using Word = std::uintptr_t;

Word address(const double *number) {
  return reinterpret_cast<Word>(number);
}
const double *number_at(Word word) {
  return reinterpret_cast<const double *>(word);
}

/// One word has a flag, by which another is moved.
double moved_by_a_flag(const double *x, int) {
  Word flagged[2] = {0, 0}, moved[2] = {0, 0};
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    const int place = x[i] > 0;
    if (!flagged[1]) {
      flagged[place] = address(x) + Word(i);
      moved[place] = address(x + 1) + Word(i);
    } else {
      sum += *number_at(moved[1] - (flagged[1] & 1)) * x[0];
    }
  }
  return sum;
}

[[gnu::noinline]] void step(Word *flagged, Word *moved, double *sum, const double *x, int steps) {
  const Word word = flagged[1], other = moved[1];
  if (!word) {
    const int place = x[0] > 0;
    flagged[place] = address(x) | 1;
    moved[place] = address(x + 1) + 1;
    return;
  }
  *sum += *number_at(word & ~Word(1)) * *number_at(other + ((word & ~Word(1)) - word));
  if (steps > 0)
    step(flagged, moved, sum, x, steps - 1);
}
double moved_by_a_distance(const double *x, int) {
  Word flagged[2] = {0, 0}, moved[2] = {0, 0};
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    step(flagged, moved, &sum, x, 1);
  return sum;
}

struct Cell {
  double mass;
  Word children[2];
};
void insert(Cell *cell, const double *body) {
  cell->mass += *body * *body;
  const Word child = cell->children[1];
  if (!child)
    cell->children[*body > 0] = address(body) | 1;
  else
    insert(cell + 1, number_at(child & ~Word(1)));
}
double flagged_children(const double *x, int n) {
  Cell cells[2] = {};
  for (int i = 0; i < n; ++i)
    insert(cells, x + i);
  return cells[1].mass;
}

double flagged_argument(const double *x, int) {
  Word children[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    const Word child = children[1];
    if (child) {
      const double *number = number_at(child & ~Word(1));
      return *number * *number * x[1];
    }
    children[x[0] > 0] = address(x) | 1;
  }
  return 0;
}

} // namespace

PLUGIN_TEST(DistancesOfAddresses, ByAFlag) {
  CHECK_FUNCTION(moved_by_a_flag, 0.71, 4.2);
  CHECK_SECOND_ORDER(moved_by_a_flag, 0.71, 4.2);
}
PLUGIN_TEST(DistancesOfAddresses, BetweenTwoFormsOfAWord) {
  CHECK_FUNCTION(moved_by_a_distance, 0.71, 4.2);
  CHECK_SECOND_ORDER(moved_by_a_distance, 0.71, 4.2);
}
PLUGIN_TEST(DistancesOfAddresses, OfFlaggedChildren) {
  CHECK_FUNCTION(flagged_children, 0.71, 4.2);
  CHECK_SECOND_ORDER(flagged_children, 0.71, 4.2);
}
PLUGIN_TEST(DistancesOfAddresses, OfAFlaggedArgument) {
  CHECK_FUNCTION(flagged_argument, 0.71, 4.2);
  CHECK_SECOND_ORDER(flagged_argument, 0.71, 4.2);
}
