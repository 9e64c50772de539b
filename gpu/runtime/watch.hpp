#pragma once
// Looks at every access of device code: is it to memory that is there, does another thread touch the same bytes
// without an order between them, has anybody written what is read. Findings are values in findings().
//
// A program whose module has the access log turns the watch on before its main begins. For other threads of this
// process nothing is watched: launches follow one another.

#include "gpu/runtime/access_history.hpp"
#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/regions.hpp"
#include "gpu/runtime/thread_clocks.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace assay::gpu {

struct AccessEvent {
  const Site *site;
  const char *address;
  std::uint64_t bytes;
  std::uint32_t bits; ///< AccessBits.
  const char *base;   ///< Into the same object, or null.
  const char *value;  ///< The stored value, or null.
};

class Watch {
public:
  explicit Watch(AbsentLanes absent_lanes = AbsentLanes::ones) : absent_lanes_(absent_lanes) {}

  // ---- Called by launches ----
  void add_module(const ModuleRow &module);
  void begin_launch(const KernelRow &kernel, const Launch &launch);
  void begin_block(std::uint32_t linear_index);
  /// Races become findings: only then is known whether all their writes had the same value.
  void end_launch();
  ThreadClocks &clocks() { return clocks_; }

  // ---- Called by memory ----
  void add_buffer(const char *begin, std::size_t bytes, const char *first, const char *last, std::string name = {});
  void add_heap_block(const char *begin, std::size_t bytes, const char *first, const char *last);
  void set_freed(const char *begin, std::size_t bytes);
  void set_heap_block_freed(const char *begin) { regions_.set_freed(begin); }
  Regions &regions() { return regions_; }

  // ---- Called by the code ----
  /// False for an access to memory that is not there: the thread cannot go on.
  bool access(const AccessEvent &event, std::uint32_t thread);
  void fence(std::uint32_t thread, ThreadClocks::Scope scope) { clocks_.fence(thread, scope); }
  void come_to(const Site *site) { site_ = site; }
  /// A shuffle of `thread` asked for the value of a lane that takes no part in it, which is this.
  std::uint32_t absent_lane(const Site *site, std::uint32_t thread, std::uint32_t lane);
  /// One sentence for each place of such shuffles. The value may not matter.
  const std::vector<std::string> &absent_lanes_read() const { return absent_lanes_read_; }
  /// Some access so far was atomic: the order of threads may count.
  bool has_atomics() const { return has_atomics_; }
  /// Of words as wide as a float or less.
  bool has_narrow_atomics() const { return has_narrow_atomics_; }
  /// Where the code was last.
  const Site *site() const { return site_; }

  /// Memory that kernels allocated and nobody freed, as findings.
  void add_leaks() const;
  /// The same lines may be found again.
  void forget_reports() { reported_.clear(); }

private:
  struct Race {
    Access earlier, later;
    std::string region, key;
    bool has_same_value;
  };
  using Pair = std::tuple<const Site *, const Site *, std::uint32_t, std::uint32_t>;

  void order_threads(const AccessEvent &event, std::uint32_t thread);
  void visit(Record &record, const char *address, std::uint64_t bytes, const Access &now, const AccessEvent &event);
  void remember_write(Record &record, const Access &now);
  void remember_read(Record &record, const Access &now);
  void meet(const Access &before, const Access &now, const char *address, std::uint64_t bytes,
            const AccessEvent &event);
  bool is_unordered(const Access &before, const Access &now) const;
  bool is_strong(const Access &access) const;
  bool are_both_strong(const Access &one, const Access &other) const;
  bool report_bad_place(const AccessEvent &event, const Region &region, std::uint32_t thread);
  void report_uninitialised(const AccessEvent &event, std::uint32_t thread);
  std::string who(std::uint32_t block, std::uint32_t thread) const;
  std::string text_of_access(const Access &access) const;
  bool is_new(const std::string &key) { return reported_.insert(key).second; }

  Regions regions_;
  AccessHistory history_;
  ThreadClocks clocks_;
  std::string kernel_;
  Extent grid_, block_size_;
  std::uint32_t first_block_ = 1, block_ = 0;
  std::vector<std::uint32_t> blocks_; ///< Linear indices of the launch's blocks, in the order in which they ran.
  bool has_atomics_ = false, has_narrow_atomics_ = false;
  AbsentLanes absent_lanes_;
  std::vector<std::string> absent_lanes_read_;
  const Site *site_ = nullptr;
  const Region *region_ = nullptr; ///< Of the access under way.
  std::uint64_t uninitialised_bytes_ = 0;
  std::vector<Race> races_;
  std::vector<Finding> uninitialised_; ///< Of the launch.
  std::map<Pair, std::size_t> race_of_pair_;
  std::set<std::string> reported_;
};

/// Null where nothing is watched.
Watch *watch();
/// From here to the end of the process.
void start_watch();
/// The watch from here on, or null for none; returns the one before.
Watch *exchange_watch(Watch *watch);

} // namespace assay::gpu
