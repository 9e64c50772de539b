#pragma once
// The parameters of a procedure of Fortran, which takes them by reference, by the debug information of flang.

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include <optional>
#include <string>
#include <vector>

namespace assay::jit {

struct FortranParameter {
  enum class Kind : std::uint8_t {
    value,     ///< With the attribute VALUE.
    integer,   ///< One, by reference.
    logical,   ///< One, by reference.
    numbers,   ///< By reference: a number, a complex one, an array, or a derived type of numbers of one type.
    section,   ///< Numbers with a descriptor: `x(:)`.
    text,      ///< Characters, whose length is a further argument.
    procedure, ///< The address of one.
  };
  Kind kind = Kind::value;
  std::string name;
  const llvm::DIType *type = nullptr;    ///< In the source.
  const llvm::DIBasicType *of = nullptr; ///< Each of its numbers.
  std::uint64_t parts = 1;               ///< Numbers in an element.
  std::uint64_t elements = 0;            ///< 0: not known.
  unsigned rank = 0;                     ///< Of an array.
  bool is_pointer = false;               ///< A section with the attribute POINTER.

  bool is_one_number() const { return kind == Kind::numbers && rank == 0 && parts == 1; }
};

struct FortranInterface {
  const llvm::DIType *result = nullptr; ///< Null for a subroutine, and where a parameter is the result.
  bool has_complex_result = false;
  std::vector<FortranParameter> parameters; ///< As the compiled function takes them, without the lengths of texts.
};

/// By its debug information.
bool is_of_fortran(const llvm::Function &function);

/// Nothing without debug information of parameters. Throws BadRequest where one cannot be made from a spec, with a
/// sentence that says which and what to do.
std::optional<FortranInterface> fortran_interface(const llvm::Function &function);

} // namespace assay::jit
