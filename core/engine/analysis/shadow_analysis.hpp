#pragma once
// Which memory nodes have a shadow, and where that contradicts what the caller declared.
//
// A node has a shadow when it was passed with one (and so has everything that can be reached from it), when its content
// is both varied and useful, or when it keeps pointers to memory with a shadow, since their shadows are kept in its
// own. Memory that holds nothing but integers has none, unless a derivative calls, which may know of more there: links
// that this function changes, pointers that it moves and memory that it releases have shadows then, whatever is
// known here. So has memory that a called derivative allocates, with a shadow, and this function releases.

#include "core/engine/analysis/derivative_flow.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/request.hpp"

namespace assay::engine {

class ShadowAnalysis {
public:
  ShadowAnalysis(const Request &request, const FunctionInfo &function_info, const TypeAnalysis &types,
                 const DerivativeFlow &flow);

  bool is_varied(DerivativeFlow::Vertex vertex) const { return varied_[vertex]; }
  bool is_useful(DerivativeFlow::Vertex vertex) const { return useful_[vertex]; }
  bool has_shadow(NodeId node) const { return shadow_[memory_.graph().find(node)]; }
  /// It has a shadow and is seen to hold numbers that vary.
  bool has_active_numbers(NodeId node) const;
  /// Memory that the caller passed without a shadow, or that is constant in the program.
  bool is_declared_constant(NodeId node) const { return constant_[memory_.graph().find(node)]; }
  bool is_declared_active(NodeId node) const { return given_[memory_.graph().find(node)]; }
  /// Where derivatives come from, and where they go.
  llvm::ArrayRef<DerivativeFlow::Vertex> sources() const { return sources_; }
  llvm::ArrayRef<DerivativeFlow::Vertex> sinks() const { return sinks_; }
  /// True where numbers without a shadow can be reached through arguments that have one: only constant ones are left.
  bool passes_constant_numbers(const llvm::CallBase &call) const;
  /// Memory that is the program's, in which numbers are seen that have no shadow.
  bool holds_constant_numbers(NodeId node) const;

private:
  void mark_real_nodes();
  bool is_address(const llvm::Value &value, FrameId frame) const;
  void know_constant(llvm::function_ref<bool(const llvm::Argument &)> is_constant);
  void take_declarations(const Request &request, const FunctionInfo &function_info);
  void take_globals(const Request &request, const FunctionInfo &function_info);
  void give_behind(const llvm::GlobalVariable &variable);
  bool is_written(NodeId memory) const;
  void give(const llvm::Value &value);
  std::vector<bool> memory_of_constants() const;
  bool is_known_constant(NodeId node) const { return !known_constant_.empty() && known_constant_[node]; }
  void expect(const llvm::Value &pointer);
  void expect_what_moves();
  void mark_moved_pointers();
  void mark_handed_over(const FunctionInfo &function_info);
  void close_over_stored_pointers();
  bool share_with_callees();
  bool share_with_callee(const llvm::CallBase &call, FrameId frame);
  bool is_seen_to_hold_floats(NodeId node) const;

  const TypeAnalysis &types_;
  const MemoryClasses &memory_;
  const DerivativeFlow &flow_;
  llvm::SmallVector<DerivativeFlow::Vertex, 16> sources_, sinks_;
  std::vector<bool> varied_, useful_;
  std::vector<bool> real_, given_, constant_, shadow_;
  std::vector<bool> moved_; ///< A pointer to it is stored, or passed to functions without a body.
  /// Functions that are called allocate it, and this one releases it.
  std::vector<bool> handed_over_;
  /// Memory of constant arguments of a call in a derivative: its caller knows that no number is there, though it can be
  /// reached from memory that has a shadow.
  std::vector<bool> known_constant_;
  std::vector<bool> expected_; ///< The caller expects a shadow, whatever this function knows to be there.
};

} // namespace assay::engine
