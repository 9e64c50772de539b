#pragma once
// The effects of calls of library functions and intrinsics on pointers and memory, as far as the analyses care.

#include "core/engine/support/library_table.hpp"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

LibraryEffect library_effect(const llvm::CallBase &call);
/// True for a call that returns fresh memory in any way.
bool is_allocation(const llvm::CallBase &call);

/// The part of a call in throwing or catching an object.
enum class ExceptionRole : std::uint8_t { none, makes, catches };
ExceptionRole exception_role(const llvm::CallBase &call);

/// For a library function of mathematics that writes a floating result through an argument (modf, sincos).
bool writes_floating_result(const llvm::Function &function);

} // namespace assay::engine
