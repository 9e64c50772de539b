#pragma once
// Offsets of addresses as polynomials in loop counters and values that are known outside loops. They are exact
// integers: an operation is only taken apart where it cannot wrap around, or else the access itself would be undefined.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// A loop's counter of iterations from 0, or a value, read as a signed integer.
using Atom = llvm::PointerUnion<const llvm::Loop *, const llvm::Value *>;

struct IndexForm {
  std::int64_t constant = 0;
  llvm::SmallMapVector<Atom, std::int64_t, 4> linear;
  llvm::SmallMapVector<std::pair<Atom, Atom>, std::int64_t, 2> products;

  void add(const IndexForm &other, std::int64_t factor);
  bool is_linear() const { return products.empty(); }
};

class IndexForms {
public:
  explicit IndexForms(const llvm::LoopInfo &loops) : loops_(loops) {}

  /// Of an integer; parts that are not computed in known ways are atoms.
  IndexForm of(const llvm::Value &value);

  struct Address {
    const llvm::Value *base = nullptr;
    IndexForm bytes;
  };
  /// Nothing where the offset could wrap around.
  std::optional<Address> of_address(const llvm::Value &pointer, const llvm::DataLayout &layout);
  /// The innermost loop in which the atom changes; null for none.
  const llvm::Loop *home(Atom atom) const;

private:
  IndexForm of_operation(const llvm::Value &value, unsigned depth);
  std::optional<IndexForm> taken_apart(const llvm::Value &value, unsigned depth);
  std::optional<IndexForm> of_counter(const llvm::PHINode &phi, unsigned depth);

  const llvm::LoopInfo &loops_;
};

} // namespace assay::engine
