// Two accesses are a race if they are to the same byte, by two threads, not ordered, one of them writes, and not both
// are strong: atomic for both threads. Volatile accesses to global memory are strong, as in PTX. In shared memory they
// are not: nothing else orders the lanes of a warp that use it for lack of __syncwarp().

#include "gpu/runtime/watch.hpp"

#include "gpu/runtime/findings.hpp"

#include <algorithm>
#include <cstring>

namespace assay::gpu {

namespace {

bool writes(const Access &access) {
  return (access.bits() & access_write) != 0;
}

bool is_same_thread(const Access &one, const Access &other) {
  return one.block() == other.block() && one.thread() == other.thread();
}
bool is_same_warp(const Access &one, const Access &other) {
  return one.block() == other.block() && one.thread() / 32 == other.thread() / 32;
}

const char *verb(const Access &access) {
  if ((access.bits() & access_atomic) != 0)
    return "atomic access";
  return writes(access) ? "write" : "read";
}

const char *advice(const Access &one, const Access &other) {
  if (one.block() != other.block())
    return "nothing orders blocks of one launch: use atomics or two launches";
  if (is_same_warp(one, other))
    return "lanes of a warp are ordered by __syncwarp() or __syncthreads()";
  return "threads of a block are ordered by __syncthreads()";
}

Extent position(std::uint32_t index, const Extent &size) {
  return {index % size.x, index / size.x % size.y, index / size.x / size.y};
}

} // namespace

// ---- Launches ----

void Watch::add_module(const ModuleRow &module) {
  for (const MemoryRow &row : std::span(module.variables, module.variable_count)) {
    const char *begin = static_cast<const char *>(row.address);
    regions_.add({Region::Kind::variable, begin, row.bytes, begin, begin + row.bytes + surroundings_bytes,
                  variable_name(row.name)});
  }
}

void Watch::begin_launch(const KernelRow &kernel, const Launch &launch) {
  kernel_ = source_name(kernel.name);
  grid_ = launch.grid;
  block_size_ = launch.block;
  first_block_ = block_ + 1;
  blocks_.clear();
  clocks_.start_launch(first_block_);
  for (const MemoryRow &row : std::span(kernel.shared, kernel.shared_count)) {
    const char *begin = static_cast<const char *>(row.address);
    regions_.add({Region::Kind::shared_array, begin, row.bytes, begin, begin + row.bytes + surroundings_bytes,
                  variable_name(row.name)});
  }
  regions_.add({Region::Kind::dynamic_shared,
                assay_gpu_dynamic_shared,
                launch.shared_bytes,
                assay_gpu_dynamic_shared,
                assay_gpu_dynamic_shared + most_shared_bytes + surroundings_bytes,
                {}});
}

void Watch::begin_block(std::uint32_t linear_index) {
  ++block_;
  blocks_.push_back(linear_index);
  clocks_.start_block(block_, static_cast<std::uint32_t>(block_size_.count()));
}

void Watch::end_launch() {
  for (const Race &race : races_) {
    const bool only_writes = writes(race.earlier) && writes(race.later);
    findings().add({Finding::Kind::race,
                    "race in kernel " + kernel_ + " on " + race.region + ": " + text_of_access(race.earlier) + " and " +
                        text_of_access(race.later) +
                        (only_writes && race.has_same_value ? "; both write the same value" : "") + "; " +
                        advice(race.earlier, race.later),
                    {race.earlier.site(), race.later.site()},
                    only_writes && race.has_same_value});
  }
  // Where another thread writes what is read without an order, that it is not yet written follows from the race.
  for (Finding &finding : uninitialised_) {
    const std::string place = text_of(finding.sites.front());
    const bool is_raced = std::ranges::any_of(races_, [&](const Race &race) {
      return text_of(race.earlier.site()) == place || text_of(race.later.site()) == place;
    });
    if (!is_raced)
      findings().add(std::move(finding));
  }
  uninitialised_.clear();
  races_.clear();
  race_of_pair_.clear();
}

// ---- Memory ----

void Watch::add_buffer(const char *begin, std::size_t bytes, const char *first, const char *last, std::string name) {
  regions_.add({Region::Kind::buffer, begin, bytes, first, last, std::move(name)});
}

void Watch::add_heap_block(const char *begin, std::size_t bytes, const char *first, const char *last) {
  history_.for_each(begin, bytes, [](Record &record, const char *, std::uint64_t) { record = {}; });
  regions_.add({Region::Kind::heap, begin, bytes, first, last, {}, site_});
}

void Watch::set_freed(const char *begin, std::size_t bytes) {
  regions_.set_freed(begin);
  history_.forget(begin, bytes);
}

void Watch::add_leaks() const {
  struct Leak {
    std::uint64_t blocks = 0, bytes = 0;
  };
  std::map<std::string, std::pair<const Site *, Leak>> leaks;
  for (const auto &[first, region] : regions_.all())
    if (region.kind == Region::Kind::heap && !region.is_freed) {
      auto &[site, leak] = leaks[text_of(region.site)];
      site = region.site;
      ++leak.blocks;
      leak.bytes += region.bytes;
    }
  for (const auto &[place, found] : leaks) {
    const auto &[site, leak] = found;
    findings().add({Finding::Kind::leak,
                    "leak of device heap memory: " + std::to_string(leak.bytes) + " bytes in " +
                        std::to_string(leak.blocks) + (leak.blocks == 1 ? " piece" : " pieces") + " allocated at " +
                        place + " are not freed",
                    {site}});
  }
}

// ---- Accesses ----

bool Watch::access(const AccessEvent &event, std::uint32_t thread) {
  site_ = event.site;
  const Region *region = event.base ? regions_.at(event.base) : nullptr;
  if (!region)
    region = regions_.at(event.address);
  if (event.bytes == 0)
    return true;
  if (!region) { // Of variables only programs with a main are told.
    if ((event.bits & access_atomic) != 0)
      order_threads(event, thread);
    return true;
  }
  if (region->is_freed || !region->holds(event.address, event.bytes))
    return report_bad_place(event, *region, thread);
  region_ = region;
  uninitialised_bytes_ = 0;
  const Moment moment = clocks_.now(thread);
  const Access now(moment.block, thread, moment.clock, event.bits, event.site);
  history_.for_each(event.address, event.bytes, [&](Record &record, const char *address, std::uint64_t bytes) {
    visit(record, address, bytes, now, event);
  });
  const bool only_moves = (event.bits & access_copy) != 0;
  if (uninitialised_bytes_ != 0 && (event.bits & access_put_back) == 0 &&
      (!only_moves || uninitialised_bytes_ == event.bytes))
    report_uninitialised(event, thread);
  const bool is_atomic = (event.bits & access_atomic) != 0;
  has_atomics_ = has_atomics_ || is_atomic;
  has_narrow_atomics_ = has_narrow_atomics_ || (is_atomic && event.bytes <= sizeof(float));
  if (is_strong(now))
    order_threads(event, thread);
  return true;
}

void Watch::order_threads(const AccessEvent &event, std::uint32_t thread) {
  if ((event.bits & access_read) != 0)
    clocks_.acquire(thread, event.address);
  if ((event.bits & access_write) != 0)
    clocks_.publish(thread, event.address);
}

void Watch::visit(Record &record, const char *address, std::uint64_t bytes, const Access &now,
                  const AccessEvent &event) {
  if (region_->is_shared()) { // Each block has its own.
    if (record.write.block() != now.block())
      record.write = {};
    for (Access &read : record.reads)
      if (read.block() != now.block())
        read = {};
    if ((now.bits() & access_read) != 0 && record.write.is_none())
      uninitialised_bytes_ += bytes;
  }
  meet(record.write, now, address, bytes, event);
  if (!writes(now) && record.reads[0].is_same_moment(now) && !writes(record.reads[0]))
    return;
  for (const Access &before : record.reads)
    if (writes(now) || writes(before))
      meet(before, now, address, bytes, event);
  if (writes(now))
    remember_write(record, now);
  else
    remember_read(record, now);
}

bool Watch::is_strong(const Access &access) const {
  return (access.bits() & access_atomic) != 0 || ((access.bits() & access_volatile) != 0 && !region_->is_shared());
}

bool Watch::are_both_strong(const Access &one, const Access &other) const {
  const bool for_blocks = ((one.bits() | other.bits()) & access_of_block) != 0;
  return is_strong(one) && is_strong(other) && (!for_blocks || one.block() == other.block());
}

bool Watch::is_unordered(const Access &before, const Access &now) const {
  return !before.is_none() && !is_same_thread(before, now) &&
         !clocks_.is_before({before.block(), before.thread(), before.clock()}, now.thread());
}

void Watch::meet(const Access &before, const Access &now, const char *address, std::uint64_t bytes,
                 const AccessEvent &event) {
  if (!is_unordered(before, now) || are_both_strong(before, now))
    return;
  const bool has_same_value = writes(before) && event.value && ((before.bits() | now.bits()) & access_atomic) == 0 &&
                              std::memcmp(event.value + (address - event.address), address, bytes) == 0;
  const auto [known, is_first] =
      race_of_pair_.try_emplace({before.site(), now.site(), before.bits(), now.bits()}, races_.size());
  if (!is_first) {
    if (known->second < races_.size())
      races_[known->second].has_same_value &= has_same_value;
    return;
  }
  // Copies of one line are the same place.
  std::string one = std::string(verb(before)) + text_of(before.site()),
              other = std::string(verb(now)) + text_of(now.site());
  if (other < one)
    std::swap(one, other);
  const std::string key = kernel_ + "|" + one + "|" + other;
  const auto same = std::ranges::find(races_, key, &Race::key);
  if (same != races_.end()) {
    known->second = static_cast<std::size_t>(same - races_.begin());
    same->has_same_value &= has_same_value;
  } else if (is_new(key)) {
    races_.push_back({before, now, text_of(*region_), key, has_same_value});
  } else {
    known->second = ~std::size_t(0); // An earlier launch had it.
  }
}

// ---- What is kept ----

/// What is strong does not take the place of what is not: for others that is still a race.
void Watch::remember_read(Record &record, const Access &now) {
  const auto replaces = [&](const Access &before) {
    return before.is_none() || ((is_strong(before) || !is_strong(now)) && !is_unordered(before, now));
  };
  Access *place = nullptr;
  for (Access &slot : record.reads)
    if (!writes(slot) || writes(now))
      if (replaces(slot)) {
        slot = {};
        place = place ? place : &slot;
      }
  for (std::size_t one = 0; !place && one < record.reads.size(); ++one)
    if (is_strong(record.reads[one]) && !is_strong(now))
      place = &record.reads[one];
  for (const auto is_alike : {is_same_warp, +[](const Access &a, const Access &b) { return a.block() == b.block(); }})
    for (std::size_t one = 0; !place && one < record.reads.size(); ++one)
      for (std::size_t other = one + 1; !place && other < record.reads.size(); ++other)
        if (is_alike(record.reads[one], record.reads[other]) && (is_strong(record.reads[one]) || !is_strong(now)))
          place = &record.reads[one];
  if (!place && is_strong(now))
    return;
  if (!place)
    place = &record.reads.front();
  *place = now;
  if (place != &record.reads.front()) // The next access is likely to be of the same thread.
    std::swap(*place, record.reads.front());
}

void Watch::remember_write(Record &record, const Access &now) {
  if (!is_strong(now)) {
    for (Access &before : record.reads)
      if (!is_unordered(before, now))
        before = {};
  } else if (!record.write.is_none()) {
    if (!is_strong(record.write) || is_unordered(record.write, now))
      remember_read(record, record.write);
  }
  record.write = now;
}

// ---- Reports ----

std::string Watch::who(std::uint32_t block, std::uint32_t thread) const {
  return text_of(position(thread, block_size_), position(blocks_[block - first_block_], grid_));
}

std::string Watch::text_of_access(const Access &access) const {
  return std::string(verb(access)) + " at " + text_of(access.site()) + " by " + who(access.block(), access.thread());
}

bool Watch::report_bad_place(const AccessEvent &event, const Region &region, std::uint32_t thread) {
  const char *what = (event.bits & access_atomic) != 0  ? "atomic access to "
                     : (event.bits & access_write) != 0 ? "write of "
                                                        : "read of ";
  const std::string access = what + std::to_string(event.bytes) + " bytes at " + text_of(event.site) + " by " +
                             who(block_, thread) + " in kernel " + kernel_;
  if (region.is_freed && region.holds(event.address, event.bytes)) {
    if (!is_new(kernel_ + "|freed|" + text_of(event.site)))
      return false;
    findings().add(
        {Finding::Kind::use_after_free, "use after free: " + access + " in a freed " + text_of(region), {event.site}});
    return false;
  }
  if (!is_new(kernel_ + "|bounds|" + text_of(event.site)))
    return false;
  const std::ptrdiff_t offset = event.address - region.begin;
  findings().add({Finding::Kind::out_of_bounds,
                  "access out of bounds: " + access + ", " +
                      (offset < 0 ? std::to_string(-offset) + " bytes in front of "
                                  : "from byte " + std::to_string(offset) + " of ") +
                      text_of(region),
                  {event.site}});
  return false;
}

std::uint32_t Watch::absent_lane(const Site *site, std::uint32_t thread, std::uint32_t lane) {
  if (is_new(kernel_ + "|lane|" + text_of(site)))
    absent_lanes_read_.push_back("undefined value: the shuffle at " + text_of(site) + " gives " + who(block_, thread) +
                                 " in kernel " + kernel_ + " the value of lane " + std::to_string(lane) +
                                 ", which takes no part in it");
  return static_cast<std::uint32_t>(absent_lanes_);
}

void Watch::report_uninitialised(const AccessEvent &event, std::uint32_t thread) {
  if (is_new(kernel_ + "|uninitialised|" + text_of(event.site)))
    uninitialised_.push_back({Finding::Kind::uninitialised_read,
                              "uninitialised read of " + text_of(*region_) + " at " + text_of(event.site) + " by " +
                                  who(block_, thread) + " in kernel " + kernel_ +
                                  ": no thread of the block has written it",
                              {event.site}});
}

} // namespace assay::gpu
