// The cut that decides what goes on the tape, on graphs small enough to check by hand.
#include "core/engine/plan/min_cut.hpp"
#include <gtest/gtest.h>

namespace assay::engine {
namespace {

TEST(MinCut, KeepsTheSmallOfTwoValuesInAChain) {
  VertexCut graph;
  const unsigned large = graph.add_vertex(16), small = graph.add_vertex(4), needed = graph.add_vertex(8);
  graph.add_edge(large, small);
  graph.add_edge(small, needed);
  graph.mark_source(large);
  graph.mark_sink(needed);
  EXPECT_EQ(graph.solve(), std::vector<unsigned>{small});
}

TEST(MinCut, KeepsOneSourceOfManyNeededValues) {
  VertexCut graph;
  const unsigned source = graph.add_vertex(8);
  graph.mark_source(source);
  for (int index = 0; index < 3; ++index) {
    const unsigned user = graph.add_vertex(8);
    graph.add_edge(source, user);
    graph.mark_sink(user);
  }
  EXPECT_EQ(graph.solve(), std::vector<unsigned>{source});
}

TEST(MinCut, KeepsTheResultOfManySources) {
  VertexCut graph;
  const unsigned result = graph.add_vertex(8);
  for (int index = 0; index < 3; ++index) {
    const unsigned source = graph.add_vertex(8);
    graph.mark_source(source);
    graph.add_edge(source, result);
  }
  graph.mark_sink(result);
  EXPECT_EQ(graph.solve(), std::vector<unsigned>{0});
}

TEST(MinCut, PrefersTheValueNearestToItsUseAmongEquals) {
  VertexCut graph;
  const unsigned early = graph.add_vertex(8), late = graph.add_vertex(8);
  graph.add_edge(early, late);
  graph.mark_source(early);
  graph.mark_sink(late);
  EXPECT_EQ(graph.solve(), std::vector<unsigned>{late});
}

TEST(MinCut, KeepsNothingWhenNothingIsNeeded) {
  VertexCut graph;
  graph.mark_source(graph.add_vertex(8));
  EXPECT_TRUE(graph.solve().empty());
}

TEST(MinCut, SolvesLongChainsWithoutRecursion) {
  VertexCut graph;
  constexpr unsigned length = 20000;
  for (unsigned index = 0; index < length; ++index) {
    graph.add_vertex(index == length / 2 ? 1 : 8);
    if (index > 0)
      graph.add_edge(index - 1, index);
  }
  graph.mark_source(0);
  graph.mark_sink(length - 1);
  EXPECT_EQ(graph.solve(), std::vector<unsigned>{length / 2});
}

} // namespace
} // namespace assay::engine
