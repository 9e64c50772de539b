#pragma once
// Faults in the functions of rules that a file registers. They are planted once these are simplified, before anything
// is differentiated.

#include "core/jit/mutate/fault.hpp"

#include "core/jit/registered_rules.hpp"
#include "llvm/IR/Module.h"
#include <vector>

namespace assay::jit {

/// All faults that the functions of `rule` can have. Their places are these functions' symbols.
std::vector<Fault> faults_of_registered(llvm::Module &module, const RegisteredRule &rule);

/// Plants `fault`; false where no function of `rule` has such a place. What is left is valid.
bool plant_in_registered(llvm::Module &module, const RegisteredRule &rule, const Fault &fault);

} // namespace assay::jit
