// Names of the C library come plain or with the suffix of a narrower or wider type (sinf, sinl). What the C++ library
// has compiled works on characters, streams, links of containers and exceptions.

#include "core/widen/externals.hpp"

#include "core/widen/functions.hpp"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace assay::widen {

namespace {

bool all_floating(const llvm::Function &function, unsigned count) {
  if (function.arg_size() != count || !function.getReturnType()->isFloatingPointTy())
    return false;
  for (const llvm::Argument &argument : function.args())
    if (!argument.getType()->isFloatingPointTy())
      return false;
  return true;
}

/// Functions of a device's library that compute with a rounding of their own, as `__nv_dadd_ru`.
ExternalKind rounded(llvm::StringRef name) {
  if (!name.consume_front("__nv_") ||
      !(name.consume_back("_rn") || name.consume_back("_rz") || name.consume_back("_ru") || name.consume_back("_rd")))
    return {};
  const External kind = llvm::StringSwitch<External>(name)
                            .Cases({"dadd", "fadd"}, External::add)
                            .Cases({"dsub", "fsub"}, External::subtract)
                            .Cases({"dmul", "fmul"}, External::multiply)
                            .Cases({"ddiv", "fdiv"}, External::divide)
                            .Cases({"drcp", "frcp"}, External::reciprocal)
                            .Cases({"dsqrt", "fsqrt"}, External::unary)
                            .Case("frsqrt", External::unary)
                            .Cases({"fma", "fmaf", "fmaf_ieee"}, External::fused_multiply)
                            .Case("double2float", External::narrow)
                            .Cases({"double2int", "double2uint", "double2ll", "double2ull"}, External::to_integer)
                            .Cases({"float2int", "float2uint", "float2ll", "float2ull"}, External::to_integer)
                            .Cases({"int2double", "uint2double", "ll2double", "ull2double"}, External::harmless)
                            .Cases({"int2float", "uint2float", "ll2float", "ull2float"}, External::harmless)
                            .Default(External::unknown);
  return {kind, *unary_function(name == "frsqrt" ? "__nv_rsqrt" : "sqrt")};
}

ExternalKind by_name(llvm::StringRef name, const llvm::Function &function) {
  const std::string_view plain(name.data(), name.size());
  if (all_floating(function, 1))
    if (const auto position = unary_function(plain))
      return {External::unary, *position};
  if (all_floating(function, 2))
    if (const auto position = binary_function(plain))
      return {External::binary, *position};
  if (const auto position = complex_function(plain))
    return {External::complex_unary, *position};
  if (llvm::StringRef stem = name;
      stem.consume_front("__nv_") && (all_floating(function, 3) || all_floating(function, 4)))
    return {llvm::is_contained({"norm3d", "norm4d", "rnorm3d", "rnorm4d"}, stem) ? External::length : External::unknown,
            stem.starts_with("r") ? 1U : 0U};
  const External kind = llvm::StringSwitch<External>(name)
                            .Case("fma", External::fused_multiply)
                            .Case("cabs", External::complex_size)
                            .Case("carg", External::complex_angle)
                            .Cases({"ldexp", "scalbn", "scalbln"}, External::scale)
                            .Case("frexp", External::split_exponent)
                            .Case("modf", External::split_whole)
                            .Cases({"sincos", "__nv_sincospi"}, External::sine_and_cosine)
                            .Case("__nv_powi", External::integer_power)
                            .Case("lgamma_r", External::log_gamma_with_sign)
                            .Cases({"jn", "yn"}, External::bessel)
                            .Cases({"nextafter", "nexttoward"}, External::neighbour)
                            .Cases({"lround", "llround", "lrint", "llrint", "ilogb"}, External::to_integer)
                            .Default(External::unknown);
  return {kind, name == "yn" || name == "__nv_sincospi" ? 1U : 0U};
}

/// `sinf` is `sin`, but `erf` is not `er`.
ExternalKind mathematical(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  if (const ExternalKind kind = rounded(name); kind.kind != External::unknown)
    return kind;
  const ExternalKind plain = by_name(name, function);
  if (plain.kind != External::unknown || name.size() < 2 || (name.back() != 'f' && name.back() != 'l'))
    return plain;
  return by_name(name.drop_back(), function);
}

External memory_function(llvm::StringRef name) {
  return llvm::StringSwitch<External>(name)
      .Cases({"malloc", "assay_gpu_malloc", "valloc", "_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t",
              "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"},
             External::allocate)
      .Cases({"aligned_alloc", "memalign"}, External::allocate)
      .Case("calloc", External::allocate_array)
      .Case("posix_memalign", External::allocate_at)
      .Cases({"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync"},
             External::allocate_at)
      .Case("cudaMallocPitch", External::allocate_rows)
      .Case("realloc", External::reallocate)
      .Cases({"free", "assay_gpu_free", "cudaFree", "cudaFreeHost", "cudaFreeAsync"}, External::release)
      .StartsWith("_ZdlPv", External::release)
      .StartsWith("_ZdaPv", External::release)
      .Cases({"memcpy", "memmove", "mempcpy", "__memcpy_chk", "__memmove_chk"}, External::copy)
      .Cases({"cudaMemcpy", "cudaMemcpyAsync"}, External::copy)
      .Cases({"cudaMemcpy2D", "cudaMemcpy2DAsync"}, External::copy_rows)
      .Cases({"cudaMemset2D", "cudaMemset2DAsync"}, External::fill_rows)
      .Cases({"cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync"}, External::copy_to_symbol)
      .Cases({"cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync"}, External::copy_from_symbol)
      .Cases({"memset", "__memset_chk", "cudaMemset", "cudaMemsetAsync"}, External::fill)
      .Cases({"memcmp", "bcmp"}, External::compare_memory)
      .Cases({"qsort", "qsort_r"}, External::sort)
      .Case("assay_gpu_warp", External::warp)
      .Cases({"__muldc3", "__mulsc3", "__mulxc3"}, External::complex_multiply)
      .Cases({"__divdc3", "__divsc3", "__divxc3"}, External::complex_divide)
      .Default(External::unknown);
}

/// Of functions that allocate.
unsigned position_of_size(llvm::StringRef name) {
  if (name == "posix_memalign")
    return 2;
  return name == "aligned_alloc" || name == "memalign" || name.starts_with("cuda") ? 1 : 0;
}

bool is_harmless(llvm::StringRef name) {
  constexpr llvm::StringLiteral prefixes[] = {
      "assay_wide_", // The run itself.
      "__cxa_",
      "_Unwind_",
      "_ZSt9terminatev",
      "_ZSt17rethrow_exception",
      "_ZSt20__throw_",
      "_ZNSo",
      "_ZNSt8ios_base",
      "_ZNKSt8ios_base",
      "_ZNSt9basic_ios",
      "_ZNKSt9basic_ios",
      "_ZNSt7__cxx1112basic_string",
      "_ZNKSt7__cxx1112basic_string",
      "_ZStlsISt11char_traits",
      "_ZSt16__ostream_insert",
      "_ZSt4endl",
      "_ZSt5flush",
      "_ZSt18_Rb_tree_",
      "_ZSt29_Rb_tree_",
      "_ZSt28_Rb_tree_",
      "_ZNSt6thread6_StateD2",
      "_ZNSt8__detail15_List_node_base",
      "_ZNKSt8__detail20_Prime_rehash_policy",
      "_ZNSt9exception",
      "_ZNKSt9exception",
      "_ZNSt13runtime_error",
      "_ZNSt11logic_error",
      "_ZNSt16invalid_argument",
      "_ZNSt12out_of_range",
      "_ZNSt12length_error",
      "_ZNSt12domain_error",
      "_ZNSt11range_error",
      "_ZNSt14overflow_error",
      "_ZNSt9bad_alloc",
      "pthread_mutex_",
      "pthread_rwlock_",
      "pthread_cond_",
      "pthread_spin_",
      "sem_",
      "__cuda", // Registration of kernels, configuration of launches.
      "cudaStream",
      "cudaEvent",
      "cudaDevice",
      "cudaFunc",
      "cudaGet",
      "_FortranAioBegin", // Statements of output; what reads is Input.
      "_FortranAioOutput",
      "_FortranAioSet",
      "_FortranAioGet",
      "_FortranAioEnableHandlers",
      "_FortranAioEndIoStatement",
      "__enzyme_",
  };
  for (const llvm::StringRef prefix : prefixes)
    if (name.starts_with(prefix))
      return prefix != "__enzyme_";
  // std::__throw_length_error(char const*) and relatives.
  if (name.starts_with("_ZSt") && name.contains("__throw_"))
    return true;
  return llvm::StringSwitch<bool>(name)
      .Cases({"printf", "fprintf", "puts", "putchar", "fputs", "fputc", "putc", "fwrite", "fflush", "vprintf"}, true)
      .Cases({"vfprintf", "sprintf", "snprintf", "vsnprintf", "perror"}, true)
      .Cases(
          {"abort", "exit", "_exit", "__assert_fail", "atexit", "__errno_location", "getenv", "__gxx_personality_v0"},
          true)
      // The emulation of kernels (gpu/runtime); launches call threads, which are widened.
      .Cases({"cudaLaunchKernel", "cudaPeekAtLastError", "cudaSetDevice", "cudaMemPrefetchAsync", "cudaMemGetInfo"},
             true)
      .Cases({"assay_gpu_run_entry", "assay_gpu_barrier", "assay_gpu_barrier_arrive", "assay_gpu_trap",
              "assay_gpu_exit", "assay_gpu_find_allocation", "assay_gpu_assert_fail", "assay_gpu_clock",
              "assay_gpu_vprintf"},
             true)
      .Cases({"strlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strcpy", "strncpy", "strcat", "memchr"},
             true)
      .Cases({"rand", "srand", "random", "srandom", "bsearch", "time", "clock", "clock_gettime", "fopen", "fclose"},
             true)
      .Cases({"__isnan", "__isnanf", "__isnanl", "isnan", "__isinf", "__isinff", "__isinfl", "isinf"}, true)
      .Cases({"__finite", "__finitef", "__finitel", "finite", "__fpclassify", "__fpclassifyf", "__fpclassifyl"}, true)
      .Cases({"__signbit", "__signbitf", "__signbitl", "nan", "nanf", "nanl", "fegetround", "fesetround"}, true)
      .Default(false);
}

} // namespace

bool is_pure_mathematics(const ExternalKind &kind) {
  switch (kind.kind) {
  case External::unary:
  case External::binary:
  case External::fused_multiply:
  case External::scale:
  case External::bessel:
  case External::length:
    return true;
  default:
    return false;
  }
}

ExternalKind kind_of_external(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  if (const External kind = memory_function(name); kind != External::unknown)
    return {kind, position_of_size(name)};
  const ExternalKind known = mathematical(function);
  if (known.kind != External::unknown)
    return known;
  return {is_harmless(name) ? External::harmless : External::unknown, 0};
}

} // namespace assay::widen
