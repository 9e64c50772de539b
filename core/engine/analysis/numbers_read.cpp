#include "core/engine/analysis/numbers_read.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::size_t most_addresses = 128;
using Addresses = SmallSetVector<const Value *, 16>;

bool passes_on(const Value &value) {
  return isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(value);
}

/// The allocations that an address is computed from; none where it is computed from something else.
Addresses objects_behind(const Value &pointer) {
  Addresses pending, objects;
  pending.insert(&pointer);
  for (std::size_t next = 0; next < pending.size(); ++next) {
    const Value *value = pending[next];
    if (isa<AllocaInst>(value) || isNoAliasCall(value))
      objects.insert(value);
    else if (passes_on(*value) && next < most_addresses)
      pending.insert_range(make_filter_range(cast<Instruction>(value)->operand_values(),
                                             [](const Value *operand) { return operand->getType()->isPointerTy(); }));
    else if (!isa<ConstantPointerNull, UndefValue>(value))
      return {};
  }
  return objects;
}

/// A distance or a comparison of addresses.
bool is_only_compared(const Value &integer) {
  return all_of(integer.users(), [](const User *user) {
    const auto *operation = dyn_cast<BinaryOperator>(user);
    return isa<ICmpInst>(user) || (operation && operation->getOpcode() == Instruction::Sub);
  });
}

bool is_release(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const LibraryFunction *known = callee ? library_function(*callee) : nullptr;
  return known && known->effect == LibraryEffect::deallocation;
}

class Reads {
public:
  explicit Reads(Addresses addresses) : addresses_(std::move(addresses)) {}

  Type *only_type() {
    for (std::size_t next = 0; next < addresses_.size(); ++next)
      for (const Use &use : addresses_[next]->uses())
        if (next >= most_addresses || !is_seen(use))
          return nullptr;
    return type_;
  }

private:
  bool is_seen(const Use &use) {
    const auto &user = *cast<Instruction>(use.getUser());
    if (passes_on(user) || isa<AddrSpaceCastInst>(user)) {
      addresses_.insert(&user);
      return true;
    }
    if (const auto *load = dyn_cast<LoadInst>(&user))
      return is_read(*load->getType()->getScalarType());
    if (const auto *store = dyn_cast<StoreInst>(&user))
      return use.getOperandNo() == 1 && store->getValueOperand()->getType()->isFPOrFPVectorTy();
    if (isa<MemIntrinsic>(user))
      return use.getOperandNo() == 0;
    if (isa<ICmpInst>(user) || user.isLifetimeStartOrEnd())
      return true;
    if (isa<PtrToIntInst>(user))
      return is_only_compared(user);
    const auto *call = dyn_cast<CallBase>(&user);
    return call && is_release(*call);
  }

  bool is_read(Type &type) {
    if (!type.isFloatingPointTy() || (type_ && type_ != &type))
      return false;
    type_ = &type;
    return true;
  }

  Addresses addresses_;
  Type *type_ = nullptr;
};

} // namespace

Type *only_type_read(const Value &pointer) {
  Addresses objects = objects_behind(pointer);
  return objects.empty() ? nullptr : Reads(std::move(objects)).only_type();
}

} // namespace assay::engine
