#pragma once
// A word of a union that LLVM keeps in pieces: where one branch writes four of its eight bytes and another all, the
// pieces meet apart from each other, and are put together behind:
//
//   %high = phi i64 [ %masked, %number ], [ 0, %integer ]
//   %low  = phi i64 [ %bits, %number ], [ %count, %integer ]
//   %word = or disjoint i64 %high, (and i64 %low, 0xffffffff)
//
// becomes one phi of whole words, each of which can be told to be a number, an address or an integer. So do halves of
// 32 bits of which one branch has cut an address, and another has loaded both from memory, also where they are stored
// apart from each other.

#include "llvm/IR/Function.h"

namespace assay::engine {

void join_pieces(llvm::Function &function);

} // namespace assay::engine
