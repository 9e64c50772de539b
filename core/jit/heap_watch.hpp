#pragma once
// The effects of compiled code on the heap during one call. Code that is linked with `heap_symbols` allocates and frees
// through functions that keep a list while a HeapWatch exists in their thread, and do nothing more than the C library
// otherwise.
//
// Under a watch new memory holds NaNs, so does freed memory, and freed memory is not used again before the call ends,
// as far as it fits into `most_held_back` bytes: what reads memory too early or too late shows, and what frees a block
// twice is heard of instead of crashing. Behind each block stand canaries, and freed memory that is held back is looked
// at again, so that what is written there is heard of as well.
//
// Blocks that the code hands over to a library, which frees them, stay on the list; it is the bound of what is left.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::jit {

struct HeapReport {
  std::size_t blocks_left = 0, bytes_left = 0; ///< Allocated and not freed.
  /// Blocks that were freed twice, or otherwise than they were allocated, one sentence each.
  std::vector<std::string> faults;
  std::vector<std::string> damage;   ///< Writes behind a block or after it was freed, likewise.
  std::vector<std::string> left;     ///< The kinds of blocks that were not freed, one phrase each.
  std::vector<std::string> mappings; ///< Mappings by mmap that were not unmapped, likewise.
  std::size_t allocations = 0;       ///< How often memory was allocated.
  std::size_t most_bytes = 0;        ///< The most that was allocated at once.
};

/// The function that an address of code belongs to; empty where it is none that a person wrote.
using NameOfCode = std::function<std::string(const void *)>;

class HeapWatch {
public:
  static constexpr std::size_t most_held_back = std::size_t(8) << 20;

  explicit HeapWatch(NameOfCode name_of_code = {});
  /// Freed blocks go back to the C library.
  ~HeapWatch();
  HeapWatch(const HeapWatch &) = delete;
  HeapWatch &operator=(const HeapWatch &) = delete;

  HeapReport report() const;

  /// Writes behind blocks that stay, of this watch or an earlier one of the thread, one sentence each. Such are those
  /// that can be reached from the addresses `held` in the program's variables: any other may be a library's by now.
  std::vector<std::string> overruns_of_kept(const std::function<std::vector<std::uintptr_t>()> &held) const;

  struct State;

private:
  State *state_;
  State *outer_;
};

/// In each watch of this process: code that would have more than `bytes` allocated at once calls `on_excess`, which is
/// not to return normally.
void limit_watched_heap(std::size_t bytes, void (*on_excess)());

/// The functions of the C and C++ libraries that allocate and free, by the names that code calls them.
std::vector<std::pair<std::string_view, void *>> heap_symbols();

/// Those of C that only keep the limit, for code that no watch sees; one request is compared with it.
std::vector<std::pair<std::string_view, void *>> limited_heap_symbols();

} // namespace assay::jit
