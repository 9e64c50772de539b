#pragma once
// Functions of one LLVM type that a call cannot mean, because they were declared with other references.

#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// True where a reference of the function is to a larger object than the call says: in C++ each says how many bytes can
/// be dereferenced, and a call through a pointer to another type of function has no meaning. A call may say more than
/// its prototype does, as where it became part of a function that knows more. The object of a member function does not
/// count: it may be that of a base or derived class.
bool refers_to_larger_objects(const llvm::CallBase &call, const llvm::Function &function);

} // namespace assay::engine
