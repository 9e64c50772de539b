#pragma once
// Which accesses of a block happen before which: vector clocks of its threads, kept small.
//
// A thread's clock counts the operations at which it met others. Behind a barrier of the whole block every thread knows
// all that came before it: one number, the floor. Above the floor a thread knows clocks of the lanes of its warp, by
// warp operations, and of all threads only where it has passed a barrier of a part of the block. Blocks know each other
// by fences alone: an atomic write behind a fence publishes what the thread knew at the fence, and an atomic read of
// the same place takes over what was published there (Lamport's order, with the clocks of Fidge and Mattern).

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace assay::gpu {

/// When something happened. Blocks are numbered through all launches of the process, from 1.
struct Moment {
  std::uint32_t block, thread, clock;
};

struct Publication;

/// The events published at one place up to some publication.
struct Acquired {
  const Publication *publication;
  std::uint32_t count;
};

/// One thread's knowledge of its block above the floor, and the knowledge it has taken over from others.
struct Knowledge {
  std::uint32_t thread = 0, floor = 0;
  std::array<std::uint32_t, 32> lanes{};                    ///< Clocks of its warp.
  std::shared_ptr<const std::vector<std::uint32_t>> others; ///< Clocks of all threads of the block, or null.
  std::vector<Acquired> acquired;

  bool has(std::uint32_t other, std::uint32_t clock) const {
    if (clock < floor)
      return true;
    if (other / 32 == thread / 32 && clock <= lanes[other % 32])
      return true;
    return others && clock <= (*others)[other];
  }
};

struct Publication {
  struct Entry {
    std::uint32_t block;
    bool is_of_block;
    Knowledge knowledge;
  };
  std::deque<Entry> entries;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_block; ///< Positions in `entries`.
};

class ThreadClocks {
public:
  void start_launch(std::uint32_t first_block);
  void start_block(std::uint32_t block, std::uint32_t threads);

  Moment now(std::uint32_t thread) const { return {block_, thread, clocks_[thread]}; }
  /// Whether the event at `moment` is ordered before the present one of `thread`.
  bool is_before(const Moment &moment, std::uint32_t thread) const {
    if (moment.block < first_block_)
      return true;
    if (moment.block == block_ && (moment.thread == thread || known_[thread].has(moment.thread, moment.clock)))
      return true;
    return !known_[thread].acquired.empty() && has_acquired(known_[thread].acquired, moment, block_, 0);
  }

  void meet_all();
  /// Lanes of the warp that begins with thread `first`.
  void meet_warp(std::uint32_t first, std::uint32_t mask);
  /// A barrier of a part: those that wait learn of these and of those that only arrive, which learn nothing.
  void meet_some(std::span<const std::uint32_t> waiting, std::uint32_t barrier);
  void arrive(std::uint32_t thread, std::uint32_t barrier);

  enum class Scope : std::uint8_t { block, device };
  void fence(std::uint32_t thread, Scope scope);
  void publish(std::uint32_t thread, const void *place);
  void acquire(std::uint32_t thread, const void *place);

private:
  struct Fence {
    bool is_set = false, is_published = false;
    Scope scope = Scope::block;
    std::shared_ptr<const Knowledge> knowledge; ///< Null where a barrier of the block came behind it.
  };

  static bool has_acquired(std::span<const Acquired> acquired, const Moment &moment, std::uint32_t reader,
                           unsigned depth);
  std::vector<std::uint32_t> all_clocks(const Knowledge &knowledge) const;
  void join(std::vector<std::uint32_t> &clocks, std::vector<Acquired> &acquired, std::uint32_t thread) const;

  std::uint32_t first_block_ = 1, block_ = 0, floor_ = 1;
  bool only_floor_ = true; ///< No thread knows more.
  bool has_fences_ = false;
  std::vector<std::uint32_t> clocks_;
  std::vector<Knowledge> known_;
  std::vector<Fence> fences_;
  struct Arrived {
    std::vector<std::uint32_t> clocks;
    std::vector<Acquired> acquired;
  };
  std::unordered_map<std::uint32_t, Arrived> arrived_; ///< By barrier.
  std::unordered_map<const void *, Publication> publications_;
};

} // namespace assay::gpu
