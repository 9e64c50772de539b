#pragma once
// Fills the type trees of all memory nodes, and the types of integers that are only moved about.
//
// Evidence comes from typed accesses, TBAA, layouts named by allocas, globals and GEPs, and known calls. Integer loads and
// stores say nothing by themselves, since i64 moves the bits of doubles as well; an integer's type comes from what is done
// with its value (arithmetic, bitcast, inttoptr). Moved integers and the memory that they come from and go to, and memory
// that is copied, share their evidence: this is iterated until nothing changes.

#include "core/engine/analysis/memory_classes.hpp"
#include "core/engine/analysis/type_tree.hpp"

namespace assay::engine {

class TypeCollector {
public:
  explicit TypeCollector(const MemoryClasses &memory);

  const TypeTree &tree(NodeId node) const;
  /// Of an integer (or a vector of integers) that is only moved.
  Evidence of_integer(const llvm::Value &value) const;
  /// True when an integer comes from memory, or goes there, as it is: it may carry the bits of something else.
  bool is_moved(const llvm::Value &integer) const;
  /// True when the memory is known to hold nothing but integers and pointers.
  bool is_without_floating(NodeId node) const;

private:
  struct Move { ///< An integer value goes to or comes from memory.
    const llvm::Value *value;
    Location memory;
    std::uint64_t size;
  };
  struct Copy {
    Location target, source;
    std::optional<std::uint64_t> size;
  };

  void visit(const llvm::Instruction &instruction);
  void visit_access(const llvm::Instruction &access, const llvm::Value &pointer, const llvm::Value &moved);
  void visit_call(const llvm::CallBase &call);
  void visit_uses(const llvm::Value &integer);
  void visit_tag(const llvm::Instruction &access, Location at);
  void add(Location at, BasicType type, Rank rank, std::uint64_t size);
  void add_layout(Location at, llvm::Type *type, Rank rank);
  const llvm::Value *leader(const llvm::Value &value) const;
  void join(const llvm::Value &one, const llvm::Value &other);
  bool exchange(const Move &move);
  bool copy_evidence(Location from, Location to, std::optional<std::uint64_t> size);

  const MemoryClasses &memory_;
  const llvm::DataLayout &layout_;
  llvm::LLVMContext &context_;
  std::vector<TypeTree> trees_;
  std::vector<Move> moves_;
  std::vector<Copy> copies_;
  mutable llvm::DenseMap<const llvm::Value *, const llvm::Value *> leaders_;
  llvm::DenseMap<const llvm::Value *, Evidence> integers_;
  llvm::DenseSet<const llvm::Value *> moved_; ///< Leaders.
  std::vector<bool> copied_;                  ///< Nodes of which pieces are copied as bytes.
};

} // namespace assay::engine
