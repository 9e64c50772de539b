#pragma once
// Marks that preparations leave on calls for the stages after them.

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// The mark of a call that is run as it is, without derivative, because only an exception or an abort can follow it.
inline constexpr llvm::StringLiteral noreturn_path_call_attribute = "assay_noreturn_path_call";
bool is_noreturn_path_call(const llvm::CallBase &call);
/// The mark of a call of one of several candidates of an indirect call that stops the program if it cannot be
/// differentiated.
inline constexpr llvm::StringLiteral unlikely_candidate_attribute = "assay_unlikely_candidate";
bool is_unlikely_candidate(const llvm::CallBase &call);
/// The mark of a search in an object of whose result only the distance from the object's start is used.
inline constexpr llvm::StringLiteral measured_search_attribute = "assay_measured_search";
bool is_measured_search(const llvm::CallBase &call);

} // namespace assay::engine
