#include "gpu/runtime/thread_clocks.hpp"

#include <algorithm>

namespace assay::gpu {

namespace {

void add(std::vector<Acquired> &all, const Acquired &one) {
  for (Acquired &known : all)
    if (known.publication == one.publication) {
      known.count = std::max(known.count, one.count);
      return;
    }
  all.push_back(one);
}

} // namespace

void ThreadClocks::start_launch(std::uint32_t first_block) {
  first_block_ = first_block;
  for (Knowledge &known : known_)
    known = {};
  publications_.clear();
}

void ThreadClocks::start_block(std::uint32_t block, std::uint32_t threads) {
  block_ = block;
  floor_ = 1;
  only_floor_ = true;
  has_fences_ = false;
  clocks_.assign(threads, 1);
  known_.assign(threads, {});
  fences_.assign(threads, {});
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    known_[thread].thread = thread;
    known_[thread].floor = floor_;
  }
  arrived_.clear();
}

bool ThreadClocks::has_acquired(std::span<const Acquired> acquired, const Moment &moment, std::uint32_t reader,
                                unsigned depth) {
  constexpr unsigned most_depth = 3; // What is handed on more often is rare, and only costs time to look for.
  for (const Acquired &one : acquired) {
    const auto found = one.publication->of_block.find(moment.block);
    if (found != one.publication->of_block.end())
      for (const std::uint32_t position : found->second) {
        if (position >= one.count)
          break;
        const Publication::Entry &entry = one.publication->entries[position];
        if ((!entry.is_of_block || moment.block == reader) && entry.knowledge.has(moment.thread, moment.clock))
          return true;
      }
    if (depth == most_depth)
      continue;
    for (std::uint32_t position = 0; position < one.count; ++position) {
      const Publication::Entry &entry = one.publication->entries[position];
      if (!entry.knowledge.acquired.empty() && has_acquired(entry.knowledge.acquired, moment, reader, depth + 1))
        return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> ThreadClocks::all_clocks(const Knowledge &knowledge) const {
  std::vector<std::uint32_t> all = knowledge.others ? *knowledge.others : std::vector<std::uint32_t>(clocks_.size(), 0);
  const std::size_t first = knowledge.thread / 32 * 32;
  for (std::size_t lane = 0; lane < 32 && first + lane < all.size(); ++lane)
    all[first + lane] = std::max(all[first + lane], knowledge.lanes[lane]);
  return all;
}

void ThreadClocks::join(std::vector<std::uint32_t> &clocks, std::vector<Acquired> &acquired,
                        std::uint32_t thread) const {
  const std::vector<std::uint32_t> own = all_clocks(known_[thread]);
  clocks.resize(clocks_.size(), 0);
  for (std::size_t index = 0; index < own.size(); ++index)
    clocks[index] = std::max(clocks[index], own[index]);
  clocks[thread] = std::max(clocks[thread], clocks_[thread]);
  for (const Acquired &one : known_[thread].acquired)
    add(acquired, one);
}

void ThreadClocks::meet_all() {
  if (!only_floor_) {
    std::vector<Acquired> acquired;
    for (const Knowledge &known : known_)
      for (const Acquired &one : known.acquired)
        add(acquired, one);
    for (Knowledge &known : known_) {
      known.lanes.fill(0);
      known.others = nullptr;
      known.acquired = acquired;
    }
    only_floor_ = acquired.empty();
  }
  floor_ = *std::max_element(clocks_.begin(), clocks_.end()) + 1;
  std::ranges::fill(clocks_, floor_);
  for (Knowledge &known : known_)
    known.floor = floor_;
  if (!has_fences_)
    return;
  for (Fence &fence : fences_) // What others did before the barrier and their fences is published by any of them.
    if (fence.is_set) {
      fence.knowledge = nullptr;
      fence.is_published = false;
    }
}

void ThreadClocks::meet_warp(std::uint32_t first, std::uint32_t mask) {
  only_floor_ = false;
  std::array<std::uint32_t, 32> joined{};
  std::vector<Acquired> acquired;
  bool has_others = false;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1U) == 0)
      continue;
    const Knowledge &known = known_[first + lane];
    for (std::size_t index = 0; index < joined.size(); ++index)
      joined[index] = std::max(joined[index], known.lanes[index]);
    joined[lane] = std::max(joined[lane], clocks_[first + lane]);
    has_others |= known.others != nullptr;
    for (const Acquired &one : known.acquired)
      add(acquired, one);
  }
  std::shared_ptr<std::vector<std::uint32_t>> others;
  if (has_others) {
    others = std::make_shared<std::vector<std::uint32_t>>();
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if ((mask >> lane & 1U) != 0)
        join(*others, acquired, first + lane);
  }
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1U) == 0)
      continue;
    Knowledge &known = known_[first + lane];
    known.lanes = joined;
    known.others = others;
    known.acquired = acquired;
    ++clocks_[first + lane];
  }
}

void ThreadClocks::arrive(std::uint32_t thread, std::uint32_t barrier) {
  Arrived &arrived = arrived_[barrier];
  join(arrived.clocks, arrived.acquired, thread);
  ++clocks_[thread];
}

void ThreadClocks::meet_some(std::span<const std::uint32_t> waiting, std::uint32_t barrier) {
  only_floor_ = false;
  Arrived joined;
  if (const auto found = arrived_.find(barrier); found != arrived_.end()) {
    joined = std::move(found->second);
    arrived_.erase(found);
  }
  for (const std::uint32_t thread : waiting)
    join(joined.clocks, joined.acquired, thread);
  const auto others = std::make_shared<const std::vector<std::uint32_t>>(std::move(joined.clocks));
  for (const std::uint32_t thread : waiting) {
    known_[thread].others = others;
    known_[thread].acquired = joined.acquired;
    ++clocks_[thread];
  }
}

void ThreadClocks::fence(std::uint32_t thread, Scope scope) {
  Knowledge knowledge = known_[thread];
  knowledge.lanes[thread % 32] = clocks_[thread];
  ++clocks_[thread]; // What the thread does behind the fence is not published.
  fences_[thread] = {true, false, scope, std::make_shared<const Knowledge>(std::move(knowledge))};
  has_fences_ = true;
}

void ThreadClocks::publish(std::uint32_t thread, const void *place) {
  Fence &fence = fences_[thread];
  if (!has_fences_ || !fence.is_set)
    return;
  Publication &publication = publications_[place];
  if (fence.is_published && !publication.entries.empty() && publication.entries.back().block == block_ &&
      publication.entries.back().knowledge.thread == thread)
    return;
  Knowledge knowledge;
  if (fence.knowledge) {
    knowledge = *fence.knowledge;
  } else {
    knowledge.floor = floor_;
    knowledge.acquired = known_[thread].acquired;
  }
  knowledge.thread = thread;
  std::erase_if(knowledge.acquired, [&](const Acquired &one) { return one.publication == &publication; });
  publication.of_block[block_].push_back(static_cast<std::uint32_t>(publication.entries.size()));
  publication.entries.push_back({block_, fence.scope == Scope::block, std::move(knowledge)});
  fence.is_published = true;
}

void ThreadClocks::acquire(std::uint32_t thread, const void *place) {
  if (publications_.empty())
    return;
  const auto found = publications_.find(place);
  if (found == publications_.end())
    return;
  only_floor_ = false;
  add(known_[thread].acquired, {&found->second, static_cast<std::uint32_t>(found->second.entries.size())});
}

} // namespace assay::gpu
