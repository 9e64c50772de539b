#pragma once
// Offsets in memory as sums of products of the indices and sizes of a launch: the number of the thread in its block
// (tid), of the block (ctaid), how many there are of both (ntid, nctaid), arguments of the kernel, and counters of
// loops. Launches are taken to be in one dimension, and sums not to wrap around: who uses an offset checks both.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace assay::engine {

enum class Symbol : std::uint8_t { thread, block, threads, blocks, argument, counter };

/// A product of symbols and a number. `values` says which argument or counter; null for the others.
struct ThreadTerm {
  std::int64_t number = 0;
  llvm::SmallVector<std::pair<Symbol, const llvm::Value *>, 2> factors; ///< Sorted.

  unsigned count(Symbol symbol) const;
  /// Without one such factor.
  ThreadTerm without(Symbol symbol) const;
};

/// No two terms have the same factors, and no number is zero.
class ThreadOffset {
public:
  ThreadOffset() = default;
  explicit ThreadOffset(std::int64_t number) { add({number, {}}); }
  static ThreadOffset symbol(Symbol symbol, const llvm::Value *value = nullptr);

  void add(ThreadTerm term);
  void add(const ThreadOffset &other, std::int64_t factor = 1);
  ThreadOffset times(const ThreadOffset &other) const;

  llvm::ArrayRef<ThreadTerm> terms() const { return terms_; }
  std::int64_t constant() const;
  bool is_constant() const;
  bool has(Symbol symbol) const;
  friend bool operator==(const ThreadOffset &a, const ThreadOffset &b);

  /// In 64 bits; no counters.
  llvm::Value *emit(llvm::IRBuilder<> &builder) const;

private:
  llvm::SmallVector<ThreadTerm, 4> terms_; ///< Sorted by factors.
};

/// Nothing where other values take part.
std::optional<ThreadOffset> thread_offset(const llvm::Value &integer);

/// A place relative to its object.
struct ThreadAddress {
  const llvm::Value *base = nullptr;
  std::optional<ThreadOffset> bytes;
};
ThreadAddress thread_address(const llvm::Value &pointer);

} // namespace assay::engine
