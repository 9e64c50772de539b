// Functions that carry no derivative and have no other meaning to the engine: output, files, time, random numbers,
// strings, processes, locks. Those that are known by how their names begin are in library_families.cpp.

#include "core/engine/support/library_table.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr NamedPrototype printing[] = {{"printf", ""},
                                       {"fprintf", ""},
                                       {"dprintf", "i(ip.)"},
                                       {"vprintf", ""},
                                       {"vfprintf", ""},
                                       {"vdprintf", "i(ipp)"},
                                       {"__printf_chk", "i(ip.)"},
                                       {"__fprintf_chk", "i(pip.)"},
                                       {"__vprintf_chk", "i(ipp)"},
                                       {"__vfprintf_chk", "i(pipp)"},
                                       {"puts", ""},
                                       {"fputs", ""},
                                       {"fputs_unlocked", ""},
                                       {"putc", ""},
                                       {"fputc", ""},
                                       {"putchar", ""},
                                       {"putchar_unlocked", ""},
                                       {"putw", "i(ip)"},
                                       {"perror", ""},
                                       {"wprintf", "i(p.)"},
                                       {"fwprintf", "i(pp.)"},
                                       {"vwprintf", "i(pp)"},
                                       {"syslog", "v(ip.)"},
                                       {"vprintf_device", "i(pp)"},
                                       {"vprintf_", "i(pp)"}};

constexpr NamedPrototype formatting[] = {{"sprintf", ""},       {"snprintf", ""},       {"vsprintf", ""},
                                         {"vsnprintf", ""},     {"asprintf", "i(pp.)"}, {"vasprintf", "i(ppp)"},
                                         {"__sprintf_chk", ""}, {"__snprintf_chk", ""}, {"__vsnprintf_chk", ""},
                                         {"__vsprintf_chk", ""}};

constexpr NamedPrototype files[] = {
    {"fopen", ""},  {"fopen64", ""},     {"fdopen", ""},          {"freopen", "p(ppp)"}, {"fclose", ""},
    {"fflush", ""}, {"fwrite", ""},      {"fwrite_unlocked", ""}, {"fseek", ""},         {"ftell", ""},
    {"rewind", ""}, {"feof", ""},        {"ferror", ""},          {"clearerr", ""},      {"fileno", ""},
    {"setbuf", ""}, {"setvbuf", ""},     {"remove", ""},          {"rename", ""},        {"tmpfile", ""},
    {"open", ""},   {"open64", ""},      {"close", "i(i)"},       {"write", ""},         {"lseek", "i(iii)"},
    {"access", ""}, {"unlink", ""},      {"mkdir", ""},           {"rmdir", ""},         {"stat", ""},
    {"fstat", ""},  {"getcwd", "p(pi)"}, {"chdir", "i(p)"},       {"isatty", "i(i)"},    {"ungetc", ""},
    {"getc", ""},   {"fgetc", ""},       {"getchar", ""},         {"fgets", ""}};

constexpr NamedPrototype time_and_random_numbers[] = {
    {"time", "i(p)"},          {"clock", "i()"},         {"clock_gettime", "i(ip)"},
    {"clock_getres", "i(ip)"}, {"gettimeofday", ""},     {"difftime", "f(ii)"},
    {"localtime", "p(p)"},     {"localtime_r", "p(pp)"}, {"gmtime", "p(p)"},
    {"gmtime_r", "p(pp)"},     {"mktime", ""},           {"ctime", "p(p)"},
    {"strftime", "i(pipp)"},   {"nanosleep", "i(pp)"},   {"usleep", "i(i)"},
    {"sleep", "i(i)"},         {"rand", "i()"},          {"rand_r", "i(p)"},
    {"srand", "v(i)"},         {"random", "i()"},        {"srandom", "v(i)"},
    {"drand48", "f()"},        {"erand48", "f(p)"},      {"lrand48", "i()"},
    {"nrand48", "i(p)"},       {"mrand48", "i()"},       {"jrand48", "i(p)"},
    {"srand48", "v(i)"},       {"arc4random", "i()"},    {"getrandom", "i(pii)"},
    {"getentropy", "i(pi)"}};

constexpr NamedPrototype strings[] = {{"strlcpy", ""},
                                      {"strlcat", ""},
                                      {"strtok", ""},
                                      {"strtok_r", ""},
                                      {"__strtok_r", ""},
                                      {"strsep", "p(pp)"},
                                      {"strxfrm", ""},
                                      {"strlen", ""},
                                      {"strnlen", ""},
                                      {"strcmp", ""},
                                      {"strncmp", ""},
                                      {"strcasecmp", ""},
                                      {"strncasecmp", ""},
                                      {"strcoll", ""},
                                      {"memcmp", ""},
                                      {"bcmp", ""},
                                      {"strspn", ""},
                                      {"strcspn", ""},
                                      {"atof", ""},
                                      {"atoi", ""},
                                      {"atol", ""},
                                      {"atoll", ""},
                                      {"isalpha", "i(i)"},
                                      {"isdigit", ""},
                                      {"isalnum", "i(i)"},
                                      {"isspace", "i(i)"},
                                      {"isupper", "i(i)"},
                                      {"islower", "i(i)"},
                                      {"ispunct", "i(i)"},
                                      {"isprint", "i(i)"},
                                      {"isxdigit", "i(i)"},
                                      {"iscntrl", "i(i)"},
                                      {"isgraph", "i(i)"},
                                      {"toupper", "i(i)"},
                                      {"tolower", "i(i)"},
                                      {"strerror", "p(i)"},
                                      {"strerror_r", "*(ipi)"},
                                      {"__ctype_b_loc", "p()"},
                                      {"__ctype_tolower_loc", "p()"},
                                      {"__ctype_toupper_loc", "p()"},
                                      {"setlocale", "p(ip)"},
                                      {"localeconv", "p()"}};

constexpr NamedPrototype processes[] = {{"abort", ""},
                                        {"exit", ""},
                                        {"_exit", "v(i)"},
                                        {"_Exit", ""},
                                        {"quick_exit", "v(i)"},
                                        {"atexit", ""},
                                        {"__cxa_finalize", "v(p)"},
                                        {"__assert_fail", "v(ppip)"},
                                        {"__assert_perror_fail", "v(ipip)"},
                                        {"__assert", "~"},
                                        {"_assert", "v(ppi)"},
                                        {"__assertfail", "v(ppipi)"},
                                        {"__stack_chk_fail", "v()"},
                                        {"__chk_fail", "v()"},
                                        {"__errno_location", "p()"},
                                        {"getenv", ""},
                                        {"setenv", "i(ppi)"},
                                        {"unsetenv", ""},
                                        {"secure_getenv", "p(p)"},
                                        {"system", ""},
                                        {"getpid", "i()"},
                                        {"syscall", "i(i.)"},
                                        {"getppid", "i()"},
                                        {"gettid", "i()"},
                                        {"raise", "i(i)"},
                                        {"kill", "i(ii)"},
                                        {"signal", "p(ip)"},
                                        {"sigaction", "i(ipp)"},
                                        {"sysconf", "i(i)"},
                                        {"getpagesize", "i()"},
                                        {"sbrk", "p(i)"},
                                        {"getrusage", "i(ip)"},
                                        {"backtrace", "i(pi)"},
                                        {"backtrace_symbols", "p(pi)"},
                                        {"backtrace_symbols_fd", "v(pii)"}};

/// What they guard may be active, they are not.
constexpr NamedPrototype locks[] = {{"pthread_mutex_init", "i(pp)"},  {"pthread_mutex_destroy", "i(p)"},
                                    {"pthread_mutex_lock", "i(p)"},   {"pthread_mutex_trylock", "i(p)"},
                                    {"pthread_mutex_unlock", "i(p)"}, {"pthread_self", "*()"},
                                    {"sched_yield", "i()"},           {"omp_get_thread_num", "i()"},
                                    {"omp_get_num_threads", "i()"},   {"omp_get_max_threads", "i()"},
                                    {"omp_set_num_threads", "v(i)"},  {"omp_get_wtime", "f()"},
                                    {"omp_get_wtick", "f()"},         {"omp_in_parallel", "i()"},
                                    {"omp_get_num_procs", "i()"}};

/// Guards of static variables, errors, sanitizers and profiling.
constexpr NamedPrototype support[] = {{"__cxa_guard_acquire", ""},
                                      {"__cxa_guard_release", ""},
                                      {"__cxa_guard_abort", ""},
                                      {"__clang_call_terminate", "v(p)"},
                                      {"_ZSt9terminatev", ""},
                                      {"__cxa_throw_bad_array_new_length", "v()"},
                                      {"__cxa_bad_cast", "v()"},
                                      {"__cxa_bad_typeid", "v()"},
                                      {"_ZNSt9exceptionD1Ev", "~"},
                                      {"_ZNSt9exceptionD2Ev", "~"},
                                      {"_ZNKSt9exception4whatEv", "~"},
                                      {"_ZSt11_Hash_bytesPKvmm", "~"},
                                      {"_ZSt15_Fnv_hash_bytesPKvmm", "~"},
                                      {"__gcov_init", "~"},
                                      {"mcount", "v()"},
                                      {"__fentry__", "v()"},
                                      {"llvm_gcda_start_file", "~"}};

/// The message passing library's questions.
constexpr NamedPrototype messages[] = {{"MPI_Init", "i(pp)"},       {"MPI_Finalize", "i()"},
                                       {"MPI_Initialized", "i(p)"}, {"MPI_Comm_rank", "i(*p)"},
                                       {"MPI_Comm_size", "i(*p)"},  {"MPI_Wtime", "f()"},
                                       {"MPI_Abort", "i(*i)"},      {"MPI_Get_processor_name", "i(pp)"},
                                       {"PMPI_Comm_rank", "i(*p)"}, {"PMPI_Comm_size", "i(*p)"},
                                       {"PMPI_Wtime", "f()"}};

} // namespace

void add_inactive_functions(LibraryTable &table) {
  const auto add = [&](ArrayRef<NamedPrototype> group, LibraryRole role) {
    for (const NamedPrototype &named : group)
      table.add(
          {.name = named.name, .prototype = named.prototype, .activity = LibraryActivity::inactive, .role = role});
  };
  add(printing, LibraryRole::print);
  for (ArrayRef<NamedPrototype> group :
       {ArrayRef<NamedPrototype>(formatting), ArrayRef<NamedPrototype>(files),
        ArrayRef<NamedPrototype>(time_and_random_numbers), ArrayRef<NamedPrototype>(strings),
        ArrayRef<NamedPrototype>(processes), ArrayRef<NamedPrototype>(locks), ArrayRef<NamedPrototype>(support),
        ArrayRef<NamedPrototype>(messages)})
    add(group, LibraryRole::none);
}

} // namespace assay::engine
