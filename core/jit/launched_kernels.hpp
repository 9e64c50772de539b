#pragma once
// The kernels that code of the host launches, retargeted to the host, in the module of that code: so their variables
// are put back and compared as those of the host are, and whatever is done with the module (core/widen, core/trace)
// follows numbers from the host through launches and copies, since the emulated device has the memory of the host.

#include "core/jit/linked_code.hpp"
#include "gpu/emulate/retarget.hpp"

namespace llvm {
class Module;
}

namespace assay::jit {

/// Links those kernels of the file that `host` launches into it. Throws gpu::NotEmulated.
void add_launched_kernels(llvm::Module &host, const KernelCode &kernels, gpu::AccessLog log = gpu::AccessLog::absent);

/// The variables of the device that code of the kernels in a module uses, by their names there.
std::vector<std::string> variables_of_kernels(const llvm::Module &module);

} // namespace assay::jit
