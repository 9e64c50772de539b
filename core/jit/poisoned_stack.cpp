#include "core/jit/poisoned_stack.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace assay::jit {

[[gnu::noinline]] void poison_stack() {
  constexpr std::size_t poisoned_bytes = std::size_t(1) << 16U;
  std::array<std::byte, poisoned_bytes> beneath; // NOLINT(cppcoreguidelines-pro-type-member-init): filled as a whole.
  std::memset(beneath.data(), 0xff, beneath.size());
  asm volatile("" : : "r"(beneath.data()) : "memory"); // The compiler must not see that nobody reads it.
}

} // namespace assay::jit
