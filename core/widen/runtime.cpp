#include "core/widen/runtime.hpp"

#include "core/widen/arithmetic.hpp"
#include "core/widen/transport.hpp"
#include "core/widen/wide_values.hpp"

namespace assay::widen {

NamedFunctions runtime_symbols() {
  return {
      named_function("assay_wide_add", assay_wide_add),
      named_function("assay_wide_bessel", assay_wide_bessel),
      named_function("assay_wide_binary_double", assay_wide_binary_double),
      named_function("assay_wide_binary_wide", assay_wide_binary_wide),
      named_function("assay_wide_call", assay_wide_call),
      named_function("assay_wide_clear", assay_wide_clear),
      named_function("assay_wide_complex", assay_wide_complex),
      named_function("assay_wide_sort", assay_wide_sort),
      named_function("assay_wide_sort_r", assay_wide_sort_r),
      named_function("assay_wide_compare_double", assay_wide_compare_double),
      named_function("assay_wide_compare_wide", assay_wide_compare_wide),
      named_function("assay_wide_copy", assay_wide_copy),
      named_function("assay_wide_copy_rows", assay_wide_copy_rows),
      named_function("assay_wide_clear_rows", assay_wide_clear_rows),
      named_function("assay_wide_divide_complex", assay_wide_divide_complex),
      named_function("assay_wide_divide_double", assay_wide_divide_double),
      named_function("assay_wide_divide_wide", assay_wide_divide_wide),
      named_function("assay_wide_enter", assay_wide_enter),
      named_function("assay_wide_inspect", assay_wide_inspect),
      named_function("assay_wide_inspect_memory", assay_wide_inspect_memory),
      named_function("assay_wide_join", assay_wide_join),
      named_function("assay_wide_keep", assay_wide_keep),
      named_function("assay_wide_leave", assay_wide_leave),
      named_function("assay_wide_load", assay_wide_load),
      named_function("assay_wide_load_word", assay_wide_load_word),
      named_function("assay_wide_lose", assay_wide_lose),
      named_function("assay_wide_lose_always", assay_wide_lose_always),
      named_function("assay_wide_moved", assay_wide_moved),
      named_function("assay_wide_multiply_double", assay_wide_multiply_double),
      named_function("assay_wide_multiply_wide", assay_wide_multiply_wide),
      named_function("assay_wide_narrow", assay_wide_narrow),
      named_function("assay_wide_compute_in", assay_wide_compute_in),
      named_function("assay_wide_part", assay_wide_part),
      named_function("assay_wide_power_of_integer", assay_wide_power_of_integer),
      named_function("assay_wide_put", assay_wide_put),
      named_function("assay_wide_release", assay_wide_release),
      named_function("assay_wide_results", assay_wide_results),
      named_function("assay_wide_scale", assay_wide_scale),
      named_function("assay_wide_store", assay_wide_store),
      named_function("assay_wide_store_word", assay_wide_store_word),
      named_function("assay_wide_subtract", assay_wide_subtract),
      named_function("assay_wide_take", assay_wide_take),
      named_function("assay_wide_to_integer", assay_wide_to_integer),
      named_function("assay_wide_unary_double", assay_wide_unary_double),
      named_function("assay_wide_unary_wide", assay_wide_unary_wide),
      named_function("assay_wide_usable", assay_wide_usable),
      named_function("assay_wide_add_numbers", assay_wide_add_numbers),
      named_function("assay_wide_binary_corrected", assay_wide_binary_corrected),
      named_function("assay_wide_bessel_corrected", assay_wide_bessel_corrected),
      named_function("assay_wide_complex_corrected", assay_wide_complex_corrected),
      named_function("assay_wide_corrected", assay_wide_corrected),
      named_function("assay_wide_correction", assay_wide_correction),
      named_function("assay_wide_divide_complex_corrected", assay_wide_divide_complex_corrected),
      named_function("assay_wide_divide_corrected", assay_wide_divide_corrected),
      named_function("assay_wide_multiply_corrected", assay_wide_multiply_corrected),
      named_function("assay_wide_power_of_integer_corrected", assay_wide_power_of_integer_corrected),
      named_function("assay_wide_subtract_numbers", assay_wide_subtract_numbers),
      named_function("assay_wide_unary_corrected", assay_wide_unary_corrected),
  };
}

} // namespace assay::widen
