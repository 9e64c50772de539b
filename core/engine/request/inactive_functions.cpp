#include "core/engine/request/inactive_functions.hpp"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {
namespace {

const DenseSet<StringRef> &known_names() {
  static const DenseSet<StringRef> names = {
      // output
      "printf", "fprintf", "dprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vdprintf", "vsprintf", "vsnprintf",
      "asprintf", "vasprintf", "__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk", "__vprintf_chk",
      "__vfprintf_chk", "__vsnprintf_chk", "__vsprintf_chk", "puts", "fputs", "fputs_unlocked", "putc", "fputc", "putchar",
      "putchar_unlocked", "putw", "perror", "wprintf", "fwprintf", "vwprintf", "syslog", "vprintf_device", "vprintf_",
      // files
      "fopen", "fopen64", "fdopen", "freopen", "fclose", "fflush", "fwrite", "fwrite_unlocked", "fseek", "ftell", "rewind",
      "feof", "ferror", "clearerr", "fileno", "setbuf", "setvbuf", "remove", "rename", "tmpfile", "open", "open64", "close",
      "write", "lseek", "access", "unlink", "mkdir", "rmdir", "stat", "fstat", "getcwd", "chdir", "isatty", "ungetc", "getc",
      "fgetc", "getchar", "fgets",
      // time and random numbers
      "time", "clock", "clock_gettime", "clock_getres", "gettimeofday", "difftime", "localtime", "localtime_r", "gmtime",
      "gmtime_r", "mktime", "ctime", "strftime", "nanosleep", "usleep", "sleep", "rand", "rand_r", "srand", "random", "srandom",
      "drand48", "erand48", "lrand48", "nrand48", "mrand48", "jrand48", "srand48", "arc4random", "getrandom", "getentropy",
      // strings and characters
      "strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "memcmp", "bcmp", "strspn", "strcspn",
      "atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull", "isalpha", "isdigit", "isalnum", "isspace", "isupper",
      "islower", "ispunct", "isprint", "isxdigit", "iscntrl", "isgraph", "toupper", "tolower", "strerror", "strerror_r",
      "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "setlocale", "localeconv",
      // processes, environment, signals
      "abort", "exit", "_exit", "_Exit", "quick_exit", "atexit", "__cxa_atexit", "__cxa_finalize", "__assert_fail",
      "__assert_perror_fail", "__assert", "_assert", "__assertfail", "__stack_chk_fail", "__chk_fail", "__errno_location",
      "getenv", "setenv", "unsetenv", "secure_getenv", "system", "getpid", "getppid", "gettid", "raise", "kill", "signal",
      "sigaction", "sysconf", "getpagesize", "getrusage", "backtrace", "backtrace_symbols", "backtrace_symbols_fd",
      // threads' locks and fences (what they guard may be active, they are not)
      "pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock",
      "pthread_self", "sched_yield", "omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads", "omp_set_num_threads",
      "omp_get_wtime", "omp_get_wtick", "omp_in_parallel", "omp_get_num_procs",
      // floating-point environment and classification
      "fegetround", "fesetround", "fegetenv", "fesetenv", "feholdexcept", "feupdateenv", "feclearexcept", "feraiseexcept",
      "fetestexcept", "feenableexcept", "fedisableexcept", "__fpclassify", "__fpclassifyf", "__fpclassifyl", "__isnan",
      "__isnanf", "__isinf", "__isinff", "__finite", "__finitef", "__signbit", "__signbitf", "isnan", "isinf", "finite",
      "finitef", "ilogb", "ilogbf", "ilogbl", "lround", "lroundf", "lroundl", "llround", "llroundf", "llroundl", "lrint", "lrintf",
      "lrintl", "llrint", "llrintf", "llrintl",
      // C++ support: guards of statics, errors, terminate
      "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort", "__cxa_pure_virtual", "__cxa_deleted_virtual",
      "__clang_call_terminate", "_ZSt9terminatev", "__cxa_throw_bad_array_new_length", "__cxa_bad_cast", "__cxa_bad_typeid",
      "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_throw", "__cxa_rethrow", "__cxa_begin_catch",
      "__cxa_end_catch", "__cxa_get_exception_ptr", "__dynamic_cast", "_ZNSt9exceptionD1Ev", "_ZNSt9exceptionD2Ev",
      "_ZNKSt9exception4whatEv", "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate",
      "_ZNSt9basic_iosIcSt11char_traitsIcEE4initEPSt15basic_streambufIcS1_E", "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
      "_ZNKSt5ctypeIcE13_M_widen_initEv", "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
      // sanitizers and profiling
      "__asan_version_mismatch_check_v8", "__gcov_init", "mcount", "__fentry__", "llvm_gcda_start_file",
      // the message passing library's questions
      "MPI_Init", "MPI_Finalize", "MPI_Initialized", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Wtime", "MPI_Abort",
      "MPI_Get_processor_name", "PMPI_Comm_rank", "PMPI_Comm_size", "PMPI_Wtime",
  };
  return names;
}

// Streams and strings of the standard library, GNU's and LLVM's; thrown errors; randomness; clocks.
constexpr StringLiteral prefixes[] = {
    "_ZNSo",                         // std::ostream's members: operator<<, flush, put, _M_insert
    "_ZNSi",                         // std::istream
    "_ZNSd",                         // std::iostream
    "_ZStlsI",                       // operator<<(ostream&, ...)
    "_ZStlsR",
    "_ZSt4endlI",
    "_ZSt5flushI",
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
    "_ZNSt7__cxx1118basic_stringstreamI",
    "_ZNSt7__cxx1115basic_stringbufI",
    "_ZNKSt7__cxx1119basic_ostringstreamI",
    "_ZNSt7__cxx1112basic_stringI",
    "_ZNKSt7__cxx1112basic_stringI",
    "_ZNSt6locale",
    "_ZNKSt6locale",
    "_ZSt20__throw_", "_ZSt17__throw_", "_ZSt16__throw_", "_ZSt18__throw_", "_ZSt19__throw_", "_ZSt21__throw_", "_ZSt22__throw_",
    "_ZSt24__throw_", "_ZSt25__throw_", "_ZSt26__throw_", "_ZSt28__throw_", "_ZSt29__throw_",
    "_ZNSt11logic_errorC", "_ZNSt13runtime_errorC", "_ZNSt12out_of_rangeC", "_ZNSt16invalid_argumentC", "_ZNSt12length_errorC",
    "_ZNSt12domain_errorC", "_ZNSt11logic_errorD", "_ZNSt13runtime_errorD", "_ZNSt12out_of_rangeD", "_ZNSt16invalid_argumentD",
    "_ZNSt12length_errorD", "_ZNSt12domain_errorD",
    "_ZNSt13random_device",
    "_ZNSt6chrono",
    "_ZNKSt6chrono",
    "_ZNSt3__113basic_ostreamI",
    "_ZNSt3__1lsI",
    "_ZNSt3__18ios_base",
    "_ZNSt3__112basic_stringI",
    "_ZNKSt3__112basic_stringI",
    "_ZNSt3__15mutex", "_ZNSt3__16chrono",
    "_ZN3fmt",                       // text formatting of {fmt}
    "__ubsan_handle_", "__asan_", "__msan_", "__tsan_", "__sanitizer_", "__llvm_profile_",
    "__kmpc_global_thread_num",
    // Rust's panics and formatting
    "_ZN4core9panicking", "_ZN3std9panicking", "_ZN4core3fmt", "_ZN5alloc3fmt", "_ZN3std2io5stdio", "rust_begin_unwind",
    // Fortran's runtime input and output
    "_gfortran_st_", "_gfortran_transfer_", "_FortranAio",
};

} // namespace

bool is_known_inactive(StringRef name) {
  name.consume_front("\01");
  return known_names().contains(name) || any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

} // namespace assay::engine
