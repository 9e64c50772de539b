#pragma once
// Kernels that code of this process calls like functions of the host (gpu/emulate/host_entries.cpp).

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/launch.hpp"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::gpu {

/// A launch that did not come to its end, in one sentence. Leaves the call of the entry.
struct LaunchFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Launches the kernel, or throws LaunchFailed. `arguments` is that of cudaLaunchKernel.
void run_entry(const KernelRow &kernel, const Launch &launch, void **arguments);

/// While it lives, entries run their threads in this order.
class OrderOfEntries {
public:
  explicit OrderOfEntries(const Order &order);
  ~OrderOfEntries();
  OrderOfEntries(const OrderOfEntries &) = delete;
  OrderOfEntries &operator=(const OrderOfEntries &) = delete;

private:
  Order before_;
};

class Watch;

/// While it lives, the accesses of entries with the access log are watched (watch.hpp). What is found does not end the
/// call, unless the launch fails.
class WatchOfEntries {
public:
  WatchOfEntries();
  explicit WatchOfEntries(AbsentLanes absent_lanes);
  ~WatchOfEntries();
  WatchOfEntries(const WatchOfEntries &) = delete;
  WatchOfEntries &operator=(const WatchOfEntries &) = delete;

  /// Memory of the host that an entry gets; `name` stands in findings. Within `margin` bytes nothing else is near it.
  void add_memory(const void *begin, std::size_t bytes, std::size_t margin, std::string name);
  void add(std::vector<Finding> findings);
  /// Of all calls so far, and memory of the device's heap that they left.
  std::vector<Finding> findings() const;
  bool has_atomics() const;
  bool has_narrow_atomics() const;
  const std::vector<std::string> &absent_lanes_read() const;

private:
  std::unique_ptr<Watch> watch_;
  Watch *watch_before_;
  WatchOfEntries *before_;
  std::vector<Finding> findings_;
};

/// The device as a new process finds it: no launch has failed. Memory stays.
void forget_errors();
/// Of a launch that did not begin, unless the program asked for the last error since; else empty.
std::string text_of_unchecked_launch();

/// Gives what launches have found so far to the watch; false where there is none.
bool hand_findings_to_watch();

} // namespace assay::gpu
