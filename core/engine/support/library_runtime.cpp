// Functions of the run time that change the flow of control or hand functions to it: exceptions, threads, jumps, what
// runs at exit, algorithms that call back; and memory resources, which have virtual functions.

#include "core/engine/support/library_table.hpp"

using namespace llvm;

namespace assay::engine {

static void add_exceptions(LibraryTable &table) {
  const auto add = [&](StringRef name, StringRef prototype, LibraryRole role, LibraryEffect effect) {
    table.add(
        {.name = name, .prototype = prototype, .activity = LibraryActivity::inactive, .effect = effect, .role = role});
  };
  add("__cxa_allocate_exception", "p(i)", LibraryRole::make_exception, LibraryEffect::allocation);
  add("__cxa_free_exception", "v(p)", LibraryRole::none, LibraryEffect::none);
  add("__cxa_throw", "", LibraryRole::throw_exception, LibraryEffect::none);
  add("__cxa_rethrow", "v()", LibraryRole::none, LibraryEffect::none);
  add("_Unwind_Resume_or_Rethrow", "i(p)", LibraryRole::none, LibraryEffect::none);
  add("__cxa_begin_catch", "p(p)", LibraryRole::catch_exception, LibraryEffect::none);
  add("__cxa_get_exception_ptr", "p(p)", LibraryRole::catch_exception, LibraryEffect::none);
  add("__cxa_end_catch", "v()", LibraryRole::none, LibraryEffect::none);
  add("__cxa_pure_virtual", "v()", LibraryRole::never_called, LibraryEffect::none);
  add("__cxa_deleted_virtual", "v()", LibraryRole::never_called, LibraryEffect::none);
  add("__dynamic_cast", "p(pppi)", LibraryRole::search, LibraryEffect::identity);
  add("__cxa_atexit", "", LibraryRole::run_at_exit, LibraryEffect::none);
}

/// What a program calls of std::pmr. For two of its resources there are others in derivatives
/// (support/memory_resources.hpp); what the rest allocates is not seen, and a derivative that reaches their virtual
/// functions stops the program.
static void add_memory_resources(LibraryTable &table) {
  const auto add = [&](StringRef name, StringRef prototype, LibraryRole role = LibraryRole::none) {
    table.add({.name = name,
               .prototype = prototype,
               .activity = LibraryActivity::inactive,
               .effect = LibraryEffect::none,
               .role = role});
  };
  add("_ZNSt3pmr15memory_resourceD2Ev", "v(p)");
  add("_ZNSt3pmr15memory_resourceD1Ev", "v(p)");
  add("_ZNSt3pmr25monotonic_buffer_resourceD2Ev", "v(p)");
  add("_ZNSt3pmr25monotonic_buffer_resourceD1Ev", "v(p)");
  add("_ZNSt3pmr20get_default_resourceEv", "p()", LibraryRole::object_of_library);
  add("_ZNSt3pmr19new_delete_resourceEv", "p()", LibraryRole::object_of_library);
  add("_ZNSt3pmr20null_memory_resourceEv", "p()", LibraryRole::object_of_library);
}

void add_runtime_functions(LibraryTable &table) {
  const auto add = [&](StringRef name, StringRef prototype, LibraryRole role) {
    table.add({.name = name, .prototype = prototype, .role = role});
  };
  add_exceptions(table);
  add_memory_resources(table);
  add("__cxa_thread_atexit", "i(ppp)", LibraryRole::run_at_exit);
  add("qsort", "", LibraryRole::sort);
  add("qsort_r", "v(piipp)", LibraryRole::sort);
  add("bsearch", "p(ppiip)", LibraryRole::binary_search);
  add("pthread_create", "i(pppp)", LibraryRole::start_threads);
  add("thrd_create", "i(ppp)", LibraryRole::start_threads);
  add("GOMP_parallel", "~", LibraryRole::start_threads);
  add("GOMP_task", "~", LibraryRole::start_threads);
  for (StringRef name : {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__builtin_longjmp"})
    add(name, "v(pi)", LibraryRole::long_jump);
}

} // namespace assay::engine
