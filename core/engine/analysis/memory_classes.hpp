#pragma once
// Which objects each pointer of a function may point into, over the function and all defined functions that it calls.
//
// The walk turns every instruction into places and constraints of a MemoryGraph. Two pointer arguments get separate nodes
// although a caller may pass the same memory: each argument is treated by its own declared activity, as users of the
// convention expect. Nodes are unified only where the code mixes their pointers. Formals and actuals of remaining calls are
// bound without regard to the calling context; calls of unknown functions mix all that they can reach.

#include "core/engine/analysis/memory_graph.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// Where a pointer points: a node of the graph and offsets in it.
struct Location {
  NodeId node;
  OffsetSet at;
};

class MemoryClasses {
public:
  explicit MemoryClasses(const llvm::Function &root);

  /// Nothing for values that carry no pointer (null, undef, small integers, floats).
  std::optional<Location> location(const llvm::Value &value) const;
  const MemoryGraph &graph() const { return graph_; }
  /// The root first, then the defined functions that can be reached from it by direct calls.
  llvm::ArrayRef<const llvm::Function *> functions() const { return functions_.getArrayRef(); }
  /// Arguments, allocas, allocations and globals: the values whose node is an object of its own.
  llvm::ArrayRef<const llvm::Value *> objects() const { return objects_; }
  /// Nodes of the pointer slots of `node`, with their offsets.
  llvm::SmallVector<std::pair<std::int64_t, NodeId>, 4> pointees(NodeId node) const;
  /// True when the callee's body is part of the analysis and bound to this call.
  static bool analyses_body_of(const llvm::CallBase &call);
  const llvm::DataLayout &layout() const { return layout_; }

private:
  void visit(const llvm::Function &function);
  void visit(const llvm::Instruction &instruction);
  void visit_call(const llvm::CallBase &call);
  void visit_unknown_call(const llvm::CallBase &call);
  void visit_call_of(const llvm::CallBase &call, const llvm::Function &callee);
  void visit_int_to_pointer(const llvm::Value &target, const llvm::Value &integer, unsigned depth);
  void visit_initializer(const llvm::Constant &initializer, PlaceId memory, std::int64_t offset);
  void load(const llvm::Value &pointer, const llvm::Value &value);
  void store(const llvm::Value &pointer, const llvm::Value &value);
  void flow(const llvm::Value &from, const llvm::Value &to, OffsetSet shift = {});
  std::optional<PlaceId> place(const llvm::Value &value);
  std::optional<PlaceId> constant_place(const llvm::Constant &constant);

  const llvm::DataLayout &layout_;
  MemoryGraph graph_;
  llvm::DenseMap<const llvm::Value *, PlaceId> places_;
  llvm::DenseMap<const llvm::Function *, PlaceId> returns_;
  llvm::SetVector<const llvm::Function *> functions_;
  std::vector<const llvm::Value *> objects_;
  std::optional<PlaceId> outside_; ///< What unknown functions can reach on their own.
};

/// The byte offsets that the indices of a GEP add.
OffsetSet gep_offsets(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);
/// True when a value of this type can carry a pointer: pointers, integers of pointer size, aggregates.
bool may_carry_pointer(const llvm::Type &type);

} // namespace assay::engine
