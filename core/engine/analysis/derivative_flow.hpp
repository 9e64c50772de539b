#pragma once
// The graph along which derivatives flow: from value to value by operations with a nonzero partial, from values into
// memory nodes by stores and back by loads, from actuals to formals and back by returns. The values a derivative can
// reach are then plain reachability: varied forward from the inputs, useful backward from the outputs.

#include "core/engine/analysis/subword_copies.hpp"
#include "core/engine/analysis/types_implementation.hpp"
#include "core/engine/support/function_info.hpp"

namespace assay::engine {

class DerivativeFlow {
public:
  using Vertex = unsigned;

  DerivativeFlow(const TypeAnalysis &types, const FunctionInfo &function_info);

  /// Nothing for values through which no derivative can flow (pointers, booleans, integers known to be such).
  std::optional<Vertex> vertex(const llvm::Value &value, FrameId frame = root_frame) const;
  Vertex content(NodeId node) const { return memory_.graph().find(node); }
  /// The nodes behind a pointer, and behind the pointers in their memory, and so on.
  llvm::SmallVector<NodeId, 8> reachable_nodes(const llvm::Value &value, FrameId frame = root_frame) const;
  llvm::SmallVector<NodeId, 8> reachable_nodes(NodeId node) const;
  bool may_hold_floating(NodeId node) const { return !without_floating_[memory_.graph().find(node)]; }

  /// Calls of functions with rules store no derivative in `constant` memory that they are given by reference to const.
  std::vector<bool> forward_from(llvm::ArrayRef<Vertex> starts, const std::vector<bool> &constant) const;
  std::vector<bool> backward_from(llvm::ArrayRef<Vertex> starts) const;
  bool has_references_to_const() const { return !by_reference_to_const_.empty(); }

  /// For a search that shows the way.
  unsigned vertex_count() const { return static_cast<unsigned>(successors_.size()); }
  llvm::ArrayRef<Vertex> successors(Vertex vertex) const { return successors_[vertex]; }
  llvm::ArrayRef<Vertex> predecessors(Vertex vertex) const { return predecessors_[vertex]; }

private:
  void visit(const llvm::Instruction &instruction);
  void visit_call(const llvm::CallBase &call);
  void visit_call_of(const llvm::CallBase &call, FrameId callee);
  bool is_read_by_rule(const llvm::CallBase &call, const llvm::Use &argument) const;
  bool leads_to_integers(const llvm::CallBase &call, const llvm::Use &argument) const;
  bool is_reference_to_const(const llvm::CallBase &call, const llvm::Use &argument) const;
  void visit_opaque_call(const llvm::CallBase &call);
  void visit_opaque_bits(const llvm::CallBase &call);
  Vertex bits_in(NodeId node);
  void store_bits(NodeId target, const llvm::Value &integer);
  void note_exception(const llvm::CallBase &call);
  void connect_exceptions();
  void classify_nodes();
  bool can_carry(FramedValue value) const;
  bool can_carry(const llvm::Value &value) const { return can_carry(framed(frame_, value)); }
  Vertex make_vertex(FramedValue value);
  Vertex make_vertex(const llvm::Value &value) { return make_vertex(framed(frame_, value)); }
  void connect(FramedValue from, FramedValue to);
  void connect(const llvm::Value &from, const llvm::Value &to) { connect(framed(frame_, from), framed(frame_, to)); }
  void load(const llvm::Value &pointer, const llvm::Value &value);
  void store(const llvm::Value &pointer, const llvm::Value &value);
  void move_word(Location target, const llvm::Value &value);
  Vertex add_vertex();
  std::optional<Vertex> variables_of_device(const llvm::CallBase &call);
  void connect(Vertex from, Vertex to);
  static std::vector<bool> reach(llvm::ArrayRef<Vertex> starts, const std::vector<llvm::SmallVector<Vertex, 2>> &edges,
                                 llvm::function_ref<bool(Vertex, Vertex)> is_open);

  const TypeAnalysis &types_;
  const MemoryClasses &memory_;
  const FunctionInfo &function_info_;
  SubwordCopies subword_copies_;
  FrameId frame_ = root_frame; ///< The frame that is being visited.
  FramedMap vertices_;
  std::vector<llvm::SmallVector<Vertex, 2>> successors_, predecessors_;
  llvm::DenseSet<std::pair<Vertex, Vertex>> by_reference_to_const_; ///< Edges into operands that a rule is given so.
  std::optional<Vertex> variables_of_device_;                       ///< The content of all of them.
  std::vector<bool> without_floating_;
  bool asks_for_bits_ = false;             ///< Of numbers, that memory keeps as integers.
  llvm::DenseMap<NodeId, Vertex> bits_in_; ///< By node: what such bits are in its integers.
  std::vector<NodeId> thrown_, caught_;    ///< Memory of exceptions.
};

} // namespace assay::engine
