#pragma once
// Which cases a night has, in which order. The case at an index is a function of the seed and of the project's
// functions alone, so shards, jobs and interruptions change nothing about it, and a longer night has the cases of a
// shorter one.
//
// Failures of earlier nights come first, then each function of the project once, then draws without an end: random
// functions, random programs, and the project's functions again with other seeds.

#include "cli/night/case.hpp"

#include <vector>

namespace assay::cli {

struct Shard {
  std::size_t number = 1, count = 1; ///< Takes every count-th case, from the one at number - 1.
  friend bool operator==(const Shard &, const Shard &) = default;
};

struct NightPlan {
  std::uint64_t seed = 0;
  Shard shard;
  std::vector<std::string> functions;   ///< Of the project, as ProjectCase has them.
  std::vector<std::string> known;       ///< Names of cases that failed before.
  std::vector<std::string> listed;      ///< Not empty: the cases, in place of those that the seed gives.
  std::optional<std::size_t> cases;     ///< How many the seed gives; absent: as many as there is time for.
  std::optional<double> budget_seconds; ///< Absent: no limit.

  /// Of all shards; absent where only time limits them.
  std::optional<std::size_t> size() const;
  bool is_of_this_shard(std::size_t index) const { return index % shard.count == shard.number - 1; }
};

/// The name of the case at `index`, which is less than the size.
std::string case_at(const NightPlan &plan, std::size_t index);

} // namespace assay::cli
