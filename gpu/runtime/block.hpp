#pragma once
// The threads of one block as fibers that meet at barriers and warp operations.
//
// A thread runs until it ends or waits. When none can run, operations whose threads have all arrived are carried out:
// those of a warp among the lanes of their mask, barriers among the threads of the block that have not ended. What
// nobody can carry out then is a divergence: it is reported with the source lines at which the threads wait, and the
// launch fails.

#include "gpu/runtime/float_state.hpp"
#include "gpu/runtime/interface.hpp"

#include <boost/context/fiber.hpp>

#include <csetjmp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::gpu {

/// The reason why a thread waits.
struct Waiting {
  enum class Kind : std::uint8_t { nothing, barrier, warp } kind = Kind::nothing;
  const Site *site = nullptr;
  std::uint32_t id = 0, threads = 0; ///< Of a barrier.
  BarrierReduction reduction = BarrierReduction::none;
  WarpOperation operation = WarpOperation::synchronise;
  std::uint32_t mask = 0, lane = 0, clamp = 0;
  std::uint64_t value = 0;  ///< The operand, or the predicate of a barrier.
  std::uint64_t result = 0; ///< When it is carried out.
};

class Block {
public:
  Block();
  ~Block();
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  /// Runs `kernel` for the block of `context`, with threads in `order`. False when the launch has failed.
  bool run(const KernelRow &kernel, void **arguments, const ThreadContext &context,
           std::span<const std::uint32_t> order);

  /// Called from a thread: waits until the operation is carried out and returns its result.
  std::uint64_t wait(const Waiting &operation);
  /// Called from a thread: counts it at a barrier without waiting.
  void arrive(const Waiting &operation);
  /// Called from a thread: ends it.
  [[noreturn]] void end_thread();
  /// Called from a thread: ends it and the launch.
  [[noreturn]] void fail_thread();

  bool is_running() const { return current_ != none; }
  /// How many barriers the block has passed.
  std::uint64_t phase() const { return phase_; }
  /// Of the thread that runs, in the block.
  std::uint32_t current() const { return current_; }
  /// Called from a thread: whether the address is on its stack.
  bool is_local(const void *address) const;
  static std::size_t stack_bytes();

private:
  struct Thread;
  struct Arrival {
    std::uint32_t id, count;
  };
  static constexpr std::uint32_t none = ~0U;

  void make_threads(std::size_t count);
  void resume(std::uint32_t index);
  /// Back to where the running fiber came from, until it is resumed.
  void leave(Thread &thread);
  void run_ready(std::span<const std::uint32_t> order);
  bool carry_out();
  bool carry_out_warp(std::uint32_t first, std::uint32_t last);
  bool carry_out_barriers();
  bool carry_out_active_masks();
  bool carry_out_group(std::uint32_t first, std::uint32_t last, std::uint32_t leader);
  bool carry_out_barrier(std::uint32_t id);
  void release(Thread &thread, std::uint64_t result);
  void report_divergence();
  void abandon();
  std::string name_of(std::uint32_t index) const;

  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<Arrival> arrivals_; ///< Of threads that do not wait.
  const KernelRow *kernel_ = nullptr;
  void **arguments_ = nullptr;
  ThreadContext context_;
  std::uint32_t count_ = 0, alive_ = 0, current_ = none;
  std::uint64_t phase_ = 0;
  bool failed_ = false;
  FloatState float_state_; ///< Of all threads of a block.
};

} // namespace assay::gpu
