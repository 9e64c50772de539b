#pragma once
// The functions that a program calls and does not define, as far as they are known.

#include "llvm/IR/Function.h"

#include <cstdint>

namespace assay::widen {

enum class External : std::uint8_t {
  unknown,
  harmless, ///< Neither takes numbers from the program's memory nor gives it any.
  unary,    ///< Of functions.hpp.
  binary,   ///< Of functions.hpp.
  add,      ///< __nv_dadd_ru and relatives, as the following; their roots are unary.
  subtract,
  multiply,
  divide,
  reciprocal,
  narrow,              ///< To float.
  integer_power,       ///< __nv_powi
  fused_multiply,      ///< fma
  scale,               ///< ldexp, scalbn
  split_exponent,      ///< frexp
  split_whole,         ///< modf
  sine_and_cosine,     ///< `operand` is 1 where the angle is in half turns.
  log_gamma_with_sign, ///< lgamma_r
  bessel,              ///< jn, yn
  neighbour,           ///< nextafter
  to_integer,          ///< lround and relatives
  complex_multiply,
  complex_divide,
  complex_unary,  ///< cexp and relatives; `operand` is the position in functions.hpp.
  complex_size,   ///< cabs
  complex_angle,  ///< carg
  allocate,       ///< `operand` is the size.
  allocate_array, ///< calloc
  allocate_at,    ///< posix_memalign, cudaMalloc; `operand` is the size.
  allocate_rows,  ///< cudaMallocPitch
  reallocate,
  release,
  copy,             ///< memcpy, memmove
  copy_rows,        ///< cudaMemcpy2D
  copy_to_symbol,   ///< cudaMemcpyToSymbol
  copy_from_symbol, ///< cudaMemcpyFromSymbol
  fill,             ///< memset
  fill_rows,        ///< cudaMemset2D
  compare_memory,
  sort,   ///< qsort, qsort_r
  length, ///< norm3d, norm4d of a device; `operand` is 1 for their reciprocals.
  warp    ///< Shuffles and votes of emulated kernels (gpu/runtime/interface.hpp).
};

struct ExternalKind {
  External kind = External::unknown;
  unsigned operand = 0; ///< Of allocate and allocate_at: the size; of unary and binary: the position in functions.hpp;
                        ///< bessel: 1 for yn.
};

/// Whether a call by name needs nothing but its arguments: a pointer to it can be a pointer to a widened function that
/// calls it.
bool is_pure_mathematics(const ExternalKind &kind);

/// By name and type of a function that is only declared.
ExternalKind kind_of_external(const llvm::Function &function);

} // namespace assay::widen
