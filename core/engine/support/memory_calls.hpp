#pragma once
// Functions that allocate, release, copy or fill memory: the C and C++ libraries', and what is registered or annotated
// to be like them. All stages ask here, so that one list decides whose call is mirrored on shadow memory.

#include "core/engine/support/function_info.hpp"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

enum class MemoryAction : std::uint8_t {
  none,
  allocate,        ///< malloc, operator new: fresh memory with unknown content
  allocate_zeroed, ///< calloc
  allocate_into,   ///< posix_memalign: the fresh pointer is stored through operand `pointer`
  reallocate,      ///< realloc
  release,         ///< free, operator delete
  copy,            ///< memcpy, memmove and relatives: `pointer` is the destination, `source` where from
  fill,            ///< memset: `pointer` is the destination, `value` the byte
  measure,         ///< malloc_usable_size
};

/// What a call does to memory, and which operands say what. Operands that play no part are null.
struct MemoryCall {
  MemoryAction action = MemoryAction::none;
  unsigned pointer = 0; ///< Operand that is released, reallocated or written.
  unsigned source = 0;  ///< copy: operand that is read.
  unsigned value = 0;   ///< fill: operand with the byte.
  /// Bytes allocated, copied or filled; several operands are to be multiplied.
  llvm::SmallVector<unsigned, 2> size;
};

MemoryCall classify_memory_call(const llvm::CallBase &call, const FunctionInfo &function_info);

/// The C library's.
llvm::FunctionCallee malloc_function(llvm::Module &module);
llvm::FunctionCallee realloc_function(llvm::Module &module);
llvm::FunctionCallee free_function(llvm::Module &module);

} // namespace assay::engine
