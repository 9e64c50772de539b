#include "core/engine/tidy/kernel_memory.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The struct that the pointer is loaded from, and where in it.
std::optional<std::pair<const Argument *, std::int64_t>> field_of(const Value &value) {
  const auto *load = dyn_cast<LoadInst>(&value);
  if (!load || !load->getType()->isPointerTy() || !load->isSimple())
    return std::nullopt;
  APInt offset(load->getDataLayout().getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset, true);
  const auto *argument = dyn_cast<Argument>(base);
  return argument && argument->hasByValAttr() ? std::optional(std::pair(argument, offset.getSExtValue()))
                                              : std::nullopt;
}

/// Whether an operand is where the instruction adds, by adjoint sums alone.
bool is_place_of_sums(const Use &use) {
  const auto &user = cast<Instruction>(*use.getUser());
  const unsigned place = isa<AtomicRMWInst>(user) ? AtomicRMWInst::getPointerOperandIndex() : 0;
  return use.getOperandNo() == place && place_of_sums(user) == use.get();
}

/// The target of a write other than a sum.
const Value *written_place(const Instruction &instruction) {
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return store->hasMetadata(done_again) ? nullptr : store->getPointerOperand();
  if (const auto *memory = dyn_cast<MemIntrinsic>(&instruction))
    return memory->getRawDest();
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  const auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && !place_of_sums(*atomic) ? atomic->getPointerOperand() : nullptr;
}

/// A pointer in the struct that tells a thread where its tapes are, which stays in memory where a call may change it.
bool is_from_tapes(const Value &object) {
  const auto *load = dyn_cast<LoadInst>(&object);
  const Value *from = load ? getUnderlyingObject(load->getPointerOperand(), 0) : nullptr;
  if (from && isa<LoadInst>(from))
    return is_from_tapes(*from);
  const auto *tapes = dyn_cast_or_null<AllocaInst>(from);
  const auto *type = tapes ? dyn_cast<StructType>(tapes->getAllocatedType()) : nullptr;
  return type && type->hasName() && type->getName().contains("assay::detail::gpu::CountedTapes");
}

/// Memory of the thread or the block, and what the thread allocates.
bool is_of_the_kernel(const Value &object) {
  if (is_from_tapes(object))
    return true;
  if (isa<AllocaInst, ConstantPointerNull, UndefValue>(object))
    return true;
  if (is_in(*object.getType(), DeviceMemory::shared) || is_in(*object.getType(), DeviceMemory::local))
    return true;
  const auto *call = dyn_cast<CallBase>(&object);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return call && (call->returnDoesNotAlias() ||
                  (callee && (callee->getName() == "malloc" || callee->getName().starts_with("assay.tape."))));
}

} // namespace

bool is_given_pointer(const Value &value) {
  const auto *argument = dyn_cast<Argument>(&value);
  return argument ? argument->getType()->isPointerTy() && !argument->hasByValAttr() : field_of(value).has_value();
}

SmallVector<Value *, 8> given_pointers(Function &kernel) {
  SmallVector<Value *, 8> result;
  for (Argument &argument : kernel.args())
    if (is_given_pointer(argument))
      result.push_back(&argument);
  for (Instruction &instruction : instructions(kernel))
    if (is_given_pointer(instruction))
      result.push_back(&instruction);
  return result;
}

Value *at_begin(Value &given, IRBuilderBase &builder) {
  const auto field = field_of(given);
  if (!field)
    return &given;
  Value *place = builder.CreatePtrAdd(const_cast<Argument *>(field->first), builder.getInt64(field->second));
  return builder.CreateAlignedLoad(given.getType(), place, cast<LoadInst>(given).getAlign());
}

std::optional<SmallVector<Instruction *, 8>> sums_behind(Value &given) {
  SmallVector<Instruction *, 8> result;
  SmallVector<Value *, 8> open{&given};
  SmallPtrSet<const Value *, 16> seen{&given};
  while (!open.empty())
    for (const Use &use : open.pop_back_val()->uses()) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        return std::nullopt;
      const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
      // Numbers lead nowhere: who uses this looks for pointers that are made of them.
      if (isa<PtrToIntInst, ICmpInst>(user) || (intrinsic && intrinsic->isAssumeLikeIntrinsic()))
        continue;
      if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst, PHINode, SelectInst>(user)) {
        if (seen.insert(user).second)
          open.push_back(user);
      } else if (is_place_of_sums(use)) {
        result.push_back(user);
      } else {
        return std::nullopt;
      }
    }
  return result;
}

bool writes_to_given_memory(const Instruction &instruction) {
  const Value *place = written_place(instruction);
  if (!place)
    return false;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(place, objects, nullptr, 0);
  return !all_of(objects, [](const Value *object) { return is_of_the_kernel(*object); });
}

std::optional<SmallSetVector<Value *, 4>> written_pointers(Function &kernel) {
  SmallSetVector<Value *, 4> result;
  for (const Instruction &instruction : instructions(kernel))
    if (const Value *place = written_place(instruction)) {
      SmallVector<const Value *, 4> objects;
      getUnderlyingObjects(place, objects, nullptr, 0);
      for (const Value *object : objects)
        if (is_given_pointer(*object))
          result.insert(const_cast<Value *>(object));
        else if (!is_of_the_kernel(*object))
          return std::nullopt;
    }
  return result;
}

} // namespace assay::engine
