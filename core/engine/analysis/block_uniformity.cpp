#include "core/engine/analysis/block_uniformity.hpp"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

InstructionUniformity uniformity_of(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
  case Intrinsic::nvvm_read_ptx_sreg_warpid:
    return InstructionUniformity::NeverUniform;
  case Intrinsic::not_intrinsic:
    return call.doesNotAccessMemory() && !call.isConvergent() ? InstructionUniformity::Default
                                                              : InstructionUniformity::NeverUniform;
  default:
    return call.isConvergent() ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
  }
}

struct Sources final : TargetTransformInfoImplBase {
  explicit Sources(const DataLayout &layout) : TargetTransformInfoImplBase(layout) {}
  bool hasBranchDivergence(const Function * /*function*/) const override { return true; }
  InstructionUniformity getInstructionUniformity(const Value *value) const override {
    if (isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst>(value)) // Local memory is each thread's own.
      return InstructionUniformity::NeverUniform;
    const auto *call = dyn_cast<CallBase>(value);
    return call ? uniformity_of(*call) : InstructionUniformity::Default;
  }
};

CycleInfo cycles_of(Function &function) {
  CycleInfo cycles;
  cycles.compute(function);
  return cycles;
}

} // namespace

BlockUniformity::BlockUniformity(Function &function)
    : dominators_(function), cycles_(cycles_of(function)),
      sources_(std::make_unique<Sources>(function.getParent()->getDataLayout())),
      info_(dominators_, cycles_, &sources_) {
  info_.compute();
}

} // namespace assay::engine
