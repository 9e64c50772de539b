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

/// The mark of a call that is run as it is, without derivative, because only an exception or an abort can follow it.
inline constexpr llvm::StringLiteral lost_call_attribute = "assay_lost_call";
bool is_lost_call(const llvm::CallBase &call);
/// The mark of a call of one of several candidates of an indirect call that stops the program if it cannot be
/// differentiated.
inline constexpr llvm::StringLiteral unlikely_candidate_attribute = "assay_unlikely_candidate";
bool is_unlikely_candidate(const llvm::CallBase &call);
/// The mark of a search in an object of whose result only the distance from the object's start is used.
inline constexpr llvm::StringLiteral measured_search_attribute = "assay_measured_search";
bool is_measured_search(const llvm::CallBase &call);

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
