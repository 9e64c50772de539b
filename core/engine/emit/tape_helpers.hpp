#pragma once
// The small functions that grow a tape. They are written into the module once and inlined into every sweep, so that a
// tape's state is in registers and only growing it is a call.

#include "core/engine/plan/tape_home.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// { buffer, capacity, position }, in bytes.
llvm::StructType *tape_state_type(llvm::LLVMContext &context);

/// ptr push(ptr state, i64 bytes): room for `bytes` more at the end, growing the buffer by doubling; returns its
/// address.
llvm::Function *tape_push_function(llvm::Module &module, TapeHome home = TapeHome::heap);
/// void reserve(ptr state, i64 bytes): makes room without taking it.
llvm::Function *tape_reserve_function(llvm::Module &module, TapeHome home);
/// void reserve_words(ptr state, i64 bytes, ptr stride, ptr next): the same in words. What their stride is, and where
/// the end of the tape, is said when that changes.
llvm::Function *tape_reserve_words_function(llvm::Module &module);

} // namespace assay::engine
