#pragma once
// Functions that allocate, release, copy or fill memory: the C and C++ libraries', and those registered or annotated
// to be like them. All stages ask here, so that one place decides whose call is mirrored on shadow memory.

#include "core/engine/support/function_info.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

MemoryCall classify_memory_call(const llvm::CallBase &call, const FunctionInfo &function_info);

/// malloc, calloc and operator new for the usual alignment, neither registered nor known by attributes.
bool is_plain_allocation(const llvm::CallBase &call, const FunctionInfo &function_info);
/// free and operator delete for it.
bool is_plain_release(const llvm::CallBase &call, const FunctionInfo &function_info);

/// The C library's.
llvm::FunctionCallee malloc_function(llvm::Module &module);
llvm::FunctionCallee realloc_function(llvm::Module &module);
llvm::FunctionCallee aligned_alloc_function(llvm::Module &module);
llvm::FunctionCallee free_function(llvm::Module &module);

} // namespace assay::engine
