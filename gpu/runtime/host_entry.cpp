#include "gpu/runtime/host_entry.hpp"

#include "gpu/runtime/watch.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay::gpu {

namespace {

thread_local Order order_of_entries;
thread_local WatchOfEntries *watch_of_entries = nullptr;

} // namespace

OrderOfEntries::OrderOfEntries(const Order &order) : before_(std::exchange(order_of_entries, order)) {}

OrderOfEntries::~OrderOfEntries() {
  order_of_entries = before_;
}

WatchOfEntries::WatchOfEntries() : WatchOfEntries(AbsentLanes::ones) {}

WatchOfEntries::WatchOfEntries(AbsentLanes absent_lanes)
    : watch_(std::make_unique<Watch>(absent_lanes)), watch_before_(exchange_watch(watch_.get())),
      before_(std::exchange(watch_of_entries, this)) {}

WatchOfEntries::~WatchOfEntries() {
  watch_of_entries = before_;
  exchange_watch(watch_before_);
}

void WatchOfEntries::add_memory(const void *begin, std::size_t bytes, std::size_t margin, std::string name) {
  const char *first = static_cast<const char *>(begin);
  watch_->add_buffer(first, bytes, first - margin, first + bytes + margin, std::move(name));
}

void WatchOfEntries::add(std::vector<Finding> found) {
  std::ranges::move(found, std::back_inserter(findings_));
}

std::vector<Finding> WatchOfEntries::findings() const {
  std::vector<Finding> all = findings_;
  gpu::findings().take();
  watch_->add_leaks();
  std::ranges::move(gpu::findings().take(), std::back_inserter(all));
  if (std::string failure = text_of_unchecked_launch(); !failure.empty())
    all.push_back({Finding::Kind::failure, std::move(failure), {}});
  return all;
}

bool WatchOfEntries::has_atomics() const {
  return watch_->has_atomics();
}

bool WatchOfEntries::has_narrow_atomics() const {
  return watch_->has_narrow_atomics();
}

const std::vector<std::string> &WatchOfEntries::absent_lanes_read() const {
  return watch_->absent_lanes_read();
}

bool hand_findings_to_watch() {
  if (watch_of_entries)
    watch_of_entries->add(gpu::findings().take());
  return watch_of_entries != nullptr;
}

void run_entry(const KernelRow &kernel, const Launch &launch, void **arguments) {
  if (const std::string reason = why_not(kernel, launch); !reason.empty())
    throw LaunchFailed(reason);
  gpu::findings().take();
  const LaunchStatus status = launch_kernel(kernel, launch, arguments, order_of_entries);
  std::vector<Finding> found = gpu::findings().take();
  const std::string first = found.empty() ? "the launch failed" : found.front().text;
  const bool is_watched = watch_of_entries != nullptr;
  const bool has_failed = status != LaunchStatus::done || (!found.empty() && !is_watched);
  if (is_watched)
    watch_of_entries->add(std::move(found));
  if (has_failed)
    throw LaunchFailed(first);
}

} // namespace assay::gpu

using namespace assay::gpu;

void assay_gpu_run_entry(const KernelRow *kernel, void **slots, const EntryLaunch *entry) {
  void *arguments[] = {static_cast<void *>(&slots)};
  run_entry(*kernel, {entry->grid, entry->block, entry->shared_bytes}, arguments);
}
