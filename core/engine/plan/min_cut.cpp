#include "core/engine/plan/min_cut.hpp"
#include <algorithm>
#include <limits>

namespace assay::engine {
namespace {
constexpr unsigned source_node = 0, sink_node = 1;
constexpr unsigned unreached = std::numeric_limits<unsigned>::max();
} // namespace

unsigned VertexCut::add_vertex(Capacity capacity) {
  const unsigned vertex = vertices_++;
  outgoing_.resize(2 + 2 * vertices_);
  add_arc(entry(vertex), leave(vertex), capacity);
  return vertex;
}

void VertexCut::add_edge(unsigned from, unsigned to) {
  add_arc(leave(from), entry(to), unlimited);
}
void VertexCut::mark_source(unsigned vertex) {
  add_arc(source_node, entry(vertex), unlimited);
}
void VertexCut::mark_sink(unsigned vertex) {
  add_arc(leave(vertex), sink_node, unlimited);
}

void VertexCut::add_arc(unsigned from, unsigned to, Capacity capacity) {
  outgoing_[from].push_back(arcs_.size());
  arcs_.push_back({to, capacity});
  outgoing_[to].push_back(arcs_.size());
  arcs_.push_back({from, 0});
}

bool VertexCut::build_levels() {
  level_.assign(outgoing_.size(), unreached);
  level_[source_node] = 0;
  std::vector<unsigned> queue{source_node};
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (unsigned arc : outgoing_[queue[head]])
      if (arcs_[arc].residual > 0 && level_[arcs_[arc].to] == unreached) {
        level_[arcs_[arc].to] = level_[queue[head]] + 1;
        queue.push_back(arcs_[arc].to);
      }
  return level_[sink_node] != unreached;
}

/// One augmenting path in the level graph, iteratively: chains of values can be tens of thousands long.
VertexCut::Capacity VertexCut::push(unsigned start, Capacity limit) {
  std::vector<unsigned> path;
  unsigned node = start;
  while (node != sink_node) {
    bool advanced = false;
    for (unsigned &index = next_[node]; index < outgoing_[node].size(); ++index) {
      const Arc &arc = arcs_[outgoing_[node][index]];
      if (arc.residual == 0 || level_[arc.to] != level_[node] + 1)
        continue;
      path.push_back(outgoing_[node][index]);
      node = arc.to;
      advanced = true;
      break;
    }
    if (advanced)
      continue;
    if (path.empty())
      return 0;
    level_[node] = unreached; // dead end
    node = arcs_[path.back() ^ 1].to;
    path.pop_back();
  }
  Capacity flow = limit;
  for (unsigned arc : path)
    flow = std::min(flow, arcs_[arc].residual);
  for (unsigned arc : path) {
    arcs_[arc].residual -= flow;
    arcs_[arc ^ 1].residual += flow;
  }
  return flow;
}

std::vector<unsigned> VertexCut::solve() {
  while (build_levels()) {
    next_.assign(outgoing_.size(), 0);
    while (push(source_node, unlimited) > 0) {
    }
  }
  // Nodes that still reach the sink; a vertex is cut where its entry does not and its exit does.
  std::vector<bool> reaches_sink(outgoing_.size(), false);
  reaches_sink[sink_node] = true;
  std::vector<unsigned> queue{sink_node};
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (unsigned arc : outgoing_[queue[head]]) {
      const unsigned before = arcs_[arc].to;
      if (arcs_[arc ^ 1].residual > 0 && !reaches_sink[before]) {
        reaches_sink[before] = true;
        queue.push_back(before);
      }
    }
  std::vector<unsigned> cut;
  for (unsigned vertex = 0; vertex < vertices_; ++vertex)
    if (!reaches_sink[entry(vertex)] && reaches_sink[leave(vertex)])
      cut.push_back(vertex);
  return cut;
}

} // namespace assay::engine
