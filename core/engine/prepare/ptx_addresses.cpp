// Addresses of inline PTX. Those of shared memory are integers of 32 bits, which programs make of pointers
// (`__cvta_generic_to_shared`) and count on from; here they are pointers again, which have shadows.

#include "core/engine/prepare/ptx_values.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// CUDA's functions that give an address of a pointer.
bool gives_address(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && call.arg_size() == 1 && call.getArgOperand(0)->getType()->isPointerTy() &&
         (callee->getName().contains("cvta_generic_to_") || callee->getName() == "__nvvm_get_smem_pointer");
}

/// The pointer again that an integer was made of and counted on from, through joins and loops, too.
class PointerOfAddress {
public:
  /// Null where the integer is not made of a pointer.
  Value *find(IRBuilderBase &builder, Value *address) {
    return is_made_of_pointer(*address) ? write(builder, address) : nullptr;
  }

private:
  /// A loop's value is taken for one while its own parts are looked at.
  bool is_made_of_pointer(const Value &address) {
    const auto [known, is_new] = made_of_pointer_.try_emplace(&address, true);
    if (!is_new)
      return known->second;
    const bool result = is_made_of_pointers(address);
    made_of_pointer_[&address] = result;
    return result;
  }

  bool is_made_of_pointers(const Value &address) {
    const Value *from = nullptr, *other = nullptr;
    if (address.getType()->isPointerTy() || isa<UndefValue>(address) || match(&address, m_PtrToInt(m_Value())))
      return true;
    if (match(&address, m_Trunc(m_Value(from))) || match(&address, m_ZExt(m_Value(from))))
      return is_made_of_pointer(*from);
    if (const auto *call = dyn_cast<CallBase>(&address))
      return gives_address(*call);
    if (const auto *phi = dyn_cast<PHINode>(&address))
      return all_of(phi->incoming_values(), [&](const Use &incoming) { return is_made_of_pointer(*incoming); });
    if (match(&address, m_Select(m_Value(), m_Value(from), m_Value(other))))
      return is_made_of_pointer(*from) && is_made_of_pointer(*other);
    return match(&address, m_AddLike(m_Value(from), m_Value(other))) &&
           (is_made_of_pointer(*from) || is_made_of_pointer(*other));
  }

  Value *write(IRBuilderBase &builder, Value *address) {
    Value *condition = nullptr, *from = nullptr, *other = nullptr;
    if (address->getType()->isPointerTy())
      return address;
    if (isa<UndefValue>(address))
      return PoisonValue::get(builder.getPtrTy());
    if (match(address, m_PtrToInt(m_Value(from))))
      return from;
    if (match(address, m_Trunc(m_Value(from))) || match(address, m_ZExt(m_Value(from))))
      return write(builder, from);
    if (const auto *call = dyn_cast<CallBase>(address))
      return call->getArgOperand(0);
    if (auto *phi = dyn_cast<PHINode>(address))
      return write_phi(*phi);
    if (match(address, m_Select(m_Value(condition), m_Value(from), m_Value(other))))
      return builder.CreateSelect(condition, generic(builder, from), generic(builder, other));
    match(address, m_AddLike(m_Value(from), m_Value(other)));
    if (!is_made_of_pointer(*from))
      std::swap(from, other);
    return builder.CreatePtrAdd(write(builder, from), builder.CreateSExt(other, builder.getInt64Ty()));
  }

  Value *generic(IRBuilderBase &builder, Value *address) {
    return builder.CreatePointerBitCastOrAddrSpaceCast(write(builder, address), builder.getPtrTy());
  }

  Value *write_phi(PHINode &phi) {
    PHINode *&pointer = phis_[&phi];
    if (pointer)
      return pointer;
    pointer =
        PHINode::Create(PointerType::getUnqual(phi.getContext()), phi.getNumIncomingValues(), "", phi.getIterator());
    PHINode *written = pointer; // The place in the table moves as others are written.
    for (unsigned index = 0; index < phi.getNumIncomingValues(); ++index) {
      IRBuilder<> builder(phi.getIncomingBlock(index)->getTerminator());
      written->addIncoming(generic(builder, phi.getIncomingValue(index)), phi.getIncomingBlock(index));
    }
    return written;
  }

  DenseMap<const Value *, bool> made_of_pointer_;
  DenseMap<const PHINode *, PHINode *> phis_;
};

} // namespace

Value *PtxValues::address(const PtxOperand &operand) {
  if (operand.kind != PtxOperand::Kind::address)
    return nullptr;
  const Place *base = place(operand.parts.front());
  Value *pointer = base && base->value ? PointerOfAddress().find(builder_, base->value) : nullptr;
  if (!pointer || operand.parts.size() == 1)
    return pointer;
  Value *offset = bits(operand.parts[1], 64);
  return offset ? builder_.CreatePtrAdd(pointer, offset) : nullptr;
}

} // namespace assay::engine
