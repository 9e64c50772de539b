#pragma once
// Integers that are computed from addresses and become addresses again, perhaps after they were kept in memory: with
// flags in their low or high bits, moved up by some bits, or as the exclusive or of two.
//
// An operation on integers does not say by itself that it is one on addresses. It is where an operand may come from a
// pointer and the result may get to an `inttoptr`: both is reachability over the places of the memory graph, in which
// the operations themselves are edges as well. What flows through such operations may lead to more of them, so that the
// search and the graph take turns. Where only one of the two is seen, because the word comes from a caller's memory or
// goes there, it may be enough: a pointer with flags that is kept by somebody is not kept as a number.

#include "core/engine/analysis/call_tree.hpp"
#include "core/engine/analysis/memory_graph.hpp"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/InstrTypes.h"
#include <array>

namespace assay::engine {

/// Integer operations of a pointer's size from whose result the address can be found again.
bool may_be_address_arithmetic(const llvm::Value &value);
/// True where integers become pointers, or more than distances is computed from pointers.
bool computes_with_addresses(const llvm::Function &function);
/// By how much the address moves that `operation` makes of the one in its operand `index`. Flags do not count: they are
/// gone when the address is used.
OffsetSet address_shift(const llvm::BinaryOperator &operation, unsigned index, const llvm::DataLayout &layout);

class AddressArithmetic {
public:
  using OptionalPlace = std::optional<PlaceId>;

  explicit AddressArithmetic(const llvm::DataLayout &layout) : layout_(layout) {}

  /// The places of the result and the operands; constants have none.
  void add(FramedValue operation, PlaceId result, OptionalPlace left, OptionalPlace right);
  /// An integer at `place` becomes a pointer.
  void note_use_as_pointer(PlaceId place) { uses_.push_back(place); }
  void note_pointer(PlaceId place) { pointers_.push_back(place); }
  /// A value that comes from outside of the functions that are looked at, or goes there: others may know of addresses.
  void note_shared(PlaceId place) { shared_.push_back(place); }

  /// Adds the flows through operations on addresses. True where there are new ones.
  bool resolve(MemoryGraph &graph);
  bool contains(FramedValue operation) const { return found_.contains(operation); }
  /// True where an address is made of this operand and a distance: the operand has to be an address.
  bool is_only_address(FramedValue operation, unsigned index) const {
    const auto found = found_.find(operation);
    return found != found_.end() && found->second[index] && !found->second[1 - index];
  }

private:
  struct Operation {
    FramedValue value;
    PlaceId result;
    std::array<OptionalPlace, 2> operands;
    std::array<bool, 2> flows{};
  };

  llvm::BitVector reached_pointers(const MemoryGraph &graph) const;
  llvm::BitVector sources(const MemoryGraph &graph) const;
  std::vector<PlaceId> shared_places(const MemoryGraph &graph) const;
  llvm::BitVector kept_by_others(const MemoryGraph &graph) const;
  llvm::BitVector foreign_words(const MemoryGraph &graph) const;

  const llvm::DataLayout &layout_;
  std::vector<Operation> operations_;
  std::vector<PlaceId> uses_, pointers_, shared_;
  llvm::DenseMap<FramedValue, std::array<bool, 2>> found_; ///< Of which operands addresses flow to the result.
};

} // namespace assay::engine
