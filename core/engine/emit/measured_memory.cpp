#include "core/engine/emit/measured_memory.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {

Value *measure_shadows_too(CallBase &call, ArrayRef<Value *> shadows) {
  IRBuilder<> builder(call.getNextNode());
  SmallPtrSet<const User *, 8> own;
  Value *least = &call;
  for (Value *shadow : shadows) {
    CallInst *size = builder.CreateCall(call.getFunctionType(), call.getCalledOperand(), {shadow});
    size->setCallingConv(call.getCallingConv());
    size->setDoesNotThrow();
    Value *known = builder.CreateSelect(builder.CreateIsNull(shadow), &call, size);
    least = builder.CreateBinaryIntrinsic(Intrinsic::umin, least, known);
    own.insert(cast<User>(known));
    own.insert(cast<User>(least));
  }
  call.replaceUsesWithIf(least, [&](const Use &use) { return !own.contains(use.getUser()); });
  return least;
}

} // namespace assay::engine
