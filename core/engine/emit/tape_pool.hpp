#pragma once
// Memory of the tapes of callees. A gradient may have a million calls whose reverse sweeps are functions of their own,
// each with a tape of a few words; a thread cuts these off large pieces (library/tape_pool.c).
//
// Until all derivatives are written, and where nothing is optimised, calls of these functions stand for it:
//
//   take(bytes)                       fresh memory
//   grow(memory, old bytes, bytes)    the same with more bytes, perhaps elsewhere
//   leave(memory)                     taken memory, or null, that is not used any more
//   enter(in gradient)                the tapes that are taken from here on are given back before `exit`, in this
//                                     thread; or else by the program, at any time. Returns what held before
//   exit(before)
//
// Their own bodies take memory from malloc. tidy/tape_pools.hpp puts the pool in their place.

#include "llvm/IR/Module.h"

namespace assay::engine {

llvm::FunctionCallee pool_take_function(llvm::Module &module);
llvm::FunctionCallee pool_grow_function(llvm::Module &module);
llvm::FunctionCallee pool_leave_function(llvm::Module &module);

/// Who gives back the tapes that a derivative's callees take.
enum class PoolScope : std::uint8_t {
  gradient, ///< The derivative itself, before it returns.
  program,  ///< The program, by a call of the other half.
};

/// Of a derivative that the program calls, where derivatives in the module take memory from the pool.
void add_pool_scope(llvm::Function &derivative, PoolScope scope);

} // namespace assay::engine
