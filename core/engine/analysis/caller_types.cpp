#include "core/engine/analysis/caller_types.hpp"
#include "llvm/ADT/DenseSet.h"
#include <numeric>

namespace assay::engine {

/// What an array is declared to hold is in every element; something else that was seen behind it lies past its end.
static bool is_declared_as_floats(const Evidence &array) {
  return array.only(Rank::declaration).mentions_floating() || array.only(Rank::layout).mentions_floating();
}

/// Floats that were seen in one element of an array of structs are in all of them.
static void take_hint(TypeTree &tree, OffsetSet at, const TypeHints::Field &field) {
  const Evidence evidence = Evidence::of(field.type, field.rank);
  llvm::SmallVector<OffsetSet, 2> elements;
  if (field.rank == Rank::access && at.stride == 0)
    for (const auto &[key, array] : tree.strided())
      if (array.base <= at.base && floor_modulo(at.base - key.second, key.first) == 0 &&
          !is_declared_as_floats(array.evidence))
        elements.push_back({array.base, key.first});
  tree.add(at, evidence);
  for (const OffsetSet &element : elements)
    tree.add(element, evidence);
}

void take_hints(const TypeHints &hints, const MemoryClasses &memory, std::vector<TypeTree> &trees) {
  struct Pair {
    unsigned hint;
    Location place;
    OffsetSet origin; ///< Where `place` is in the caller's.
  };
  std::vector<Pair> pending;
  for (const TypeHints::Actual &actual : hints.actuals)
    if (auto at = memory.location(*memory.root().getArg(actual.formal)))
      pending.push_back({actual.node, *at, actual.at});
  llvm::DenseSet<std::pair<unsigned, NodeId>> seen;
  for (std::size_t next = 0; next < pending.size(); ++next) {
    const auto [hint, place, origin] = pending[next];
    if (!seen.insert({hint, place.node}).second)
      continue;
    const TypeHints::Node &known = hints.nodes[hint];
    const std::int64_t shift = place.at.base - origin.base;
    for (const TypeHints::Field &field : known.fields)
      take_hint(trees[place.node], field.at.plus({shift, std::gcd(origin.stride, place.at.stride)}), field);
    for (auto [offset, pointee] : known.pointees)
      for (auto &[own_offset, slot] : memory.graph()[place.node].slots)
        if (own_offset == offset + shift || known.pointees.size() == 1)
          pending.push_back({pointee, {memory.graph().node(slot.place), memory.graph().at(slot.place)}, {}});
  }
}

} // namespace assay::engine
