#pragma once
// Kernels that code of this process calls like functions of the host (gpu/emulate/host_entries.cpp).

#include "gpu/runtime/launch.hpp"

#include <stdexcept>

namespace assay::gpu {

/// A launch that did not come to its end, in one sentence. Leaves the call of the entry.
struct LaunchFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

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

} // namespace assay::gpu
