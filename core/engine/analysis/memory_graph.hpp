#pragma once
// The graph of abstract memory: Steensgaard's unification with byte offsets.
//
// A *node* is a class of objects that a pointer may point into. A *place* is something that holds pointers (an SSA
// value, or a pointer-sized piece of memory): which node they point into and at which byte offsets. Pointers kept in
// memory are places too, found by the byte offset in their node ("slots"). When pointers flow from one place to another
// the two nodes are unified (without direction, union-find), the offsets are joined in the direction of the flow.
// Aggregates in registers are places that point to a register object with slots of its own, so that nothing else is
// needed for them.

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace assay::engine {

/// The byte offsets `base + k * stride`. Stride 0: `base` alone. Stride 1: anywhere.
struct OffsetSet {
  std::int64_t base = 0;
  std::uint64_t stride = 0;

  static OffsetSet anywhere() { return {0, 1}; }
  /// Every sum of an element of this and one of `other`.
  OffsetSet plus(OffsetSet other) const;
  /// The smallest set of this form that contains both; `base` stays where it can so that repeated joins end.
  OffsetSet join(OffsetSet other) const;
  friend bool operator==(const OffsetSet &, const OffsetSet &) = default;
};

/// The remainder that is never negative.
inline std::int64_t floor_modulo(std::int64_t value, std::uint64_t modulus) {
  if ((modulus & (modulus - 1)) == 0) // Most strides are powers of two, and a division takes long.
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) & (modulus - 1));
  const auto signed_modulus = static_cast<std::int64_t>(modulus);
  const std::int64_t remainder = value % signed_modulus;
  return remainder < 0 ? remainder + signed_modulus : remainder;
}

using NodeId = unsigned;
using PlaceId = unsigned;

class MemoryGraph {
public:
  /// For so many places, or fewer: they have memory of their own, so it takes long to move them.
  void reserve(std::size_t places);
  PlaceId new_place();
  /// `place` may hold the address of the start of its node.
  void seed(PlaceId place, OffsetSet at = {});
  /// Pointers at `from`, moved by `shift`, may be at `to`.
  void add_flow(PlaceId from, PlaceId to, OffsetSet shift = {});
  /// Pointers at `from`, moved by `shift` and by the distance from `subtrahend` to `minuend`, may be at `to`.
  void add_difference_flow(PlaceId from, PlaceId to, OffsetSet shift, PlaceId minuend, PlaceId subtrahend);
  /// A pointer is read from the memory behind `pointer`, `offset` bytes on, into `value`.
  void add_load(PlaceId pointer, OffsetSet offset, PlaceId value);
  void add_store(PlaceId pointer, OffsetSet offset, PlaceId value);
  /// `size` bytes are copied from behind `source` to behind `target`; no size: unknown.
  void add_copy(PlaceId target, PlaceId source, std::optional<std::uint64_t> size);
  /// The same of bytes that are not aligned: they are taken for text where an object points into itself, as short
  /// strings do that keep their characters beside the pointer to them.
  void add_byte_copy(PlaceId target, PlaceId source);
  bool points_into_itself(NodeId node) const;
  /// True of objects that are taken for one because an unknown function may have linked them in any way.
  bool is_mixture(NodeId node) const;
  /// All pointers in the memory of both, and the two themselves, may be mixed.
  void collapse(PlaceId one, PlaceId other);
  void solve();

  NodeId node(PlaceId place) const { return find(places_[place].node); }
  OffsetSet at(PlaceId place) const { return places_[place].at.value_or(OffsetSet{}); }
  NodeId find(NodeId node) const;
  unsigned node_count() const { return static_cast<unsigned>(nodes_.size()); }
  unsigned place_count() const { return static_cast<unsigned>(places_.size()); }

  struct Slot {
    PlaceId place = 0;
    bool loaded = false;
    bool stored = false;
  };
  struct Node {
    std::map<std::int64_t, Slot> slots; ///< By byte offset, modulo `modulus` where that is not 0.
    std::uint64_t modulus = 0;
    llvm::SmallVector<unsigned, 0> copies; ///< Of pieces of it, to it or from it.
    std::size_t noted = 0;                 ///< So many of them, from the first on, are noted to be linked again.
  };
  const Node &operator[](NodeId node) const { return nodes_[find(node)]; }
  void for_each_flow(llvm::function_ref<void(PlaceId from, PlaceId to)> visit) const;

private:
  struct Place {
    NodeId node;
    std::optional<OffsetSet> at;
    bool is_followed = false; ///< Memory behind it is accessed.
    bool is_queued = false;   ///< Its offsets have still to be passed on.
    llvm::SmallVector<std::pair<PlaceId, OffsetSet>, 2> flows = {};
  };
  enum class Direction : std::uint8_t { load, store };
  struct Access {
    PlaceId pointer, value;
    OffsetSet offset;
    Direction direction;
    std::optional<PlaceId> linked;
  };
  struct Copy {
    PlaceId target, source;
    std::optional<std::uint64_t> size;
    bool may_be_text = false;
  };
  /// The dependants of a place's offsets: indices of accesses, differences and copies.
  struct Dependents {
    llvm::SmallVector<unsigned, 2> accesses, differences, copies;
  };

  struct Difference {
    PlaceId from, to;
    OffsetSet shift;
    PlaceId minuend, subtrahend;
  };

  static bool is_blank(const Node &node);
  void unify(NodeId one, NodeId other);
  void fold(NodeId node, std::uint64_t stride);
  PlaceId slot(NodeId node, OffsetSet at, Direction direction);
  void merge_slot(NodeId node, std::int64_t key, Slot slot);
  void propagate();
  void link_accesses();
  void link_differences();
  void link_copies();
  void mirror(PlaceId from, PlaceId to, std::optional<std::uint64_t> size, Direction direction);
  bool seed_unset_slots();
  bool seed_unset_places();
  void mark_followed_places();
  void note_moved(PlaceId place);
  void note_changed(NodeId node);

  mutable std::vector<NodeId> parent_;
  std::vector<Node> nodes_;
  std::vector<Place> places_;
  std::vector<Access> accesses_;
  std::vector<Copy> copies_;
  std::vector<Difference> differences_;
  std::vector<PlaceId> queue_;
  llvm::DenseSet<std::pair<PlaceId, PlaceId>> equal_;
  std::vector<std::pair<NodeId, NodeId>> pending_;
  std::vector<PlaceId> new_slots_;                     ///< Since unset slots were last seeded.
  llvm::DenseMap<PlaceId, Dependents> dependents_;     ///< Of places that are followed.
  llvm::BitVector moved_accesses_, moved_differences_; ///< That have still to be linked: offsets have changed.
  llvm::BitVector moved_copies_;                       ///< The same, or the slots of their sources have.
  PlaceId first_unset_ = 0;
  bool changed_ = false;
  bool moved_pointer_ = false; ///< The offsets of a place that is followed have changed.
  bool restless_ = false;      ///< Offsets keep moving: from now on copies know them only modulo a pointer's size.
};

} // namespace assay::engine
