#include "core/engine/analysis/memory_graph.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace assay::engine {

namespace {

std::uint64_t distance(std::int64_t one, std::int64_t other) {
  return one < other ? static_cast<std::uint64_t>(other) - static_cast<std::uint64_t>(one)
                     : static_cast<std::uint64_t>(one) - static_cast<std::uint64_t>(other);
}

/// After this many rounds offsets that still move (data copied in circles) are only known modulo a pointer's size.
constexpr unsigned patient_rounds = 8;

} // namespace

OffsetSet OffsetSet::plus(OffsetSet other) const {
  auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(other.base));
  return {sum, std::gcd(stride, other.stride)};
}

OffsetSet OffsetSet::join(OffsetSet other) const {
  std::uint64_t apart = distance(base, other.base);
  std::uint64_t joined = std::gcd(std::gcd(stride, other.stride), apart);
  if (joined == stride)
    return *this;
  return {std::min(base, other.base), joined};
}

void MemoryGraph::reserve(std::size_t places) {
  nodes_.reserve(places);
  parent_.reserve(places);
  places_.reserve(places);
}

PlaceId MemoryGraph::new_place() {
  auto node = static_cast<NodeId>(nodes_.size());
  nodes_.emplace_back();
  parent_.push_back(node);
  places_.push_back({node, std::nullopt});
  return static_cast<PlaceId>(places_.size() - 1);
}

void MemoryGraph::seed(PlaceId place, OffsetSet at) {
  Place &seeded = places_[place];
  OffsetSet joined = seeded.at ? seeded.at->join(at) : at;
  if (seeded.at == joined)
    return;
  seeded.at = joined;
  if (seeded.is_followed)
    note_moved(place);
  if (seeded.is_queued)
    return;
  seeded.is_queued = true;
  queue_.push_back(place);
}

void MemoryGraph::note_moved(PlaceId place) {
  moved_pointer_ = true;
  const auto found = dependents_.find(place);
  if (found == dependents_.end())
    return;
  for (const unsigned access : found->second.accesses)
    moved_accesses_.set(access);
  for (const unsigned difference : found->second.differences)
    moved_differences_.set(difference);
  for (const unsigned copy : found->second.copies)
    moved_copies_.set(copy);
}

/// Slots were added or merged, or are folded otherwise.
void MemoryGraph::note_changed(NodeId node) {
  changed_ = true;
  Node &changed = nodes_[node];
  for (; changed.noted < changed.copies.size(); ++changed.noted)
    moved_copies_.set(changed.copies[changed.noted]);
}

NodeId MemoryGraph::find(NodeId node) const {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

void MemoryGraph::add_flow(PlaceId from, PlaceId to, OffsetSet shift) {
  if (from == to && shift == OffsetSet{})
    return;
  places_[from].flows.push_back({to, shift});
  unify(places_[from].node, places_[to].node);
  if (const auto at = places_[from].at)
    seed(to, at->plus(shift));
  changed_ = true;
}

void MemoryGraph::add_difference_flow(PlaceId from, PlaceId to, OffsetSet shift, PlaceId minuend, PlaceId subtrahend) {
  unify(places_[from].node, places_[to].node);
  differences_.push_back({from, to, shift, minuend, subtrahend});
}

void MemoryGraph::add_load(PlaceId pointer, OffsetSet offset, PlaceId value) {
  accesses_.push_back({pointer, value, offset, Direction::load, std::nullopt});
}

void MemoryGraph::add_store(PlaceId pointer, OffsetSet offset, PlaceId value) {
  accesses_.push_back({pointer, value, offset, Direction::store, std::nullopt});
}

void MemoryGraph::add_copy(PlaceId target, PlaceId source, std::optional<std::uint64_t> size) {
  copies_.push_back({target, source, size});
}

void MemoryGraph::add_byte_copy(PlaceId target, PlaceId source) {
  copies_.push_back({target, source, std::nullopt, true});
}

bool MemoryGraph::points_into_itself(NodeId id) const {
  return llvm::any_of(nodes_[find(id)].slots, [&](const auto &entry) { return node(entry.second.place) == find(id); });
}

bool MemoryGraph::is_mixture(NodeId id) const {
  return nodes_[find(id)].modulus == OffsetSet::anywhere().stride && points_into_itself(id);
}

void MemoryGraph::for_each_flow(llvm::function_ref<void(PlaceId, PlaceId)> visit) const {
  for (PlaceId from = 0; from < places_.size(); ++from)
    for (auto [to, shift] : places_[from].flows)
      visit(from, to);
}

void MemoryGraph::collapse(PlaceId one, PlaceId other) {
  unify(places_[one].node, places_[other].node);
  NodeId mixed = node(one);
  slot(mixed, OffsetSet::anywhere(), Direction::store);
  PlaceId content = slot(mixed, OffsetSet::anywhere(), Direction::load);
  add_flow(one, content, OffsetSet::anywhere());
  add_flow(other, content, OffsetSet::anywhere());
  seed(content, OffsetSet::anywhere());
}

bool MemoryGraph::is_blank(const Node &node) {
  return node.slots.empty() && node.modulus == 0 && node.copies.empty();
}

void MemoryGraph::unify(NodeId one, NodeId other) {
  pending_.push_back({one, other});
  if (pending_.size() > 1)
    return; // The outermost call works the list off.
  for (std::size_t next = 0; next < pending_.size(); ++next) {
    NodeId root = find(pending_[next].first), merged = find(pending_[next].second);
    if (root == merged)
      continue;
    if (nodes_[root].slots.size() < nodes_[merged].slots.size())
      std::swap(root, merged);
    parent_[merged] = root;
    if (is_blank(nodes_[merged])) { // As most places are.
      note_changed(root);
      continue;
    }
    Node content = std::move(nodes_[merged]);
    nodes_[merged] = {};
    nodes_[root].copies.append(content.copies.begin(), content.copies.end());
    note_changed(root);
    if (content.modulus != 0)
      fold(root, content.modulus);
    for (auto &[offset, kept] : content.slots)
      merge_slot(root, offset, kept);
  }
  pending_.clear();
}

void MemoryGraph::fold(NodeId id, std::uint64_t stride) {
  Node &folded = nodes_[id];
  std::uint64_t modulus = std::gcd(folded.modulus, stride);
  if (modulus == folded.modulus)
    return;
  folded.modulus = modulus;
  note_changed(id);
  auto slots = std::move(folded.slots);
  folded.slots.clear();
  for (auto &[offset, kept] : slots)
    merge_slot(id, offset, kept);
}

void MemoryGraph::merge_slot(NodeId id, std::int64_t offset, Slot added) {
  Node &owner = nodes_[find(id)]; // An earlier slot may have merged the node away.
  std::int64_t key = owner.modulus == 0 ? offset : floor_modulo(offset, owner.modulus);
  auto [found, inserted] = owner.slots.try_emplace(key, added);
  if (inserted)
    return;
  Slot &kept = found->second;
  kept.loaded |= added.loaded;
  kept.stored |= added.stored;
  if (kept.place == added.place || !equal_.insert({kept.place, added.place}).second)
    return;
  PlaceId one = kept.place, other = added.place;
  add_flow(one, other);
  add_flow(other, one);
}

PlaceId MemoryGraph::slot(NodeId id, OffsetSet at, Direction direction) {
  id = find(id);
  if (at.stride != 0)
    fold(id, at.stride);
  id = find(id);
  std::uint64_t modulus = nodes_[id].modulus;
  std::int64_t key = modulus == 0 ? at.base : floor_modulo(at.base, modulus);
  auto found = nodes_[id].slots.find(key);
  if (found == nodes_[id].slots.end()) {
    PlaceId place = new_place();
    new_slots_.push_back(place);
    found = nodes_[id].slots.try_emplace(key, Slot{place, false, false}).first;
    note_changed(id);
  }
  (direction == Direction::load ? found->second.loaded : found->second.stored) = true;
  return found->second.place;
}

void MemoryGraph::propagate() {
  while (!queue_.empty()) {
    PlaceId from = queue_.back();
    queue_.pop_back();
    places_[from].is_queued = false;
    OffsetSet at = *places_[from].at;
    for (std::size_t i = 0; i < places_[from].flows.size(); ++i) {
      auto [to, shift] = places_[from].flows[i];
      seed(to, at.plus(shift));
    }
  }
}

/// Of pointers that have moved. Where nodes were merged or folded, what was linked before stays linked: the slots that
/// became one pass on to each other.
void MemoryGraph::link_accesses() {
  for (int i = moved_accesses_.find_first(); i >= 0; i = moved_accesses_.find_next(i)) {
    moved_accesses_.reset(i);
    Access access = accesses_[i];
    const auto &at = places_[access.pointer].at;
    if (!at)
      continue;
    PlaceId content = slot(node(access.pointer), at->plus(access.offset), access.direction);
    if (access.linked == content)
      continue;
    accesses_[i].linked = content;
    changed_ = true;
    if (access.direction == Direction::load)
      add_flow(content, access.value);
    else
      add_flow(access.value, content);
  }
}

void MemoryGraph::mirror(PlaceId from, PlaceId to, std::optional<std::uint64_t> size, Direction direction) {
  NodeId source = node(from), target = node(to);
  if (!places_[from].at || !places_[to].at)
    return;
  OffsetSet source_at = *places_[from].at, target_at = *places_[to].at;
  if (source == target && source_at == target_at)
    return;
  std::vector<std::pair<std::int64_t, PlaceId>> slots;
  for (auto &[key, kept] : nodes_[source].slots)
    slots.push_back({key, kept.place});
  for (auto [key, place] : slots) {
    std::uint64_t stride = std::gcd(std::gcd(source_at.stride, target_at.stride), nodes_[find(source)].modulus);
    if (find(source) == find(target))
      stride = std::gcd(stride, distance(source_at.base, target_at.base));
    if (restless_)
      stride = std::gcd(stride, pointer_bytes);
    std::int64_t relative = key - source_at.base;
    if (stride != 0)
      relative = floor_modulo(relative, stride);
    if (relative < 0 || (size && relative >= static_cast<std::int64_t>(*size)))
      continue;
    PlaceId mirrored = slot(target, OffsetSet{target_at.base + relative, stride}, direction);
    PlaceId origin = direction == Direction::store ? place : mirrored;
    PlaceId destination = direction == Direction::store ? mirrored : place;
    if (origin != destination && equal_.insert({origin, destination}).second)
      add_flow(origin, destination);
  }
}

void MemoryGraph::link_copies() {
  for (int i = moved_copies_.find_first(); i >= 0; i = moved_copies_.find_next(i)) {
    moved_copies_.reset(i);
    const Copy copy = copies_[i];
    nodes_[node(copy.source)].noted = nodes_[node(copy.target)].noted = 0;
    if (copy.may_be_text && (points_into_itself(node(copy.target)) || points_into_itself(node(copy.source))))
      continue;
    mirror(copy.source, copy.target, copy.size, Direction::store);
    mirror(copy.target, copy.source, copy.size, Direction::load);
  }
}

void MemoryGraph::link_differences() {
  for (int i = moved_differences_.find_first(); i >= 0; i = moved_differences_.find_next(i)) {
    moved_differences_.reset(i);
    const Difference &difference = differences_[i];
    const auto &from = places_[difference.from].at;
    const auto &minuend = places_[difference.minuend].at, &subtrahend = places_[difference.subtrahend].at;
    if (!from || !minuend || !subtrahend)
      continue;
    OffsetSet distance = minuend->plus({-subtrahend->base, subtrahend->stride});
    if (node(difference.minuend) != node(difference.subtrahend))
      distance = OffsetSet::anywhere();
    seed(difference.to, from->plus(difference.shift).plus(distance));
  }
}

bool MemoryGraph::seed_unset_slots() {
  for (const PlaceId made : new_slots_)
    if (!places_[made].at)
      seed(made);
  new_slots_.clear();
  return !queue_.empty();
}

/// Pointers that only come from themselves (a loop that starts with null): one is taken to start its object, others
/// follow. True when memory behind one of them is accessed, so that there is more to link.
bool MemoryGraph::seed_unset_places() {
  moved_pointer_ = false;
  for (; first_unset_ < places_.size() && !moved_pointer_; ++first_unset_)
    if (!places_[first_unset_].at) {
      seed(first_unset_);
      propagate();
    }
  return moved_pointer_;
}

void MemoryGraph::mark_followed_places() {
  dependents_.clear();
  for (unsigned index = 0; index < accesses_.size(); ++index)
    dependents_[accesses_[index].pointer].accesses.push_back(index);
  for (unsigned index = 0; index < differences_.size(); ++index) {
    const Difference &difference = differences_[index];
    for (PlaceId place : {difference.from, difference.minuend, difference.subtrahend})
      dependents_[place].differences.push_back(index);
  }
  for (Node &owner : nodes_) {
    owner.copies.clear();
    owner.noted = 0;
  }
  for (unsigned index = 0; index < copies_.size(); ++index)
    for (PlaceId place : {copies_[index].target, copies_[index].source}) {
      dependents_[place].copies.push_back(index);
      nodes_[node(place)].copies.push_back(index);
    }
  for (const auto &[place, dependent] : dependents_)
    places_[place].is_followed = true;
  moved_accesses_.resize(static_cast<unsigned>(accesses_.size()));
  moved_accesses_.set();
  moved_differences_.resize(static_cast<unsigned>(differences_.size()));
  moved_differences_.set();
  moved_copies_.resize(static_cast<unsigned>(copies_.size()));
  moved_copies_.set();
}

void MemoryGraph::solve() {
  mark_followed_places();
  do {
    unsigned rounds = 0;
    do {
      changed_ = false;
      propagate();
      link_accesses();
      link_differences();
      link_copies();
      if (!restless_ && ++rounds > patient_rounds) {
        restless_ = true;
        moved_copies_.set();
      }
    } while (changed_ || !queue_.empty());
  } while (seed_unset_slots() || seed_unset_places());
}

} // namespace assay::engine
