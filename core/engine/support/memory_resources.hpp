#pragma once
// Memory resources of std::pmr whose code is in the C++ library. Derivatives use the engine's own in their place
// (core/engine/library/monotonic_resource.c, pool_resource.c).

#include "core/engine/support/function_info.hpp"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Adds those that stand for resources which the module constructs: their virtual tables are among the module's then.
void add_memory_resources(llvm::Module &module);

/// What stands for a function or a virtual table of the C++ library; null where nothing does.
llvm::GlobalValue *own_resource_for(const llvm::GlobalValue &library_value);

/// True for a call that gives an object of the library, as the default resource, in which no number of the program is:
/// the object is its own shadow.
bool gives_object_of_library(const llvm::CallBase &call, const FunctionInfo &function_info);

} // namespace assay::engine
