#include "cli/night/merge_command.hpp"

#include "cli/digest.hpp"
#include "cli/night/finish.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using jit::BadRequest;

struct ShardRecords {
  fs::path folder;
  NightRecords night;
  std::size_t number() const { return night.head.plan.shard.number; }
};

/// The first setting in which two shards differ; empty: they are of one night.
std::string difference_of_shards(const NightHead &first, const NightHead &other) {
  const NightPlan &a = first.plan, &b = other.plan;
  if (a.seed != b.seed)
    return fmt::format("seed {}, not {}", b.seed, a.seed);
  if (a.shard.count != b.shard.count)
    return fmt::format("{} shards, not {}", b.shard.count, a.shard.count);
  if (a.cases != b.cases || a.listed != b.listed)
    return "another number of cases";
  if (first.project != other.project || a.functions != b.functions)
    return "other functions of the project";
  if (a.known != b.known)
    return "other known failures; give all shards the same --history, and let merge alone change it";
  if (const std::string changed = changed_sources(first, other); !changed.empty())
    return fmt::format("other sources of {}", changed);
  if (first.checks != other.checks)
    return "other options of the checks";
  if (first.provenance.assay != other.provenance.assay || first.provenance.llvm != other.provenance.llvm)
    return "another version of Assay or LLVM";
  return {};
}

void require_same_night(const std::vector<ShardRecords> &shards) {
  const ShardRecords &first = shards.front();
  for (const ShardRecords &shard : shards) {
    if (const std::string other = difference_of_shards(first.night.head, shard.night.head); !other.empty())
      throw BadRequest(fmt::format("{} is of another night than {}: it has {}", shard.folder.string(),
                                   first.folder.string(), other));
    if (!shard.night.is_complete)
      throw BadRequest(fmt::format("{} has not come to its end; run its command again: {}", shard.folder.string(),
                                   shard.night.head.command));
  }
}

void require_each_once(const std::vector<ShardRecords> &shards) {
  std::map<std::size_t, const ShardRecords *> by_number;
  for (const ShardRecords &shard : shards)
    if (const auto [known, is_new] = by_number.emplace(shard.number(), &shard); !is_new)
      throw BadRequest(fmt::format("{} and {} are both shard {}", known->second->folder.string(), shard.folder.string(),
                                   shard.number()));
  std::vector<std::size_t> missing;
  const std::size_t count = shards.front().night.head.plan.shard.count;
  for (std::size_t number = 1; number <= count; ++number)
    if (!by_number.contains(number))
      missing.push_back(number);
  constexpr std::size_t most_named = 20;
  if (!missing.empty())
    throw BadRequest(
        fmt::format("of {} shards {} {}: {}", count, missing.size(), missing.size() == 1 ? "is missing" : "are missing",
                    fmt::join(missing.begin(), missing.begin() + std::min(missing.size(), most_named), ", ")));
}

/// A night of one shard; its name follows from theirs.
NightRecords joined(std::vector<ShardRecords> shards) {
  std::ranges::sort(shards, {}, &ShardRecords::number);
  NightRecords night;
  night.head = shards.front().night.head;
  night.head.plan.shard = {};
  Digest id;
  for (ShardRecords &shard : shards) {
    id.add(shard.night.head.id);
    std::ranges::move(shard.night.cases, std::back_inserter(night.cases));
  }
  night.head.id = id.text();
  std::ranges::sort(night.cases, {}, &LoggedCase::index);
  night.is_complete = true;
  return night;
}

/// Shards with a time budget end at different cases; with --cases all that are there must be there.
void require_whole(const NightRecords &night) {
  const std::optional<std::size_t> size = night.head.plan.size();
  if (size && night.cases.size() != *size)
    throw BadRequest(fmt::format("the shards have {} of {} cases together", night.cases.size(), *size));
}

} // namespace

ExitCode run_merge(const MergeArguments &arguments) {
  std::vector<ShardRecords> shards;
  std::error_code ignored;
  for (const fs::path &folder : arguments.shards) {
    if (fs::equivalent(folder, arguments.report, ignored))
      throw BadRequest(fmt::format("--report: {} is one of the shards; name another folder", folder.string()));
    shards.push_back({folder, read_night(folder)});
  }
  require_same_night(shards);
  require_each_once(shards);
  NightRecords night = joined(std::move(shards));
  night.head.command = arguments.command_line;
  require_whole(night);
  if (holds_night(arguments.report) && digest_of(read_night(arguments.report).cases) != digest_of(night.cases))
    throw BadRequest(fmt::format("{} holds another night; name another folder", arguments.report.string()));
  NightLog log(arguments.report);
  log.begin(night.head);
  log.add(night.cases);
  log.end(totals_of(night), night.cases.size());
  Console console;
  const HistoryOptions history{arguments.history.value_or(arguments.report / "history.sqlite"), arguments.nights_kept};
  return finish_night(console, arguments.report, night, history);
}

} // namespace assay::cli
