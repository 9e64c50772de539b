#pragma once
// Calls of derivatives that say where the thread's tapes lie (emit/tape_memory.hpp). What such a call reaches by name
// becomes a copy with one more parameter, the struct of the thread's memory; all other tapes are on the device's heap.

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include <vector>

namespace assay::engine {

class ThreadTapes {
public:
  void note(llvm::CallInst &call, llvm::Value &memory) { calls_.push_back({&call, &memory}); }
  /// Once all derivatives are written.
  void lower(llvm::Module &module);

private:
  struct Call {
    llvm::WeakTrackingVH call, memory;
  };
  std::vector<Call> calls_;
};

} // namespace assay::engine
