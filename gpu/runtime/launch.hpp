#pragma once
// One launch of a kernel: block after block, with the threads of each in a chosen order.

#include "gpu/runtime/interface.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::gpu {

/// In which order blocks run, and the threads of a block between two barriers. A right kernel gives the same in all.
struct Order {
  enum class Kind : std::uint8_t { ascending, descending, random } kind = Kind::ascending;
  std::uint64_t seed = 1; ///< Of a random order.
};

struct Launch {
  Extent grid, block;
  std::uint64_t shared_bytes = 0; ///< Dynamic shared memory of each block.
};

/// What a shuffle gives in place of the value of a lane that takes no part in it: any number will do, so what the
/// kernel computes must be the same with each of these.
enum class AbsentLanes : std::uint32_t { zeros = 0, ones = 0xffffffffU };

enum class LaunchStatus : std::uint8_t { done, bad_configuration, failed };

/// Limits of every device that CUDA supports.
inline constexpr std::uint64_t most_threads_of_block = 1024, most_shared_bytes = 227 * 1024;

/// Empty, or why no device would take the launch.
std::string why_not(const KernelRow &kernel, const Launch &launch);

/// Faults are added to findings().
LaunchStatus launch_kernel(const KernelRow &kernel, const Launch &launch, void **arguments, const Order &order = {});

/// Called from a thread: ends it and the launch.
[[noreturn]] void fail_launch();
/// Called from a thread: whether the address is in memory of its own.
bool is_local(const void *address);
/// The thread that runs, in its block; code with the access log always runs in fibers.
std::uint32_t running_thread();

/// The order of the environment's ASSAY_THREAD_ORDER: `ascending`, `descending` or a number, the seed of a random one.
Order order_from_environment();

/// Of the launches so far.
struct LaunchCounts {
  std::uint64_t launches = 0, threads = 0;
};
LaunchCounts launch_counts();

} // namespace assay::gpu
