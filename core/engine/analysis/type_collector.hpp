#pragma once
// Fills the type trees of all memory nodes.
//
// Evidence comes from typed accesses, TBAA, debug info, layouts named by allocas, globals and GEPs, and known calls.
// Integer loads and stores say nothing by themselves, since i64 moves the bits of doubles as well; what their values
// really are is known to IntegerProvenance. EvidenceExchange takes the evidence on to wherever integers and memory are
// moved. The instructions of each kind are visited by a file of their own, type_collector_*.cpp.

#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/memory_classes.hpp"
#include "core/engine/analysis/non_escaping_bytes.hpp"
#include "core/engine/analysis/tbaa_types.hpp"
#include "core/engine/analysis/type_hints.hpp"
#include "core/engine/analysis/type_tree.hpp"

namespace assay::engine {

class TypeCollector {
public:
  TypeCollector(const MemoryClasses &memory, const TypeHints *hints);

  const TypeTree &tree(NodeId node) const { return trees_[memory_.graph().find(node)]; }
  /// The type of all words of an integer, or of a vector of integers; unknown when they differ.
  BasicType of_integer(const llvm::Value &value, FrameId frame = root_frame) const;
  bool is_only_hinted(const llvm::Value &integer) const;
  bool is_only_declared(const llvm::Value &integer) const;
  /// True when an integer comes from memory, or goes there, as it is: it may carry the bits of something else.
  bool is_moved(const llvm::Value &integer, FrameId frame = root_frame) const {
    return bits_.is_moved(framed(frame, integer));
  }
  /// True when the memory is known to hold nothing but integers and pointers.
  bool is_without_floating(NodeId node) const;

  /// True for bytes that nothing is known of although every use of their memory was seen: they mean nothing.
  bool is_unused(Location at) const {
    return closed_ && closed_->contains(at) && tree(at.node).look_up_anywhere(at.at).empty();
  }

  /// True of memory of which words are moved that are told apart when the program runs.
  bool moves_words(NodeId node) const { return moves_words_[memory_.graph().find(node)]; }

  /// True of memory to which parts of numbers are moved.
  bool holds_parts(NodeId node) const { return holds_parts_[memory_.graph().find(node)]; }

  /// True of memory of which single bytes are read or written, as of texts.
  bool has_single_bytes(NodeId node) const {
    return llvm::any_of(moves_, [&](const MemoryMove &move) {
      return move.bytes == 1 && memory_.graph().find(move.memory.node) == memory_.graph().find(node);
    });
  }

  /// True where others than the analysed functions may use the memory.
  bool is_open(Location at) const { return !closed_ || !closed_->contains(at); }

private:
  void visit(const llvm::Instruction &instruction);
  void visit_access(const llvm::Instruction &access, const llvm::Value &pointer, const llvm::Value &moved);
  void visit_gep(const llvm::GEPOperator &gep);
  llvm::SmallVector<Location, 4> places_of(const llvm::Value &pointer, Location whole) const;
  void visit_field(const llvm::Value &aggregate, llvm::ArrayRef<unsigned> path, const llvm::Value &field);
  void visit_call(const llvm::CallBase &call);
  void visit_call_of(const llvm::CallBase &call, FrameId callee);
  void hand_out(const llvm::Value &pointer);
  void visit_hint(const llvm::CallBase &call, llvm::StringRef name);
  void visit_numbers_behind(const llvm::CallBase &call);
  void visit_copy(const llvm::CallBase &call);
  llvm::ArrayRef<TaggedField> fields_of(const llvm::Instruction &access, std::optional<std::uint64_t> copied);
  void visit_tag(const llvm::Instruction &access, Location at, std::optional<std::uint64_t> copied = std::nullopt);
  void add(Location at, BasicType type, Rank rank, std::uint64_t size);
  void add_layout(Location at, llvm::Type *type);
  std::optional<Location> location(const llvm::Value &value) const { return memory_.location(value, frame_); }
  bool is_unused_word(FramedValue integer, unsigned index) const;
  void note_move(const llvm::Value &moved, Location at, MemoryMove::Direction direction);
  void find_non_escaping_bytes();

  const MemoryClasses &memory_;
  const llvm::DataLayout &layout_;
  llvm::LLVMContext &context_;
  FrameId frame_ = root_frame; ///< The frame that is being visited.
  using Fields = llvm::SmallVector<TaggedField, 8>;
  llvm::DenseMap<const llvm::MDNode *, Fields> fields_of_tags_; ///< Most accesses share their tag with others.
  Fields fields_;                                               ///< Of an access that says more than its tag.
  IntegerProvenance bits_;
  std::vector<TypeTree> trees_;
  std::vector<MemoryMove> moves_;
  std::vector<MemoryCopy> copies_;
  std::vector<bool> copied_;     ///< Nodes of which pieces are copied as bytes.
  std::vector<bool> handed_out_; ///< Nodes that a function reaches of which only the address is known.
  std::vector<bool> moves_words_;
  std::vector<bool> holds_parts_; ///< Nodes to which parts of numbers are moved.
  std::optional<NonEscapingBytes> closed_;
};

} // namespace assay::engine
