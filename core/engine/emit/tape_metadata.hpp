#pragma once
// Tape memory is reached through tape accesses alone. Saying so in alias scopes lets the optimiser keep values in registers
// across tape writes and vectorise loops that fill or read a tape.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

void mark_tape_accesses(llvm::ArrayRef<llvm::Instruction *> accesses, llvm::Function &forward, llvm::Function &reverse);

} // namespace assay::engine
