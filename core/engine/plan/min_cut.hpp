#pragma once
// Minimum vertex cut by maximum flow (Dinic's algorithm on the split graph). Used to choose which values to keep on the
// tape: sources are values that cannot be computed again, sinks are values that the reverse sweep needs, edges lead
// from operand to user, capacities are bytes weighted by how often the value is computed.

#include <cstdint>
#include <vector>

namespace assay::engine {

class VertexCut {
public:
  using Capacity = std::uint64_t;
  static constexpr Capacity unlimited = Capacity(1) << 60;

  unsigned add_vertex(Capacity capacity);
  void add_edge(unsigned from, unsigned to);
  void mark_source(unsigned vertex);
  void mark_sink(unsigned vertex);

  /// The vertices of a minimum cut; of all minimum cuts the one nearest to the sinks, so that least is recomputed.
  std::vector<unsigned> solve();

private:
  struct Arc {
    unsigned to;
    Capacity residual;
  };
  void add_arc(unsigned from, unsigned to, Capacity capacity);
  bool build_levels();
  Capacity push(unsigned node, Capacity limit);
  static unsigned entry(unsigned vertex) { return 2 + 2 * vertex; }
  static unsigned leave(unsigned vertex) { return 3 + 2 * vertex; }

  std::vector<Arc> arcs_; // arc i and i ^ 1 are each other's reverse
  std::vector<std::vector<unsigned>> outgoing_{2};
  std::vector<unsigned> level_, next_;
  unsigned vertices_ = 0;
};

} // namespace assay::engine
