#pragma once
// Accesses of neighbouring parts of one word.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

constexpr std::uint64_t word_bytes = 8;

/// An address: so many bytes from where another pointer leads.
struct Place {
  const llvm::Value *base;
  std::int64_t offset;
  friend bool operator==(const Place &, const Place &) = default;
  Place plus(std::uint64_t bytes) const { return {base, offset + static_cast<std::int64_t>(bytes)}; }
};

Place place_of(const llvm::Value &pointer, const llvm::DataLayout &layout);
std::uint64_t bytes_of(const llvm::Value &value, const llvm::DataLayout &layout);
/// An integer of whole bytes, less than a word.
bool is_part(const llvm::Value &value);

bool may_write(const llvm::Instruction &instruction);
/// True for instructions that may see or change memory at `place`, `size` bytes of it.
bool may_touch(const llvm::Instruction &instruction, Place place, std::uint64_t size, const llvm::DataLayout &layout);

/// The one that runs first, where both are in one block and little is between them, and nothing that `hinders`; else
/// null.
llvm::Instruction *first_of(llvm::Instruction &one, llvm::Instruction &other,
                            llvm::function_ref<bool(const llvm::Instruction &)> hinders);

/// The accesses of parts of words in `block` that end at `end`: loads or stores.
llvm::SmallVector<llvm::LoadInst *, 4> loads_before(llvm::BasicBlock &block, Place end);
llvm::SmallVector<llvm::StoreInst *, 4> stores_before(llvm::BasicBlock &block, Place end);

} // namespace assay::engine
