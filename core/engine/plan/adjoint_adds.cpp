#include "core/engine/plan/adjoint_adds.hpp"
#include "core/engine/plan/adjoint_type.hpp"
#include "core/engine/plan/value_text.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/undivided_sums.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Arguments of a kernel come from the host, which has no address of a thread's own memory.
bool is_kernel_argument(const Value &object) {
  const auto *argument = dyn_cast<Argument>(&object);
  return argument && argument->getParent()->getCallingConv() == CallingConv::PTX_Kernel;
}

AdjointAdd add_to(const Value &object) {
  if (isa<AllocaInst>(object) || is_in(*object.getType(), DeviceMemory::local))
    return AdjointAdd::plain;
  const bool is_common = isa<GlobalVariable>(object) || is_kernel_argument(object) ||
                         is_in(*object.getType(), DeviceMemory::shared) ||
                         is_in(*object.getType(), DeviceMemory::global);
  return is_common ? AdjointAdd::atomic : AdjointAdd::told_apart;
}

AdjointAdd add_behind(const Value &pointer) {
  if (!is_in(*pointer.getType(), DeviceMemory::generic))
    return is_in(*pointer.getType(), DeviceMemory::local) ? AdjointAdd::plain : AdjointAdd::atomic;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, nullptr, 0);
  std::optional<AdjointAdd> common;
  for (const Value *object : objects) {
    const AdjointAdd add = add_to(*object);
    if (common && *common != add)
      return AdjointAdd::told_apart;
    common = add;
  }
  return common.value_or(AdjointAdd::told_apart);
}

/// The place that the adjoint of a moved value is added to; null for instructions that move nothing.
const Value *source_of(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->getPointerOperand();
  const auto *copy = dyn_cast<MemTransferInst>(&instruction);
  return copy ? copy->getRawSource() : nullptr;
}

/// A float or a double somewhere: lanes of a warp add those up by shuffles (emit/warp_adds.hpp).
bool has_single_or_double(const Type &type) {
  return type.getScalarType()->isFloatTy() || type.getScalarType()->isDoubleTy() ||
         any_of(type.subtypes(), [](const Type *part) { return has_single_or_double(*part); });
}

/// Loop counters among the operands of the address, transitively.
SmallVector<PHINode *, 2> counters_in(Value &pointer) {
  SmallVector<PHINode *, 2> counters;
  SmallVector<Value *, 8> pending{&pointer};
  SmallPtrSet<Value *, 8> seen;
  while (!pending.empty()) {
    Value *value = pending.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto *phi = dyn_cast<PHINode>(value); phi && phi->getType()->isIntegerTy())
      counters.push_back(phi);
    else if (auto *instruction = dyn_cast<Instruction>(value);
             instruction && isa<GetElementPtrInst, BinaryOperator, CastInst>(instruction))
      pending.append(instruction->op_begin(), instruction->op_end());
  }
  return counters;
}

IndexBound bound_of(LoadInst &load, ScalarEvolution &evolution) {
  for (PHINode *counter : counters_in(*load.getPointerOperand()))
    for (Argument &argument : load.getFunction()->args())
      if (argument.getType() == counter->getType() &&
          evolution.isKnownPredicateAt(CmpInst::ICMP_SLT, evolution.getSCEV(counter), evolution.getSCEV(&argument),
                                       &load))
        return {counter, &argument};
  return {};
}

} // namespace

StringRef name_of(AdjointAdd add) {
  switch (add) {
  case AdjointAdd::plain:
    return "plain";
  case AdjointAdd::atomic:
    return "atomic";
  case AdjointAdd::told_apart:
    return "atomic unless local";
  case AdjointAdd::undivided:
    return "undivided";
  }
  llvm_unreachable("unknown way to add");
}

AdjointAdds plan_adjoint_adds(const AdjointAddInput &input) {
  if (!is_device_code(*input.prepared.getParent()))
    return AdjointAdds::on_host(input);
  AdjointAdds result;
  for (Instruction &instruction : instructions(input.prepared)) {
    const Value *source = source_of(instruction);
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!source || (load && !input.has_adjoint(*load)))
      continue;
    const AdjointAdd add = add_behind(*source);
    if (add == AdjointAdd::plain)
      continue;
    result.adds_[&instruction] = load && input.runtime_activity ? AdjointAdd::told_apart : add;
    if (!load)
      continue;
    if (has_single_or_double(*adjoint_type_of(*load, input.types)) &&
        lane_addresses(*source) == LaneAddresses::perhaps_alike)
      result.alike_.insert(load);
    if (const IndexBound bound = bound_of(*load, input.evolution); bound.index)
      result.bounds_[load] = bound;
  }
  return result;
}

AdjointAdds AdjointAdds::on_host(const AdjointAddInput &input) {
  AdjointAdds result;
  if (input.prepared.hasFnAttribute(undivided_sums_attribute))
    for (const Instruction &instruction : instructions(input.prepared)) {
      const Value *source = source_of(instruction);
      const auto *load = dyn_cast<LoadInst>(&instruction);
      if (source && !isa<AllocaInst>(getUnderlyingObject(source)) && (!load || input.has_adjoint(*load)))
        result.adds_[&instruction] = AdjointAdd::undivided;
    }
  return result;
}

void AdjointAdds::print(raw_ostream &out) const {
  for (const auto &[instruction, add] : adds_)
    out << "adjoint added, " << name_of(add) << (alike_.contains(instruction) ? ", once for lanes at one place" : "")
        << ": " << text_of(*instruction) << '\n';
}

} // namespace assay::engine
