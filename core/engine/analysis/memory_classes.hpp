#pragma once
// Which objects each pointer of a function may point into, over the function and all defined functions that it calls.
//
// The walk turns every instruction into places and constraints of a MemoryGraph. Two pointer arguments get separate
// nodes although a caller may pass the same memory: each argument is treated by its own declared activity, as users of
// the convention expect. Nodes are unified only where the code mixes their pointers. Calls of defined functions bind
// formals and actuals in a frame of the call tree; calls of unknown functions mix all that they can reach.

#include "core/engine/analysis/address_arithmetic.hpp"
#include "core/engine/analysis/framed_map.hpp"
#include "core/engine/analysis/memory_graph.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {

/// Where a pointer points: a node of the graph and offsets in it.
struct Location {
  NodeId node;
  OffsetSet at;
};

class MemoryClasses {
public:
  explicit MemoryClasses(const llvm::Function &root, BodyOf body_of = own_body, Followed followed = Followed::all);

  /// Nothing for values that carry no pointer (null, undef, small integers, floats).
  std::optional<Location> location(const llvm::Value &value, FrameId frame = root_frame) const;
  const MemoryGraph &graph() const { return graph_; }
  const CallTree &calls() const { return calls_; }
  const llvm::Function &root() const { return calls_.function(root_frame); }
  /// Arguments, allocas, allocations and globals: the values whose node is an object of its own.
  llvm::ArrayRef<FramedValue> objects() const { return objects_; }
  /// Nodes of the pointer slots of `node`, with their offsets.
  llvm::SmallVector<std::pair<std::int64_t, NodeId>, 4> pointees(NodeId node) const;
  /// The nodes behind pointers that are read from `node` and from what these point to; `node` itself comes first.
  llvm::SmallVector<NodeId, 8> read_from(NodeId node) const;
  /// True for an integer that is one in this function already, or by what it is computed from and what becomes of it.
  bool is_address(const llvm::Value &integer, FrameId frame) const;
  /// True where an address is made of this operand and a distance: the operand has to be an address.
  bool is_only_address(const llvm::Use &operand, FrameId frame = root_frame) const {
    return arithmetic_.is_only_address(framed(frame, *operand.getUser()), operand.getOperandNo());
  }
  const llvm::DataLayout &layout() const { return layout_; }

private:
  void visit_frame();
  void visit(const llvm::Instruction &instruction);
  void visit_gep(const llvm::GEPOperator &gep);
  void visit_call(const llvm::CallBase &call);
  void visit_unknown_call(const llvm::CallBase &call);
  void visit_call_of(const llvm::CallBase &call, FrameId callee);
  void visit_return(const llvm::Value &result);
  void visit_arithmetic(const llvm::BinaryOperator &operation);
  void visit_int_to_pointer(const llvm::Value &target, const llvm::Value &integer, unsigned depth);
  bool is_candidate(const llvm::Value &value) const;
  void visit_initializer(const llvm::Constant &initializer, PlaceId memory, std::int64_t offset);
  void add_object(const llvm::Value &value) { objects_.push_back(framed(frame_, value)); }
  void for_each_word(const llvm::Value &pointer, llvm::Type *type, llvm::function_ref<void(PlaceId, OffsetSet)> visit);
  void load(const llvm::Value &pointer, const llvm::Value &value);
  void store(const llvm::Value &pointer, const llvm::Value &value);
  void flow(const llvm::Value &from, const llvm::Value &to, OffsetSet shift = {});
  std::optional<PlaceId> place(const llvm::Value &value) { return place(value, frame_); }
  std::optional<PlaceId> place(const llvm::Value &value, FrameId frame);
  PlaceId constant_place(const llvm::Constant &constant);
  PlaceId return_place(FrameId frame, const llvm::Type &type);

  const llvm::DataLayout &layout_;
  CallTree calls_;
  FrameId frame_ = root_frame; ///< The frame that is being visited.
  bool computes_with_addresses_;
  MemoryGraph graph_;
  AddressArithmetic arithmetic_;
  FramedMap places_;
  llvm::DenseMap<FrameId, PlaceId> returns_;
  std::vector<FramedValue> objects_;
};

/// True for a copy of a variable number of bytes between addresses without a known alignment.
bool copies_unaligned_bytes(const llvm::CallBase &call);

} // namespace assay::engine
