// A vector of doubles out of a map is copied where the program has floats as well: what is read of the copy tells what
// was copied.
#include "support/plugin_test.hpp"
#include <map>
#include <string>
#include <vector>

extern int enzyme_dup;
template <class Result, class... Arguments>
Result __enzyme_autodiff(void *, Arguments...);

namespace floats_beside_maps {

template <class Number>
struct Table {
  std::map<std::string, std::vector<Number>> words;
  float scale;
  double shift;
};

template <class Number>
static double embed(const Table<Number> &table) {
  double sum = 0;
  for (const char *word : {"the", "cat", "the"}) {
    std::vector<Number> x = table.words.at(word);
    sum += x[0] * x[1];
  }
  return sum * table.scale + table.shift * table.shift;
}

template <class Number>
static void check() {
  const Table<Number> table{{{"the", {4, 5, 6}}, {"cat", {-4, 8}}}, 1.5F, 3};
  Table<Number> shadow{{{"the", {0, 0, 0}}, {"cat", {0, 0}}}, 0, 0};
  __enzyme_autodiff<void>((void *)embed<Number>, enzyme_dup, &table, &shadow);
  EXPECT_CLOSE(shadow.words["the"][0], 2 * 5 * 1.5);
  EXPECT_CLOSE(shadow.words["the"][2], 0);
  EXPECT_CLOSE(shadow.words["cat"][1], -4 * 1.5);
  EXPECT_CLOSE(shadow.scale, 2 * 20 - 32);
  EXPECT_CLOSE(shadow.shift, 6);
}

PLUGIN_TEST(FloatsBesideMaps, VectorOfDoubles) {
  check<double>();
}

PLUGIN_TEST(FloatsBesideMaps, VectorOfFloats) {
  check<float>();
}

} // namespace floats_beside_maps
