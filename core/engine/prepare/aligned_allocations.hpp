#pragma once
// Memory that a program aligns by hand, as Eigen does for wide vectors:
//
//   original = malloc(size + alignment); aligned = (original & -alignment) + alignment; ((void **)aligned)[-1] =
//   original
//
// with free(((void **)aligned)[-1]) in the end. To follow the address through that word, all of the memory would have
// to count as addresses and numbers at once. Both become calls of functions that do the same and are registered as an
// allocator and its deallocator, so that memory which is allocated or released elsewhere keeps its form.

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Writes the two functions where something in the module looks like such an allocation. Before registrations are read.
void declare_aligned_allocators(llvm::Module &module);
/// Nobody uses them any more.
void drop_unused_aligned_allocators(llvm::Module &module);

/// Where the module has the two functions. True when something changed.
bool call_aligned_allocators(llvm::Function &function);

} // namespace assay::engine
