#include "core/engine/emit/mirrored_barriers.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A barrier that also counts, or asks all threads, waits like one that does not.
Intrinsic::ID waiting_intrinsic(const IntrinsicInst &barrier) {
  switch (barrier.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
    return Intrinsic::nvvm_barrier_cta_sync_aligned_all;
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_count:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_count:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_count:
    return Intrinsic::nvvm_barrier_cta_sync_aligned_count;
  case Intrinsic::nvvm_barrier_cta_red_and_all:
  case Intrinsic::nvvm_barrier_cta_red_or_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_all:
    return Intrinsic::nvvm_barrier_cta_sync_all;
  case Intrinsic::nvvm_barrier_cta_red_and_count:
  case Intrinsic::nvvm_barrier_cta_red_or_count:
  case Intrinsic::nvvm_barrier_cta_red_popc_count:
    return Intrinsic::nvvm_barrier_cta_sync_count;
  default:
    return barrier.getIntrinsicID();
  }
}

/// Its number, how many threads, which lanes; not the question that it asks.
unsigned waiting_operands(const IntrinsicInst &barrier) {
  return Intrinsic::getType(barrier.getContext(), waiting_intrinsic(barrier))->getNumParams();
}

} // namespace

bool is_mirrored(const Instruction &instruction) {
  return synchronisation(instruction) != Synchronisation::none;
}

Error mirrored_barrier_needs(const ForwardSweep &sweep, const Instruction &barrier, function_ref<void(Value *)> need) {
  if (synchronisation(barrier) == Synchronisation::unsupported)
    return unsupported(barrier,
                       "a barrier of a grid or a cluster, or one in inline PTX, which the reverse sweep cannot repeat",
                       "wait with __syncthreads or __syncwarp, or differentiate what lies between two such barriers");
  const auto &call = cast<IntrinsicInst>(barrier);
  for (unsigned index = 0; index < waiting_operands(call); ++index)
    need(sweep.primal(call.getArgOperand(index)));
  return Error::success();
}

void emit_mirrored_barrier(ReverseEmitter &emitter, const Instruction &barrier) {
  const auto &call = cast<IntrinsicInst>(barrier);
  SmallVector<Value *, 2> operands;
  for (unsigned index = 0; index < waiting_operands(call); ++index)
    operands.push_back(emitter.lookup_primal(call.getArgOperand(index)));
  emitter.builder().CreateIntrinsic(emitter.builder().getVoidTy(), waiting_intrinsic(call), operands);
}

} // namespace assay::engine
