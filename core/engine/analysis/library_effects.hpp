#pragma once
// What calls of library functions and intrinsics do with pointers and memory, as far as the analyses care.

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

enum class LibraryEffect : std::uint8_t {
  unknown,        ///< May mix everything that it can reach.
  none,           ///< Keeps no pointer, moves none, and writes at most numbers behind its pointer arguments.
  allocation,     ///< Returns fresh memory.
  reallocation,   ///< Returns memory with the content of argument 0.
  out_allocation, ///< Stores the address of fresh memory behind argument 0 (posix_memalign).
  deallocation,   ///< Frees argument 0.
  copy,           ///< Copies argument 2 bytes from behind argument 1 to behind argument 0; returns argument 0.
  fill,           ///< Sets bytes behind argument 0; returns argument 0.
  identity,       ///< Returns a pointer into the object of argument 0 (strchr, llvm.ptrmask, launder).
};

LibraryEffect library_effect(const llvm::CallBase &call);
/// True for a call that returns fresh memory in any way.
bool is_allocation(const llvm::CallBase &call);

/// What a call has to do with the object that is thrown.
enum class ExceptionRole : std::uint8_t { none, makes, catches };
ExceptionRole exception_role(const llvm::CallBase &call);

/// For a library function of mathematics: the pointer argument that it writes a floating result to, or -1 (modf,
/// sincos).
bool writes_floating_result(llvm::StringRef name, unsigned argument);

/// The same for an integer result (frexp, remquo, lgamma_r).
bool writes_integer_result(llvm::StringRef name, unsigned argument);

} // namespace assay::engine
