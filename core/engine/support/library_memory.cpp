// Functions that allocate, release, copy, fill or measure memory.

#include "core/engine/support/library_table.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

using Alignment = Ownership::Alignment;

LibraryFunction allocator(StringRef name, SmallVector<unsigned, 2> size, Ownership ownership) {
  return {.name = name,
          .effect = LibraryEffect::allocation,
          .memory = {.action = MemoryAction::allocate, .size = std::move(size)},
          .ownership = ownership};
}

LibraryFunction reallocator(StringRef name, LibraryRole role) {
  return {.name = name, .effect = LibraryEffect::reallocation, .role = role, .ownership = {.releaser = "free"}};
}

void add_c_allocators(LibraryTable &table) {
  const Ownership page{.releaser = "free", .alignment = Alignment::page};
  const Ownership argument_0{.releaser = "free", .alignment = Alignment::argument, .alignment_argument = 0};
  table.add(allocator("malloc", {0}, {.releaser = "free"}));
  table.add(allocator("valloc", {0}, page));
  table.add(allocator("pvalloc", {0}, page));
  table.add(allocator("aligned_alloc", {1}, argument_0));
  table.add(allocator("memalign", {1}, argument_0));
  LibraryFunction zeroed = allocator("calloc", {0, 1}, {.releaser = "free"});
  zeroed.memory.action = MemoryAction::allocate_zeroed;
  table.add(std::move(zeroed));
  table.add({.name = "posix_memalign",
             .effect = LibraryEffect::out_allocation,
             .role = LibraryRole::allocate_into,
             .memory = {.action = MemoryAction::allocate_into, .pointer = 0, .size = {2}},
             .ownership = {.releaser = "free", .alignment = Alignment::argument, .alignment_argument = 1}});
  for (StringRef name : {"realloc", "reallocf"}) {
    LibraryFunction entry = reallocator(name, LibraryRole::reallocate);
    entry.memory = {.action = MemoryAction::reallocate, .pointer = 0, .size = {1}};
    table.add(std::move(entry));
  }
  table.add(reallocator("reallocarray", LibraryRole::reallocate_array));
  for (StringRef name : {"strdup", "__strdup", "strndup", "__strndup"}) {
    LibraryFunction entry = reallocator(name, LibraryRole::duplicate_text);
    entry.activity = LibraryActivity::inactive;
    table.add(std::move(entry));
  }
  for (StringRef name : {"free", "cfree"})
    table.add({.name = name,
               .prototype = "v(p)",
               .effect = LibraryEffect::deallocation,
               .memory = {.action = MemoryAction::release, .size = {}},
               .ownership = {.releaser = "free"}});
  table.add({.name = "malloc_usable_size",
             .prototype = "i(p)",
             .activity = LibraryActivity::inactive,
             .effect = LibraryEffect::none,
             .memory = {.action = MemoryAction::measure, .pointer = 0, .size = {}}});
}

void add_pool_of_tapes(LibraryTable &table) {
  const Ownership ownership{.releaser = pool_leave_name};
  LibraryFunction take = allocator(pool_take_name, {0}, ownership);
  take.prototype = "p(i)";
  table.add(std::move(take));
  table.add({.name = pool_leave_name,
             .prototype = "v(p)",
             .effect = LibraryEffect::deallocation,
             .memory = {.action = MemoryAction::release, .size = {}},
             .ownership = ownership});
}

/// Memory of a device and what it shares with the host. Its derivatives are rules of <assay/gpu/host.hpp>.
void add_device_allocators(LibraryTable &table) {
  const std::pair<StringRef, StringRef> allocators[] = {{"cudaMalloc", "i(pi)"},
                                                        {"cudaMallocAsync", "i(pip)"},
                                                        {"cudaMallocManaged", "i(pii)"},
                                                        {"cudaMallocHost", "i(pi)"},
                                                        {"cudaHostAlloc", "i(pii)"}};
  for (const auto &[name, prototype] : allocators)
    table.add({.name = name,
               .prototype = prototype,
               .effect = LibraryEffect::out_allocation,
               .role = LibraryRole::device_memory});
}

/// The overloads of operator new and new[]: (size [, alignment] [, nothrow] [, hint]).
void add_operator_new(LibraryTable &table, StringRef mangled, StringRef released_by) {
  for (StringRef size : {"m", "j", "y"})
    for (bool is_aligned : {false, true})
      for (StringRef rest : {"", "RKSt9nothrow_t", "12__hot_cold_t", "RKSt9nothrow_t12__hot_cold_t"}) {
        const std::string alignment = is_aligned ? "St11align_val_t" : "";
        const std::string releaser = released_by.str() + alignment;
        LibraryFunction entry = allocator(table.keep((mangled + size + alignment + rest).str()), {0},
                                          {.releaser = table.keep(releaser),
                                           .alignment = is_aligned ? Alignment::argument : Alignment::usual,
                                           .alignment_argument = 1});
        entry.prototype = "~";
        table.add(std::move(entry));
      }
}

/// The overloads of operator delete and delete[]: (pointer [, size] [, alignment] [, nothrow]).
void add_operator_delete(LibraryTable &table, StringRef mangled) {
  for (StringRef size : {"", "m", "j", "y"})
    for (bool is_aligned : {false, true})
      for (StringRef rest : {"", "RKSt9nothrow_t"}) {
        const std::string alignment = is_aligned ? "St11align_val_t" : "";
        LibraryFunction entry{.name = table.keep((mangled + size + alignment + rest).str()),
                              .prototype = "~",
                              .effect = LibraryEffect::deallocation,
                              .memory = {.action = MemoryAction::release, .size = {}},
                              .ownership = {.releaser = table.keep(mangled.str() + alignment),
                                            .alignment = is_aligned ? Alignment::argument : Alignment::usual,
                                            .alignment_argument = size.empty() ? 1U : 2U}};
        if (!size.empty())
          entry.memory.size.push_back(1);
        table.add(std::move(entry));
      }
}

void add_transfers(LibraryTable &table) {
  const auto add = [&](StringRef name, LibraryEffect effect, LibraryRole role, MemoryCall memory) {
    table.add({.name = name, .effect = effect, .role = role, .memory = std::move(memory)});
  };
  const MemoryCall copy{.action = MemoryAction::copy, .pointer = 0, .source = 1, .size = {2}};
  const MemoryCall fill{.action = MemoryAction::fill, .pointer = 0, .value = 1, .size = {2}};
  add("memcpy", LibraryEffect::copy, LibraryRole::copy_bytes, copy);
  add("__memcpy_chk", LibraryEffect::copy, LibraryRole::copy_bytes, copy);
  add("memmove", LibraryEffect::copy, LibraryRole::move_bytes, copy);
  add("__memmove_chk", LibraryEffect::copy, LibraryRole::move_bytes, copy);
  add("mempcpy", LibraryEffect::unknown, LibraryRole::copy_bytes_to_end, copy);
  add("__mempcpy_chk", LibraryEffect::unknown, LibraryRole::copy_bytes_to_end, copy);
  add("memset", LibraryEffect::fill, LibraryRole::fill_bytes, fill);
  add("__memset_chk", LibraryEffect::fill, LibraryRole::fill_bytes, fill);
  add("bzero", LibraryEffect::fill, LibraryRole::clear_bytes, {});
}

} // namespace

void add_memory_functions(LibraryTable &table) {
  add_c_allocators(table);
  add_pool_of_tapes(table);
  add_device_allocators(table);
  add_operator_new(table, "_Znw", "_ZdlPv");
  add_operator_new(table, "_Zna", "_ZdaPv");
  add_operator_delete(table, "_ZdlPv");
  add_operator_delete(table, "_ZdaPv");
  add_transfers(table);
}

} // namespace assay::engine
