#pragma once
// Moved integers share their evidence with the memory that they come from and go to, and so do the source and the
// target of each copy: in rounds, until nothing changes.

#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/non_escaping_bytes.hpp"
#include "core/engine/analysis/type_tree.hpp"
#include "llvm/ADT/ArrayRef.h"

namespace assay::engine {

class EvidenceExchange {
public:
  EvidenceExchange(llvm::MutableArrayRef<TypeTree> trees, IntegerProvenance &bits, llvm::ArrayRef<MemoryMove> moves,
                   llvm::ArrayRef<MemoryCopy> copies, llvm::LLVMContext &context)
      : trees_(trees), bits_(bits), moves_(moves), copies_(copies), context_(context) {}

  /// True when nothing changes any more.
  bool run();

private:
  std::uint64_t version(const MemoryMove &move) const;
  std::uint64_t version(const MemoryCopy &copy) const;
  bool push(const MemoryMove &move);
  bool pull(const MemoryMove &move);
  bool copy_evidence(Location from, Location to, std::optional<std::uint64_t> size);

  llvm::MutableArrayRef<TypeTree> trees_;
  IntegerProvenance &bits_;
  llvm::ArrayRef<MemoryMove> moves_;
  llvm::ArrayRef<MemoryCopy> copies_;
  llvm::LLVMContext &context_;
};

} // namespace assay::engine
