#include "core/engine/support/library_families.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {
namespace {

// Streams and strings of the standard library, GNU's and LLVM's; thrown errors; randomness; clocks; formatting.
constexpr StringLiteral inactive_families[] = {
    "_ZNSaIcE", // std::allocator<char>
    "_ZNSaIwE",
    "_ZNKSaIcE",
    "_ZNSo",   // std::ostream's members: operator<<, flush, put, _M_insert
    "_ZNSi",   // std::istream
    "_ZNSd",   // std::iostream
    "_ZStlsI", // operator<<(ostream&, ...)
    "_ZStlsR",
    "_ZStrsIcSt11char_traitsIcESaIcEE", // operator>>(istream&, string&); prepare/text_input.hpp
    "_ZSt7getlineIcSt11char_traitsIcESaIcEE",
    "_ZSt8to_charsPcS_", // numbers to text and back; what is read never gets here with a shadow
    "_ZSt10from_charsPKcS0_",
    "_ZSt4endlI",
    "_ZSt5flushI",
    "_ZSt16__ostream_insertI",
    "_ZNKSt5ctypeIcE13_M_widen_initEv",
    "_ZNSt8ios_base",
    "_ZNKSt8ios_base",
    "_ZNSt9basic_iosI",
    "_ZNKSt9basic_iosI",
    "_ZNSt13basic_ostreamI",
    "_ZNKSt13basic_ostreamI",
    "_ZNSt15basic_streambufI",
    "_ZNSt13basic_filebufI",
    "_ZNSt14basic_ofstreamI",
    "_ZNSt14basic_ifstreamI",
    "_ZNSt13basic_fstreamI",
    "_ZNSt7__cxx1119basic_ostringstreamI",
    "_ZNSt7__cxx1119basic_istringstreamI",
    "_ZNSt7__cxx1118basic_stringstreamI",
    "_ZNSt7__cxx1115basic_stringbufI",
    "_ZNKSt7__cxx1119basic_ostringstreamI",
    "_ZNSt7__cxx1112basic_stringI",
    "_ZNKSt7__cxx1112basic_stringI",
    "_ZNSt6locale",
    "_ZNKSt6locale",
    "_ZSt16__throw_",
    "_ZSt17__throw_",
    "_ZSt18__throw_",
    "_ZSt19__throw_",
    "_ZSt20__throw_",
    "_ZSt21__throw_",
    "_ZSt22__throw_",
    "_ZSt24__throw_",
    "_ZSt25__throw_",
    "_ZSt26__throw_",
    "_ZSt28__throw_",
    "_ZSt29__throw_",
    "_ZNSt11logic_errorC",
    "_ZNSt13runtime_errorC",
    "_ZNSt12out_of_rangeC",
    "_ZNSt16invalid_argumentC",
    "_ZNSt12length_errorC",
    "_ZNSt12domain_errorC",
    "_ZNSt11logic_errorD",
    "_ZNSt13runtime_errorD",
    "_ZNSt12out_of_rangeD",
    "_ZNSt16invalid_argumentD",
    "_ZNSt12length_errorD",
    "_ZNSt12domain_errorD",
    "_ZNSt13random_device",
    "_ZNSt6chrono",
    "_ZNKSt6chrono",
    "_ZNSt3__113basic_ostreamI",
    "_ZNSt3__1lsI",
    "_ZNSt3__18ios_base",
    "_ZNSt3__112basic_stringI",
    "_ZNKSt3__112basic_stringI",
    "_ZNSt3__15mutex",
    "_ZNSt3__16chrono",
    "_ZNSt6thread6_StateD",                  // of what a thread runs
    "_ZNKSt8__detail20_Prime_rehash_policy", // the sizes that hash tables grow to
    "_ZN3fmt",                               // {fmt}
    "__ubsan_handle_",
    "__asan_",
    "__msan_",
    "__tsan_",
    "__sanitizer_",
    "__llvm_profile_",
    "__kmpc_global_thread_num",
    // Rust's panics and formatting
    "_ZN4core9panicking",
    "_ZN3std9panicking",
    "_ZN4core3fmt",
    "_ZN5alloc3fmt",
    "_ZN4core3num7dec2flt",
    "_ZN4core3num7flt2dec",
    "_ZN3std3sys6random",
    "_ZN3std2io5stdio",
    "rust_begin_unwind",
    // Fortran's output, and the input of what carries no derivative
    "_gfortran_st_",
    "_gfortran_transfer_",
};

// Of flang's run-time library: output and the input of what carries no derivative, texts, integers, times, ends of the
// program. None keeps a pointer of the program's.
constexpr StringLiteral inactive_fortran[] = {
    "_FortranAioBegin",
    "_FortranAioEnd",
    "_FortranAioOutput",
    "_FortranAioSet",
    "_FortranAioEnable",
    "_FortranAioGet",
    "_FortranAioInquire",
    "_FortranAioInputAscii",
    "_FortranAioInputCharacter",
    "_FortranAioInputInteger",
    "_FortranAioInputLogical",
    "_FortranAioCheckUnitNumber",
    "_FortranAioX",
    "_FortranAStopStatement",
    "_FortranAFailImage",
    "_FortranAReportFatal",
    "_FortranAPauseStatement",
    "_FortranAProgramStart",
    "_FortranAProgramEnd",
    "_FortranARandomInit",
    "_FortranARandomSeed",
    "_FortranACpuTime",
    "_FortranASystemClock",
    "_FortranADateAndTime",
    "_FortranAGet",
    "_FortranACharacterCompare",
    "_FortranAIndex",
    "_FortranAScan",
    "_FortranAVerify",
    "_FortranALenTrim",
    "_FortranASumInteger",
    "_FortranAProductInteger",
    "_FortranAMaxvalInteger",
    "_FortranAMinvalInteger",
    "_FortranADotProductInteger",
    "_FortranADotProductLogical",
    "_FortranAIAll",
    "_FortranAIAny",
    "_FortranAIParity",
    "_FortranACount",
    "_FortranAAny",
    "_FortranAParity",
    "_FortranASize",
    "_FortranALbound",
    "_FortranAUbound",
    "_FortranAExponent",
    "_FortranAModInteger",
    "_FortranAModuloInteger",
    "_FortranASelected",
    "_FortranAClassIs",
    "_FortranASameTypeAs",
    "_FortranAExtendsTypeOf",
    "_FortranAMapException",
};

constexpr StringLiteral families_that_start_threads[] = {
    "__kmpc_fork_",         "__kmpc_omp_task", "__kmpc_task", "__kmpc_push_num_", "_ZNSt6thread15_M_start_thread",
    "_ZNSt13__future_base", // of std::async
    "pthread_barrier_",     // barriers of threads: refused for the same reason
};
constexpr StringLiteral families_that_launch_kernels[] = {"cudaLaunchDevice", "cudaGetParameterBuffer"};

// Rust's panics, formatting and backtraces in its newer mangling.
constexpr StringLiteral inactive_rust_paths[] = {
    "_4core9panicking",
    "_3std9panicking",
    "_4core3fmt",
    "_5alloc3fmt",
    "_4core3num7dec2flt",
    "_4core3num7flt2dec",
    "_3std2io",
    "_3std3sys9backtrace",
    "_3std3sys6random",
    "_3std5alloc",
    "_3std7process",
    "_5alloc7raw_vec12handle_",
    "_5alloc5alloc18handle_all",
    "_7___rustc17rust_beg",
    "_7___rustc18___rust_start_panic",
    // Backtraces. The crate's name alone may stand at the end of any instance of a template.
    "_5gimli4read",
};

const LibraryFunction rust_reallocates{
    .name = "__rust_realloc", .prototype = "p(piii)", .role = LibraryRole::rust_reallocate};
const LibraryFunction inactive_rust{.name = "_R", .prototype = "~", .activity = LibraryActivity::inactive};
const LibraryFunction string_memory{.name = "_M_create",
                                    .prototype = "~",
                                    .activity = LibraryActivity::inactive,
                                    .effect = LibraryEffect::allocation,
                                    .ownership = {.releaser = "_ZdlPv"}};

} // namespace

void add_families(LibraryTable &table) {
  for (StringRef name : {"_FortranAAll", "_FortranAAllDim"}) // No family: _FortranAAllocatable.
    table.add({.name = name, .prototype = "~", .activity = LibraryActivity::inactive, .effect = LibraryEffect::none});
  for (StringRef name : inactive_families)
    table.add_family({.name = name, .prototype = "~", .activity = LibraryActivity::inactive});
  for (StringRef name : inactive_fortran)
    table.add_family(
        {.name = name, .prototype = "~", .activity = LibraryActivity::inactive, .effect = LibraryEffect::none});
  for (StringRef name : families_that_start_threads)
    table.add_family({.name = name, .prototype = "~", .role = LibraryRole::start_threads});
  for (StringRef name : families_that_launch_kernels)
    table.add_family({.name = name, .prototype = "~", .role = LibraryRole::launch_kernel});
}

const LibraryFunction *special_member(StringRef name, const LibraryFunction &family) {
  return family.name.contains("basic_string") && name.contains("_M_create") ? &string_memory : &family;
}

const LibraryFunction *rust_function(StringRef name) {
  if (name.ends_with("__rust_realloc") || name.ends_with("__rdl_realloc"))
    return &rust_reallocates;
  const bool is_known =
      name.starts_with("_R") && any_of(inactive_rust_paths, [&](StringRef path) { return name.contains(path); });
  return is_known ? &inactive_rust : nullptr;
}

} // namespace assay::engine
