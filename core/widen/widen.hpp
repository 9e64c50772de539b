#pragma once
// Rewrites a module so that its functions carry, beside every floating-point number, a wide number that says how far it
// moves (see run.hpp). Functions keep names, signatures and addresses; called without a run they do what they did. The
// rewritten module needs the symbols of runtime.hpp.

namespace llvm {
class Module;
}

namespace assay::widen {

void widen(llvm::Module &module);

} // namespace assay::widen
