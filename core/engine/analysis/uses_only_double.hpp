#pragma once
// Whether a program computes with doubles and no other floating type: then what is known of nothing can be told by its
// size and its bits. Other floats may be there as numbers that only lead to integers, such as the load factor of a hash
// table: they carry no derivative. Long doubles may come up between doubles, as long as they stay in registers and
// local variables.

#include "core/engine/analysis/call_tree.hpp"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Notes the answers for the program as it is now; they hold until they are forgotten, whatever is written into the
/// module.
void note_uses_only_double(llvm::Module &module);
void forget_uses_only_double(llvm::Module &module);

bool uses_only_double(const llvm::Module &module);
bool uses_only_double(const CallTree &calls);

/// Whether a program has no numbers wider than floats, but for conversions for others, as for `printf`.
bool uses_only_float(const llvm::Module &module);

/// Whether a word of its memory holds an address, integers, a double or floats, and no part of another number.
bool uses_only_float_and_double(const llvm::Module &module);

} // namespace assay::engine
