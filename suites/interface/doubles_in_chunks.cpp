// Nothing but doubles, among them containers of which only the layout is known: the interface's own code, which knows
// every kind of number, says nothing of what kinds the program has.
#include <assay/gradient.hpp>

#include "support/plugin_test.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace doubles_in_chunks {

struct Embedding {
  std::vector<double> bias;
  std::map<std::string, std::vector<double>> words;
  std::deque<std::optional<double>> scales;
};

static double embed(const Embedding &e) {
  double sum = 0;
  for (const char *word : {"the", "cat", "the"}) {
    std::vector<double> x = e.words.at(word);
    sum += x[0] * x[1] * e.bias[0];
  }
  return sum * e.scales[0].value_or(1);
}

PLUGIN_TEST(DoublesInChunks, BesideReverseMode) {
  const Embedding e{{.25, .5}, {{"the", {4, 5}}, {"cat", {-4, 8}}}, {1.5, std::nullopt}};
  const auto forward = assay::gradient<assay::Forward, assay::Chunk<8>>(embed, e);
  const auto reverse = assay::gradient<assay::Reverse>(embed, e);
  EXPECT_CLOSE(forward.words.at("the")[0], 2 * 5 * .25 * 1.5);
  EXPECT_CLOSE(reverse.words.at("the")[0], 2 * 5 * .25 * 1.5);
  EXPECT_CLOSE(reverse.words.at("cat")[1], -4 * .25 * 1.5);
  EXPECT_CLOSE(*reverse.scales[0], (2 * 20 - 32) * .25);
}

} // namespace doubles_in_chunks
