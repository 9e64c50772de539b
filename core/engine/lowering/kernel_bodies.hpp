#pragma once
// The body of a kernel as a function that code of the device can differentiate:
//
//   template <...> __device__ void run(T... arguments) { __assay_kernel_body(kernel); }
//
// (<assay/gpu/host.hpp>) gets what the kernel does as its own body. Code of a device cannot call a kernel, nor
// differentiate one, since the threads of a launch call it.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Gives each function that asks for it the body of a kernel; true where there was one. A kernel without a body in this
/// module is an error, reported to the module's context. Kernels that reach such a function, to differentiate it, keep
/// to the bounds of launches (`__launch_bounds__`) of the kernel whose body it has.
bool take_kernel_bodies(llvm::Module &module);

} // namespace assay::engine
