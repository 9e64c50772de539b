#include "core/engine/analysis/memory_graph.hpp"
#include "core/test/analysis/processor_time.hpp"
#include <gtest/gtest.h>

using namespace assay::engine;

namespace {

double seconds_of_solving(MemoryGraph &graph) {
  const double start = assay::test::processor_seconds();
  graph.solve();
  return assay::test::processor_seconds() - start;
}

/// What takes a twentieth of a second where the effort grows with the graph, and a minute where it grows with its
/// square.
constexpr unsigned many = 60'000;
constexpr double patience = 10;

} // namespace

// Pointers of loops that are never entered, say: nothing tells where they start.
TEST(MemoryGraph, SeedsManyPointersThatComeFromNowhereOneByOne) {
  MemoryGraph graph;
  std::vector<PlaceId> values;
  for (unsigned index = 0; index < many; ++index) {
    const PlaceId pointer = graph.new_place(), next = graph.new_place(), value = graph.new_place();
    graph.add_flow(pointer, next, {8, 0});
    graph.add_flow(next, pointer);
    graph.add_load(pointer, {16, 0}, value);
    values.push_back(value);
  }
  EXPECT_LT(seconds_of_solving(graph), patience);
  EXPECT_NE(graph.node(values.front()), graph.node(values.back()));
}

// Each copy is followed again where one of the two ends has changed, and no other.
TEST(MemoryGraph, FollowsManyCopiesOfPointersThatComeFromNowhere) {
  MemoryGraph graph;
  std::vector<PlaceId> kept, copied;
  for (unsigned index = 0; index < many; ++index) {
    const PlaceId source = graph.new_place(), target = graph.new_place();
    kept.push_back(graph.new_place());
    copied.push_back(graph.new_place());
    graph.seed(kept.back());
    graph.add_flow(source, source, {0, 8});
    graph.add_flow(target, target, {0, 8});
    graph.add_store(source, {}, kept.back());
    graph.add_copy(target, source, std::nullopt);
    graph.add_load(target, {}, copied.back());
  }
  EXPECT_LT(seconds_of_solving(graph), patience);
  for (const unsigned index : {0U, many / 2, many - 1})
    EXPECT_EQ(graph.node(kept[index]), graph.node(copied[index]));
  EXPECT_NE(graph.node(kept.front()), graph.node(kept.back()));
}

// A slot that appears after the copy was followed is copied as well.
TEST(MemoryGraph, FollowsACopyAgainWhenItsSourceGetsASlot) {
  MemoryGraph graph;
  const PlaceId source = graph.new_place(), target = graph.new_place(), holder = graph.new_place();
  const PlaceId found = graph.new_place(), kept = graph.new_place(), copied = graph.new_place();
  for (const PlaceId start : {source, target, holder, kept})
    graph.seed(start);
  graph.add_copy(target, source, 64);
  graph.add_load(target, {24, 0}, copied);
  graph.add_store(holder, {}, source);
  graph.add_load(holder, {}, found);
  graph.add_store(found, {24, 0}, kept);
  graph.solve();
  EXPECT_EQ(graph.node(copied), graph.node(kept));
}
