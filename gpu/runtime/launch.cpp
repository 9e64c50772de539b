// Shared memory holds NaNs at the start of each block, and a canary stands behind the dynamic part. A thread that traps
// leaves its kernel by a long jump; so does one that touches memory that is not there, from the signal's handler.

#include "gpu/runtime/launch.hpp"

#include "gpu/runtime/block.hpp"
#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/watch.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <span>

assay::gpu::ThreadContext assay_gpu_thread;

namespace {
constexpr std::uint64_t canary_bytes = 1024;
} // namespace

alignas(128) char assay_gpu_dynamic_shared[assay::gpu::most_shared_bytes + canary_bytes];

namespace assay::gpu {

namespace {

constexpr int poison = 0xff, canary = 0xa5;

/// The launch under way. Blocks run one after another in one thread of the host.
struct Running {
  const KernelRow *kernel = nullptr;
  bool in_fibers = false;
  sigjmp_buf end = {};
};
Running running;
LaunchCounts counts;

Block &fibers() {
  static Block *block = new Block; // Their stacks outlive all.
  return *block;
}

std::string title(const KernelRow &kernel) {
  return source_name(kernel.name);
}

/// A thread outside of fibers leaves by this.
enum : int { thread_ended = 1, launch_failed = 2 };

[[noreturn]] void leave(bool has_failed) {
  if (running.in_fibers) {
    if (has_failed)
      fibers().fail_thread();
    fibers().end_thread();
  }
  siglongjmp(running.end, has_failed ? launch_failed : thread_ended);
}

void on_fault(int signal, siginfo_t *info, void *) {
  const std::string what =
      signal == SIGFPE ? "divides by zero" : "accesses memory that it was not given, at " + [info] {
        std::array<char, 24> text{};
        std::snprintf(text.data(), text.size(), "%p", info->si_addr);
        return std::string(text.data());
      }();
  const std::string place = watch() ? ", at or behind " + text_of(watch()->site()) : "";
  findings().add(title(*running.kernel) + ": " + text_of(assay_gpu_thread.thread, assay_gpu_thread.block) + " " + what +
                 place);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  leave(true);
}

/// While a kernel runs.
class FaultHandlers {
public:
  FaultHandlers() {
    static std::vector<char> *stack = new std::vector<char>(std::size_t(64) << 10U);
    stack_t own{};
    own.ss_sp = stack->data();
    own.ss_size = stack->size();
    sigaltstack(&own, &stack_before_);
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (std::size_t index = 0; index < signals.size(); ++index)
      sigaction(signals[index], &action, &before_[index]);
  }
  ~FaultHandlers() {
    for (std::size_t index = 0; index < signals.size(); ++index)
      sigaction(signals[index], &before_[index], nullptr);
    sigaltstack(&stack_before_, nullptr);
  }
  FaultHandlers(const FaultHandlers &) = delete;
  FaultHandlers &operator=(const FaultHandlers &) = delete;

private:
  static constexpr std::array<int, 3> signals{SIGSEGV, SIGBUS, SIGFPE};
  std::array<struct sigaction, 3> before_{};
  stack_t stack_before_{};
};

void poison_shared(const KernelRow &kernel, std::uint64_t dynamic_bytes) {
  for (const MemoryRow &row : std::span(kernel.shared, kernel.shared_count))
    std::memset(row.address, poison, row.bytes);
  std::memset(assay_gpu_dynamic_shared, poison, dynamic_bytes);
}

bool canary_is_intact(std::uint64_t dynamic_bytes) {
  const char *end = assay_gpu_dynamic_shared + dynamic_bytes;
  return std::all_of(end, end + canary_bytes, [](char byte) { return static_cast<unsigned char>(byte) == canary; });
}

std::vector<std::uint32_t> positions(std::uint64_t count, const Order &order, std::uint64_t stream) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  if (order.kind == Order::Kind::descending)
    std::ranges::reverse(all);
  if (order.kind == Order::Kind::random) { // Fisher and Yates; std::shuffle differs from library to library.
    std::mt19937_64 random(order.seed * 0x9e3779b97f4a7c15U + stream);
    for (std::size_t left = all.size(); left > 1; --left)
      std::swap(all[left - 1], all[random() % left]);
  }
  return all;
}

Extent position(std::uint32_t index, const Extent &size) {
  return {index % size.x, index / size.x % size.y, index / size.x / size.y};
}

/// One call for each thread, in any order.
bool run_threads_alone(const KernelRow &kernel, void **arguments, std::span<const std::uint32_t> order) {
  volatile std::size_t next = 0; // A thread that ends by a jump comes back here.
  const int left = sigsetjmp(running.end, 0);
  if (left == launch_failed)
    return false;
  while (next < order.size()) {
    const std::uint32_t index = order[next];
    next = next + 1;
    assay_gpu_thread.thread = position(index, assay_gpu_thread.block_size);
    kernel.thread(arguments);
  }
  return true;
}

bool run_block(const KernelRow &kernel, void **arguments, const ThreadContext &context,
               std::span<const std::uint32_t> order, Order::Kind kind) {
  running.in_fibers = kernel.block == nullptr;
  assay_gpu_thread = context;
  if (running.in_fibers)
    return fibers().run(kernel, arguments, context, order);
  if (kind != Order::Kind::ascending)
    return run_threads_alone(kernel, arguments, order);
  const int left = sigsetjmp(running.end, 0);
  if (left == launch_failed)
    return false;
  if (left == thread_ended) { // The loop cannot go on behind it: all again would run twice what was done.
    findings().add(title(kernel) + ": a thread ended itself inside of a loop over threads");
    return false;
  }
  kernel.block(arguments, &context);
  return true;
}

} // namespace

std::string why_not(const KernelRow &kernel, const Launch &launch) {
  const Extent &block = launch.block, &grid = launch.grid;
  if (block.count() == 0 || grid.count() == 0)
    return "a launch has at least one thread";
  if (block.count() > most_threads_of_block || block.x > 1024 || block.y > 1024 || block.z > 64)
    return "a block has at most 1024 threads (1024, 1024, 64), not " + std::to_string(block.count());
  if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535)
    return "a grid has at most (2147483647, 65535, 65535) blocks";
  if (kernel.most_threads != 0 && block.count() > kernel.most_threads)
    return title(kernel) + " is compiled for blocks of at most " + std::to_string(kernel.most_threads) +
           " threads, not " + std::to_string(block.count());
  std::uint64_t shared = launch.shared_bytes;
  for (const MemoryRow &row : std::span(kernel.shared, kernel.shared_count))
    shared += row.bytes;
  if (shared > most_shared_bytes)
    return "a block has at most 232448 bytes of shared memory, not " + std::to_string(shared);
  return {};
}

LaunchStatus launch_kernel(const KernelRow &kernel, const Launch &launch, void **arguments, const Order &order) {
  if (!why_not(kernel, launch).empty())
    return LaunchStatus::bad_configuration;
  const FaultHandlers handlers;
  running.kernel = &kernel;
  ++counts.launches;
  counts.threads += launch.grid.count() * launch.block.count();

  ThreadContext context;
  context.block_size = launch.block;
  context.grid_size = launch.grid;
  context.dynamic_shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes);
  std::memset(assay_gpu_dynamic_shared + launch.shared_bytes, canary, canary_bytes);
  const bool ascending = order.kind == Order::Kind::ascending;
  const std::vector<std::uint32_t> blocks =
      ascending ? std::vector<std::uint32_t>() : positions(launch.grid.count(), order, 0);
  std::vector<std::uint32_t> threads = positions(launch.block.count(), order, 1);
  if (Watch *watching = watch())
    watching->begin_launch(kernel, launch);
  bool is_fine = true;
  for (std::uint64_t index = 0; is_fine && index < launch.grid.count(); ++index) {
    const std::uint32_t linear_index = ascending ? static_cast<std::uint32_t>(index) : blocks[index];
    context.block = position(linear_index, launch.grid);
    if (Watch *watching = watch())
      watching->begin_block(linear_index);
    if (order.kind == Order::Kind::random && index != 0)
      threads = positions(launch.block.count(), order, index + 1);
    poison_shared(kernel, launch.shared_bytes);
    is_fine = run_block(kernel, arguments, context, threads, order.kind);
  }
  running.in_fibers = false;
  if (Watch *watching = watch())
    watching->end_launch();
  if (!canary_is_intact(launch.shared_bytes))
    findings().add(title(kernel) + " writes behind its dynamic shared memory of " +
                   std::to_string(launch.shared_bytes) + " bytes");
  return is_fine ? LaunchStatus::done : LaunchStatus::failed;
}

void fail_launch() {
  leave(true);
}

bool is_local(const void *address) {
  return fibers().is_local(address);
}

std::uint32_t running_thread() {
  return fibers().current();
}

Order order_from_environment() {
  const char *asked = std::getenv("ASSAY_THREAD_ORDER");
  if (!asked || std::strcmp(asked, "ascending") == 0 || *asked == '\0')
    return {};
  if (std::strcmp(asked, "descending") == 0)
    return {Order::Kind::descending};
  return {Order::Kind::random, std::strtoull(asked, nullptr, 10)};
}

LaunchCounts launch_counts() {
  return counts;
}

} // namespace assay::gpu

// ---- What the code calls ----

using namespace assay::gpu;

std::uint32_t assay_gpu_barrier(const Site *site, std::uint32_t id, std::uint32_t threads, std::uint32_t reduction,
                                std::uint32_t predicate) {
  Waiting waiting;
  waiting.kind = Waiting::Kind::barrier;
  waiting.site = site;
  waiting.id = id;
  waiting.threads = threads;
  waiting.reduction = static_cast<BarrierReduction>(reduction);
  waiting.value = predicate;
  return static_cast<std::uint32_t>(fibers().wait(waiting));
}

void assay_gpu_barrier_arrive(const Site *site, std::uint32_t id, std::uint32_t threads) {
  Waiting waiting;
  waiting.site = site;
  waiting.id = id;
  waiting.threads = threads;
  fibers().arrive(waiting);
}

std::uint64_t assay_gpu_warp(const Site *site, std::uint32_t operation, std::uint32_t mask, std::uint64_t value,
                             std::uint32_t lane, std::uint32_t clamp) {
  Waiting waiting;
  waiting.kind = Waiting::Kind::warp;
  waiting.site = site;
  waiting.operation = static_cast<WarpOperation>(operation);
  waiting.mask = mask;
  waiting.value = value;
  waiting.lane = lane;
  waiting.clamp = clamp;
  return fibers().wait(waiting);
}

void assay_gpu_trap(const Site *site) {
  findings().add(title(*running.kernel) + ": " + text_of(assay_gpu_thread.thread, assay_gpu_thread.block) +
                 " traps at " + text_of(site));
  leave(true);
}

void assay_gpu_exit(const Site *) {
  leave(false);
}

void assay_gpu_assert_fail(const char *message, const char *file, std::uint32_t line, const char *function,
                           std::uint64_t) {
  const Extent &block = assay_gpu_thread.block, &thread = assay_gpu_thread.thread;
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
               function, block.x, block.y, block.z, thread.x, thread.y, thread.z, message);
  findings().add(title(*running.kernel) + ": " + text_of(thread, block) + " fails an assertion at " + file + ":" +
                 std::to_string(line) + ": " + message);
  leave(true);
}

std::uint64_t assay_gpu_clock() {
  static std::uint64_t ticks = 0;
  return ++ticks; // Every run has the same.
}
