#pragma once
// Bodies for the functions of BLAS, whose library a program links to as machine code.

#include "llvm/IR/Module.h"
#include <cstdint>

namespace assay::engine {

/// Whose numbers a body leaves: those of its loops, or those of the library, which it calls as well. They differ by
/// rounding.
enum class PrimalResults : std::uint8_t { of_body, of_library };

/// Gives each used declaration of a function of BLAS (`cblas_dgemm`, `dgemm_`) a body that does the same in loops, to
/// be differentiated: the program itself still calls its library. Declarations differ: integers may have 64 bits, a
/// function of Fortran has the lengths of its texts behind the arguments, or a result of f2c's. One that differs in
/// another way stays a declaration.
void add_blas_bodies(llvm::Module &module, PrimalResults results);

/// Code that calls the library besides the bodies has the numbers of the bodies alone from now on.
void drop_library_calls(llvm::Module &module);

} // namespace assay::engine
