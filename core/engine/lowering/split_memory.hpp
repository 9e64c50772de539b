#pragma once
// In split mode, structs that are passed in memory and whose shadows the engine makes (a result behind a hidden
// pointer, a by-value argument whose gradient is returned) must be at the same place in both passes: the reverse pass
// may have kept addresses in them. They live in one block that begins with the engine's tape; for the user that block
// is the tape.

#include "core/engine/lowering/call_parser.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

class SplitMemory {
public:
  SplitMemory(const ParsedCall &parsed, const llvm::DataLayout &layout);

  /// False: the tape is the engine's alone.
  bool is_needed() const { return size_ > 0; }
  /// The augmented pass makes the block, full of zeros.
  void allocate(llvm::IRBuilderBase &builder);
  /// The reverse pass gets it as the tape; returns the engine's.
  llvm::Value *open(llvm::IRBuilderBase &builder, llvm::Value *tape);
  /// The user's tape.
  llvm::Value *close(llvm::IRBuilderBase &builder, llvm::Value *engine_tape);
  void release(llvm::IRBuilderBase &builder);

  llvm::Value *primal(llvm::IRBuilderBase &builder, unsigned parameter) const { return at(builder, parameter, 0); }
  llvm::Value *shadow(llvm::IRBuilderBase &builder, unsigned parameter, unsigned lane) const {
    return at(builder, parameter, 1 + lane);
  }

private:
  void add(const llvm::Argument &parameter, llvm::Type &type, unsigned part, const llvm::DataLayout &layout);
  llvm::Value *at(llvm::IRBuilderBase &builder, unsigned parameter, unsigned part) const;

  llvm::DenseMap<std::pair<unsigned, unsigned>, std::uint64_t> offsets_; ///< By parameter and part: primal, lanes.
  std::uint64_t size_ = 0;
  llvm::Align alignment_{16};
  llvm::Value *block_ = nullptr;
};

} // namespace assay::engine
