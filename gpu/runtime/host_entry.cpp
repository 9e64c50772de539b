#include "gpu/runtime/host_entry.hpp"

#include "gpu/runtime/findings.hpp"

#include <utility>

namespace assay::gpu {

namespace {

thread_local Order order_of_entries;

} // namespace

OrderOfEntries::OrderOfEntries(const Order &order) : before_(std::exchange(order_of_entries, order)) {}

OrderOfEntries::~OrderOfEntries() {
  order_of_entries = before_;
}

} // namespace assay::gpu

using namespace assay::gpu;

void assay_gpu_run_entry(const KernelRow *kernel, void **slots, const EntryLaunch *entry) {
  const Launch launch{entry->grid, entry->block, entry->shared_bytes};
  if (const std::string reason = why_not(*kernel, launch); !reason.empty())
    throw LaunchFailed(reason);
  findings().take();
  void *arguments[] = {static_cast<void *>(&slots)};
  const LaunchStatus status = launch_kernel(*kernel, launch, arguments, order_of_entries);
  const std::vector<Finding> found = findings().take();
  if (status != LaunchStatus::done || !found.empty())
    throw LaunchFailed(found.empty() ? "the launch failed" : found.front().text);
}
