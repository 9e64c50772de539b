#include "core/widen/runtime.hpp"

#include "core/widen/arithmetic.hpp"
#include "core/widen/transport.hpp"

namespace assay::widen {

namespace {

template <class Function>
std::pair<std::string_view, void *> symbol(std::string_view name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

std::vector<std::pair<std::string_view, void *>> runtime_symbols() {
  return {
      symbol("assay_wide_add", assay_wide_add),
      symbol("assay_wide_bessel", assay_wide_bessel),
      symbol("assay_wide_binary_double", assay_wide_binary_double),
      symbol("assay_wide_binary_wide", assay_wide_binary_wide),
      symbol("assay_wide_call", assay_wide_call),
      symbol("assay_wide_clear", assay_wide_clear),
      symbol("assay_wide_complex", assay_wide_complex),
      symbol("assay_wide_sort", assay_wide_sort),
      symbol("assay_wide_compare_double", assay_wide_compare_double),
      symbol("assay_wide_compare_wide", assay_wide_compare_wide),
      symbol("assay_wide_copy", assay_wide_copy),
      symbol("assay_wide_divide_complex", assay_wide_divide_complex),
      symbol("assay_wide_divide_double", assay_wide_divide_double),
      symbol("assay_wide_divide_wide", assay_wide_divide_wide),
      symbol("assay_wide_enter", assay_wide_enter),
      symbol("assay_wide_inspect", assay_wide_inspect),
      symbol("assay_wide_inspect_memory", assay_wide_inspect_memory),
      symbol("assay_wide_join", assay_wide_join),
      symbol("assay_wide_keep", assay_wide_keep),
      symbol("assay_wide_leave", assay_wide_leave),
      symbol("assay_wide_load", assay_wide_load),
      symbol("assay_wide_load_word", assay_wide_load_word),
      symbol("assay_wide_lose", assay_wide_lose),
      symbol("assay_wide_lose_always", assay_wide_lose_always),
      symbol("assay_wide_moved", assay_wide_moved),
      symbol("assay_wide_multiply_double", assay_wide_multiply_double),
      symbol("assay_wide_multiply_wide", assay_wide_multiply_wide),
      symbol("assay_wide_narrow", assay_wide_narrow),
      symbol("assay_wide_part", assay_wide_part),
      symbol("assay_wide_power_of_integer", assay_wide_power_of_integer),
      symbol("assay_wide_put", assay_wide_put),
      symbol("assay_wide_release", assay_wide_release),
      symbol("assay_wide_results", assay_wide_results),
      symbol("assay_wide_scale", assay_wide_scale),
      symbol("assay_wide_store", assay_wide_store),
      symbol("assay_wide_store_word", assay_wide_store_word),
      symbol("assay_wide_subtract", assay_wide_subtract),
      symbol("assay_wide_take", assay_wide_take),
      symbol("assay_wide_to_integer", assay_wide_to_integer),
      symbol("assay_wide_unary_double", assay_wide_unary_double),
      symbol("assay_wide_unary_wide", assay_wide_unary_wide),
      symbol("assay_wide_usable", assay_wide_usable),
  };
}

} // namespace assay::widen
