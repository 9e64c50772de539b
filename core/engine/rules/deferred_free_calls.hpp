#pragma once
// Calls that a derivative makes on its list of memory to release (emit/deferred_frees.hpp), as a later derivative finds
// them.

#include "core/engine/rules/own_function.hpp"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

inline constexpr llvm::StringLiteral bury_name = "bury", release_buried_name = "release.buried",
                                     address_note_name = "addresses.note";

bool is_bury(const llvm::CallBase &call);
bool is_release_buried(const llvm::CallBase &call);
/// Notes a change of an address (emit/address_log.hpp).
bool is_address_note(const llvm::CallBase &call);

} // namespace assay::engine
