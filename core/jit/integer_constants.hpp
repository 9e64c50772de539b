#pragma once
// The integers that the code of a function's registered rules counts with. Sizes beside them are where such code goes
// wrong: the last element of a block, a table that is full, an index that is kept in a byte.

#include <cstdint>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace assay::jit {

/// Operands of comparisons, divisors, also those that masks, shifts and narrow integers stand for, lengths of arrays;
/// from 2 on, ascending. `checked` is the symbol of the function whose rules are meant.
std::vector<std::int64_t> integer_constants_of_rules(const llvm::Module &module, std::string_view checked);

} // namespace assay::jit
