#include "gpu/runtime/block.hpp"

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/watch.hpp"

#include <algorithm>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <utility>

namespace assay::gpu {

namespace {

constexpr std::uint32_t warp_size = 32;
constexpr std::uint64_t second_result = std::uint64_t(1) << 32U;

Extent position(std::uint32_t index, const Extent &size) {
  return {index % size.x, index / size.x % size.y, index / size.x / size.y};
}

/// The lane that `lane` reads from in a shuffle, as PTX has it; its own where the source is out of range.
struct Source {
  std::uint32_t lane;
  bool is_valid;
};
Source source_of(const Waiting &waiting, std::uint32_t lane) {
  const std::uint32_t limit = waiting.clamp & 0x1fU, segment = waiting.clamp >> 8U & 0x1fU;
  const std::uint32_t highest = (lane & segment) | (limit & ~segment), lowest = lane & segment;
  const std::uint32_t offset = waiting.lane & 0x1fU;
  std::int64_t source = lane;
  bool is_valid = false;
  switch (waiting.operation) {
  case WarpOperation::shuffle_up:
    source = static_cast<std::int64_t>(lane) - offset;
    is_valid = source >= static_cast<std::int64_t>(highest);
    break;
  case WarpOperation::shuffle_down:
    source = static_cast<std::int64_t>(lane) + offset;
    is_valid = source <= static_cast<std::int64_t>(highest);
    break;
  case WarpOperation::shuffle_xor:
    source = lane ^ offset;
    is_valid = source <= static_cast<std::int64_t>(highest);
    break;
  default:
    source = lowest | (offset & ~segment);
    is_valid = source <= static_cast<std::int64_t>(highest);
  }
  return {is_valid ? static_cast<std::uint32_t>(source) : lane, is_valid};
}

std::uint32_t reduced(WarpOperation operation, std::uint32_t x, std::uint32_t y) {
  const auto a = static_cast<std::int32_t>(x), b = static_cast<std::int32_t>(y);
  switch (operation) {
  case WarpOperation::reduce_add:
    return x + y;
  case WarpOperation::reduce_minimum:
    return a < b ? x : y;
  case WarpOperation::reduce_maximum:
    return a < b ? y : x;
  case WarpOperation::reduce_unsigned_minimum:
    return x < y ? x : y;
  case WarpOperation::reduce_unsigned_maximum:
    return x < y ? y : x;
  case WarpOperation::reduce_and:
    return x & y;
  case WarpOperation::reduce_or:
    return x | y;
  default:
    return x ^ y;
  }
}

} // namespace

struct Block::Thread {
  enum class State : std::uint8_t { ready, waiting, ended };
  boost::context::fiber fiber;
  std::jmp_buf end = {};
  State state = State::ended;
  bool is_inside = false; ///< Of the kernel.
  Waiting waiting;
  const char *stack_end = nullptr; ///< Near its highest address.
  boost::context::fiber scheduler; ///< Where the fiber came from, while it runs.
};

Block::Block() = default;
Block::~Block() {
  for (std::unique_ptr<Thread> &thread : threads_)
    static_cast<void>(thread.release()); // Their stacks are not to be unwound: device code has nothing to release.
}

std::size_t Block::stack_bytes() {
  return std::size_t(128) << 10U;
}

/// A fiber runs one thread after another: between two it waits for the next block.
void Block::make_threads(std::size_t count) {
  while (threads_.size() < count) {
    auto made = std::make_unique<Thread>();
    Thread *thread = made.get();
    thread->fiber = boost::context::fiber(std::allocator_arg, boost::context::protected_fixedsize_stack(stack_bytes()),
                                          [this, thread](boost::context::fiber &&from) -> boost::context::fiber {
                                            const char here = 0;
                                            thread->stack_end = &here;
                                            thread->scheduler = std::move(from);
                                            float_state_.enter();
                                            while (true) {
                                              if (_setjmp(thread->end) == 0)
                                                kernel_->thread(arguments_);
                                              thread->state = Thread::State::ended;
                                              leave(*thread);
                                            }
                                          });
    threads_.push_back(std::move(made));
  }
}

void Block::leave(Thread &thread) {
  float_state_.collect();
  thread.scheduler = std::move(thread.scheduler).resume();
  float_state_.enter();
}

void Block::resume(std::uint32_t index) {
  Thread &thread = *threads_[index];
  current_ = index;
  assay_gpu_thread.thread = position(index, context_.block_size);
  thread.is_inside = true;
  thread.fiber = std::move(thread.fiber).resume();
  if (thread.state != Thread::State::ended)
    return;
  thread.is_inside = false;
  --alive_;
}

void Block::run_ready(std::span<const std::uint32_t> order) {
  for (const std::uint32_t index : order)
    if (threads_[index]->state == Thread::State::ready)
      resume(index);
  current_ = none;
}

bool Block::run(const KernelRow &kernel, void **arguments, const ThreadContext &context,
                std::span<const std::uint32_t> order) {
  kernel_ = &kernel;
  arguments_ = arguments;
  context_ = context;
  assay_gpu_thread = context;
  count_ = alive_ = static_cast<std::uint32_t>(order.size());
  failed_ = false;
  float_state_ = {};
  phase_ = 0;
  arrivals_.clear();
  make_threads(count_);
  for (std::uint32_t index = 0; index < count_; ++index)
    threads_[index]->state = Thread::State::ready;
  while (alive_ != 0) {
    run_ready(order);
    if (failed_ || (alive_ != 0 && !carry_out())) {
      if (!failed_)
        report_divergence();
      abandon();
      return false;
    }
  }
  float_state_.pass_on();
  return true;
}

std::uint64_t Block::wait(const Waiting &operation) {
  Thread &thread = *threads_[current_];
  thread.waiting = operation;
  thread.state = Thread::State::waiting;
  leave(thread);
  if (failed_)
    std::longjmp(thread.end, 1);
  return thread.waiting.result;
}

bool Block::is_local(const void *address) const {
  const char *wanted = static_cast<const char *>(address), *end = threads_[current_]->stack_end;
  return wanted < end + 256 && wanted > end - stack_bytes();
}

void Block::arrive(const Waiting &operation) {
  if (Watch *watching = watch())
    watching->clocks().arrive(current_, operation.id);
  for (Arrival &arrival : arrivals_)
    if (arrival.id == operation.id) {
      ++arrival.count;
      return;
    }
  arrivals_.push_back({operation.id, 1});
}

void Block::end_thread() {
  std::longjmp(threads_[current_]->end, 1);
}

void Block::fail_thread() {
  failed_ = true;
  end_thread();
}

void Block::release(Thread &thread, std::uint64_t result) {
  thread.waiting.kind = Waiting::Kind::nothing;
  thread.waiting.result = result;
  thread.state = Thread::State::ready;
}

/// True if a thread can run again.
bool Block::carry_out() {
  bool progress = false;
  for (std::uint32_t first = 0; first < count_; first += warp_size)
    progress |= carry_out_warp(first, std::min(first + warp_size, count_));
  return carry_out_barriers() || progress || carry_out_active_masks();
}

bool Block::carry_out_warp(std::uint32_t first, std::uint32_t last) {
  bool progress = false;
  for (std::uint32_t index = first; index < last; ++index) {
    const Thread &thread = *threads_[index];
    if (thread.state == Thread::State::waiting && thread.waiting.kind == Waiting::Kind::warp &&
        thread.waiting.operation != WarpOperation::active_mask)
      progress |= carry_out_group(first, last, index);
  }
  return progress;
}

/// The operation of thread `leader`, if all lanes of its mask that have not ended have come to it.
bool Block::carry_out_group(std::uint32_t first, std::uint32_t last, std::uint32_t leader) {
  const Waiting asked = threads_[leader]->waiting;
  std::uint32_t arrived = 0;
  for (std::uint32_t index = first; index < last; ++index) {
    const std::uint32_t lane = index - first;
    const Thread &thread = *threads_[index];
    if ((asked.mask >> lane & 1U) == 0 || thread.state == Thread::State::ended)
      continue;
    if (thread.state != Thread::State::waiting || thread.waiting.kind != Waiting::Kind::warp ||
        thread.waiting.operation != asked.operation || thread.waiting.mask != asked.mask)
      return false;
    arrived |= 1U << lane;
  }
  if ((arrived >> (leader - first) & 1U) == 0) {
    findings().add(name_of(leader) + " is not in the mask that it names at " + text_of(asked.site));
    failed_ = true;
    return false;
  }
  std::uint64_t results[warp_size] = {};
  std::uint32_t ballot = 0, all_reduced = 0;
  bool same = true, is_first = true;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    if ((arrived >> lane & 1U) == 0)
      continue;
    const Waiting &waiting = threads_[first + lane]->waiting;
    if (waiting.site != asked.site)
      findings().add("divergent warp operation: lanes of one warp wait at " + text_of(asked.site) + " and at " +
                     text_of(waiting.site));
    ballot |= static_cast<std::uint32_t>(waiting.value != 0) << lane;
    const auto value = static_cast<std::uint32_t>(waiting.value);
    all_reduced = is_first ? value : reduced(asked.operation, all_reduced, value);
    same &= waiting.value == asked.value;
    is_first = false;
  }
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    if ((arrived >> lane & 1U) == 0)
      continue;
    const Waiting &waiting = threads_[first + lane]->waiting;
    switch (asked.operation) {
    case WarpOperation::synchronise:
    case WarpOperation::active_mask:
      break;
    case WarpOperation::shuffle_index:
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_xor: {
      const Source source = source_of(waiting, lane);
      const bool is_there = (arrived >> source.lane & 1U) != 0;
      // A lane that has ended or is not in the mask has no value: reading it is undefined.
      const auto absent = [&] {
        return watch() ? watch()->absent_lane(waiting.site, first + lane, source.lane) : 0xffffffffU;
      };
      results[lane] = (is_there ? threads_[first + source.lane]->waiting.value & 0xffffffffU : absent()) |
                      (source.is_valid ? second_result : 0);
      break;
    }
    case WarpOperation::vote_all:
      results[lane] = ballot == arrived;
      break;
    case WarpOperation::vote_any:
      results[lane] = ballot != 0;
      break;
    case WarpOperation::vote_uniform:
      results[lane] = ballot == arrived || ballot == 0;
      break;
    case WarpOperation::vote_ballot:
      results[lane] = ballot;
      break;
    case WarpOperation::match_any:
      for (std::uint32_t other = 0; other < warp_size; ++other)
        if ((arrived >> other & 1U) != 0 && threads_[first + other]->waiting.value == waiting.value)
          results[lane] |= 1U << other;
      break;
    case WarpOperation::match_all:
      results[lane] = same ? arrived | second_result : 0;
      break;
    default:
      results[lane] = all_reduced;
    }
  }
  if (Watch *watching = watch())
    watching->clocks().meet_warp(first, arrived);
  for (std::uint32_t lane = 0; lane < warp_size; ++lane)
    if ((arrived >> lane & 1U) != 0)
      release(*threads_[first + lane], results[lane]);
  return true;
}

bool Block::carry_out_barriers() {
  bool progress = false;
  for (std::uint32_t index = 0; index < count_; ++index) {
    const Thread &thread = *threads_[index];
    if (thread.state == Thread::State::waiting && thread.waiting.kind == Waiting::Kind::barrier) {
      const std::uint32_t id = thread.waiting.id;
      if (carry_out_barrier(id))
        progress = true;
      else if (id == 0)
        break; // All others wait for the same or for one of which this can be said, too.
    }
  }
  return progress;
}

bool Block::carry_out_barrier(std::uint32_t id) {
  std::uint32_t arrived = 0, wanted = 0, agreeing = 0;
  const Site *site = nullptr, *other = nullptr;
  std::uint32_t ended = none;
  for (std::uint32_t index = 0; index < count_; ++index) {
    const Thread &thread = *threads_[index];
    if (thread.state == Thread::State::ended)
      ended = index;
    if (thread.state != Thread::State::waiting || thread.waiting.kind != Waiting::Kind::barrier ||
        thread.waiting.id != id)
      continue;
    ++arrived;
    wanted = thread.waiting.threads;
    agreeing += thread.waiting.value != 0 ? 1 : 0;
    if (!site)
      site = thread.waiting.site;
    else if (thread.waiting.site != site)
      other = thread.waiting.site;
  }
  std::uint32_t without_waiting = 0;
  for (const Arrival &arrival : arrivals_)
    if (arrival.id == id)
      without_waiting = arrival.count;
  if (arrived + without_waiting < (wanted == 0 ? alive_ : wanted))
    return false;
  if (wanted == 0 && other)
    findings().add("divergent barrier: threads of one block wait at " + text_of(site) + " and at " + text_of(other));
  if (wanted == 0 && ended != none)
    findings().add("divergent barrier: " + name_of(ended) + " ended before the barrier at " + text_of(site));
  std::erase_if(arrivals_, [id](const Arrival &arrival) { return arrival.id == id; });
  ++phase_;
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t index = 0; index < count_; ++index) {
    Thread &thread = *threads_[index];
    if (thread.state != Thread::State::waiting || thread.waiting.kind != Waiting::Kind::barrier ||
        thread.waiting.id != id)
      continue;
    std::uint64_t result = 0;
    if (thread.waiting.reduction == BarrierReduction::count)
      result = agreeing;
    else if (thread.waiting.reduction == BarrierReduction::conjunction)
      result = agreeing == arrived;
    else if (thread.waiting.reduction == BarrierReduction::disjunction)
      result = agreeing != 0;
    release(thread, result);
    waiting.push_back(index);
  }
  if (Watch *watching = watch()) {
    if (waiting.size() == alive_)
      watching->clocks().meet_all();
    else
      watching->clocks().meet_some(waiting, id);
  }
  return true;
}

/// The lanes of a warp that run together are those that come to the same place before any of them can go on.
bool Block::carry_out_active_masks() {
  bool progress = false;
  for (std::uint32_t index = 0; index < count_; ++index) {
    const Thread &thread = *threads_[index];
    if (thread.state != Thread::State::waiting || thread.waiting.kind != Waiting::Kind::warp ||
        thread.waiting.operation != WarpOperation::active_mask)
      continue;
    const Site *site = thread.waiting.site;
    const std::uint32_t first = index / warp_size * warp_size, last = std::min(first + warp_size, count_);
    std::uint32_t mask = 0;
    const auto is_there = [&](std::uint32_t other) {
      const Waiting &waiting = threads_[other]->waiting;
      return threads_[other]->state == Thread::State::waiting && waiting.kind == Waiting::Kind::warp &&
             waiting.operation == WarpOperation::active_mask && waiting.site == site;
    };
    for (std::uint32_t other = first; other < last; ++other)
      if (is_there(other))
        mask |= 1U << (other - first);
    for (std::uint32_t other = first; other < last; ++other)
      if ((mask >> (other - first) & 1U) != 0)
        release(*threads_[other], mask);
    progress = true;
  }
  return progress;
}

std::string Block::name_of(std::uint32_t index) const {
  return text_of(position(index, context_.block_size), context_.block);
}

/// Nobody can go on: which threads wait where.
void Block::report_divergence() {
  std::vector<const Site *> sites;
  std::string text;
  for (std::uint32_t index = 0; index < count_; ++index) {
    const Thread &thread = *threads_[index];
    if (thread.state != Thread::State::waiting || std::ranges::find(sites, thread.waiting.site) != sites.end())
      continue;
    sites.push_back(thread.waiting.site);
    text += (text.empty() ? "" : ", ") + name_of(index) + " waits at " + text_of(thread.waiting.site);
  }
  for (std::uint32_t index = 0; index < count_; ++index)
    if (threads_[index]->state == Thread::State::ended) {
      text += ", " + name_of(index) + " has ended";
      break;
    }
  findings().add("divergent barrier or warp operation, at which threads wait for ever: " + text);
}

/// Ends the threads that have begun.
void Block::abandon() {
  failed_ = true;
  for (std::uint32_t index = 0; index < count_; ++index)
    if (threads_[index]->is_inside)
      resume(index);
  current_ = none;
  alive_ = 0;
}

} // namespace assay::gpu
