#pragma once
// Where in a derivative a fault can be planted, and planting it. Derivatives are taken as the engine wrote them, before
// they are tidied: each step of the emitters is still there by itself. The same derivative has the same sites every
// time.

#include "core/jit/mutate/fault.hpp"

#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace assay::jit {

/// All faults that `written`, a derivative that the engine just wrote, can have.
std::vector<Fault> faults_of(llvm::Function &written);

/// Plants `fault`; false where `written` has no such place. What is left is valid.
bool plant(llvm::Function &written, const Fault &fault);

} // namespace assay::jit
