#pragma once
// Which lane of a batch a value of a derivative belongs to. The emitters write the same instruction once for each lane,
// in the order of the lanes; a lane begins at the shadow arguments, the seeds, and memory that its numbers are stored
// to, and goes on with what is computed from them.

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace assay::jit {

class Lanes {
public:
  Lanes(const llvm::Function &written, unsigned width);

  /// Nothing for what belongs to no lane, or to several.
  std::optional<unsigned> lane_of(const llvm::Value *value) const;
  /// The same value of another lane, which is known wherever `value` is; null where there is none.
  llvm::Value *twin(llvm::Value &value, unsigned lane) const;

private:
  void begin_at_arguments(const llvm::Function &written);
  bool spread(const llvm::Instruction &instruction);
  bool join(const llvm::Value &value, unsigned lane);
  bool corresponds(const llvm::Instruction &one, const llvm::Instruction &other, unsigned other_lane) const;

  unsigned width_;
  llvm::DenseMap<const llvm::Value *, unsigned> lanes_;
};

} // namespace assay::jit
