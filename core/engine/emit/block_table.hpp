#pragma once
// Block-aggregated atomic sums: a hash table in shared memory, from address to sum, into which the threads of a block
// add before one of them adds each sum to memory. A device does atomic sums at one place one after the other, about 1.8
// ns each: a weight that all threads read costs as many as the launch has warps without the table, and as many as it
// has blocks with it.
//
//   clear   all threads, first of all: no place is in the table; a barrier
//   add     the slot is a hash of the place. Whoever comes first takes it, by a compare-and-swap; who finds another
//           place there adds to memory
//   flush   all threads, last of all: a barrier, and each slot that was taken is added to memory
//
// In between nobody may read the places.

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Of one type of numbers, a float or a double.
class BlockTable {
public:
  BlockTable(llvm::Module &module, llvm::Type *number) : module_(module), number_(number) {}

  /// `void()`.
  llvm::Function *clear();
  /// `void(place in global memory, number)`, which threads may call alone or together.
  llvm::Function *add();
  /// `void()`.
  llvm::Function *flush();

  /// In shared memory.
  static std::uint64_t bytes(const llvm::Type &number);

private:
  llvm::Function *function(llvm::StringRef name, llvm::ArrayRef<llvm::Type *> parameters,
                           llvm::function_ref<void(llvm::Function &)> write);
  llvm::GlobalVariable *array(llvm::StringRef name, llvm::Type *element);

  llvm::Module &module_;
  llvm::Type *number_;
};

/// How many threads a block has, and which of them this one is: 32 bits each.
llvm::Value *threads_of_block(llvm::IRBuilderBase &builder);
llvm::Value *thread_of_block(llvm::IRBuilderBase &builder);

} // namespace assay::engine
