#include "reports/timing.hpp"

#include <algorithm>

namespace assay::reports {

namespace {

constexpr double shortest = 250; ///< Nanoseconds.
constexpr std::size_t fewest_calls = 3;
constexpr double growth = 1.5;

bool can_tell(const Timing &timing) {
  return timing.calls >= fewest_calls && timing.median >= shortest;
}

/// Beyond noise: the spreads do not touch.
bool has_grown(const Timing &before, const Timing &now) {
  return now.median > growth * before.median && now.low > before.high;
}

/// In units of a number that has a spread, too.
Timing in_units_of(const Timing &timing, const Timing &unit) {
  return {std::min(timing.calls, unit.calls), timing.low / unit.high, timing.median / unit.median,
          timing.high / unit.low};
}

} // namespace

Timing timing_of(std::vector<double> nanoseconds) {
  if (nanoseconds.empty())
    return {};
  std::ranges::sort(nanoseconds);
  const std::size_t last = nanoseconds.size() - 1;
  return {nanoseconds.size(), nanoseconds[last / 4], nanoseconds[last / 2], nanoseconds[last - last / 4]};
}

std::optional<double> cost_ratio(const Record &record) {
  if (!record.times || !can_tell(record.times->function) || !can_tell(record.times->derivative))
    return std::nullopt;
  return record.times->derivative.median / record.times->function.median;
}

bool is_slower(const Record &before, const Record &now) {
  if (!cost_ratio(before) || !cost_ratio(now))
    return false;
  const bool is_same_processor = before.provenance.cpu == now.provenance.cpu;
  return has_grown(in_units_of(before.times->derivative, before.times->function),
                   in_units_of(now.times->derivative, now.times->function)) &&
         (!is_same_processor || has_grown(before.times->derivative, now.times->derivative));
}

} // namespace assay::reports
