#pragma once
// Kernels that take structs by value, as numbers and pointers: what the command line can describe.

#include "llvm/IR/Module.h"

namespace assay::jit {

/// Each kernel of `module` with structs among its parameters becomes one of their members, in the structs' order: a
/// number or a pointer is a parameter of its type, named `grid.dx`; an array is a pointer to const, which the kernel
/// copies its elements from. Structs with members of other kinds (unions, bit fields, arrays of pointers) and kernels
/// without debug information stay as they are.
void take_apart_structs(llvm::Module &module);

} // namespace assay::jit
