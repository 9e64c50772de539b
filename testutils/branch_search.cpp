#include "testutils/branch_search.hpp"

#include "testutils/bisection.hpp"
#include "testutils/branch_chase.hpp"
#include "testutils/branch_knowledge.hpp"
#include "testutils/branch_paths.hpp"
#include "testutils/branch_turns.hpp"
#include "testutils/place_text.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

using Wanted = BranchGoal::Wanted;

constexpr std::size_t most_sites = 256;
constexpr std::size_t most_coordinates = 8; ///< That one chase moves.
constexpr unsigned most_rounds = 4;         ///< What one finds is where another begins.
constexpr std::size_t most_sides = 32, most_thresholds = 32, most_paths = 24, most_beside = 12;
constexpr double part_for_paths = 0.15; ///< Of the budget.
constexpr unsigned seeds_of_a_kind = 8;

class Search {
public:
  Search(BranchTracer &tracer, const Signature &signature, const CheckOptions &options, const BranchBudget &budget)
      : tracer_(tracer), signature_(signature), options_(options), budget_(budget), coordinates_(signature),
        turns_(coordinates_), stream_({.seed = options.seed,
                                       .suite = options.suite,
                                       .name = options.name.empty() ? signature.function : options.name,
                                       .purpose = "branch"}),
        known_(std::min(tracer.sites().size(), most_sites)) {}

  BranchSearchResult run() {
    if (known_.empty())
      return {};
    look_at_usual_points();
    look_at_other_points();
    find_sides();
    find_thresholds();
    find_paths();
    BranchSearchResult result;
    add_sides(result);
    add_paths(result);
    add_beside(result);
    add_thresholds(result);
    result.seen = seen();
    result.calls = calls_;
    return result;
  }

private:
  bool is_spent() const {
    const auto part = [&](std::size_t whole) { return static_cast<std::size_t>(part_ * static_cast<double>(whole)); };
    return calls_ >= part(budget_.calls) || work_ >= part(budget_.work);
  }

  std::optional<BranchTrace> look(const Arguments &inputs, Origin origin = Origin::other) {
    if (is_spent())
      return std::nullopt;
    ++calls_;
    std::optional<BranchTrace> trace = tracer_.trace(inputs);
    if (!trace)
      return std::nullopt;
    work_ += trace->comparisons + coordinates_.count();
    for (std::size_t site = 0; site < std::min(known_.size(), trace->sites.size()); ++site) {
      learn(known_[site], trace->sites[site], {inputs, origin});
      if (known_[site].varies && origin != Origin::found)
        turns_.note(site, trace->sites[site], inputs);
    }
    if (origin == Origin::usual)
      paths_.insert(path_of(*trace, known_.size()));
    return trace;
  }

  /// Those that are checked in any case.
  void look_at_usual_points() {
    for (unsigned sample = 0; sample < std::max(1U, options_.samples) + options_.brief_samples; ++sample)
      look(random_inputs(signature_, options_, sample << 16U), Origin::usual);
    const Arguments first = random_inputs(signature_, options_, 0);
    if (const std::optional<BranchTrace> trace = tracer_.trace_other_calls(first))
      of_other_calls_ = trace->sites;
  }

  void look_at_other_points() {
    for (unsigned number = 0; number < seeds_of_a_kind; ++number) {
      look(edge_inputs(signature_, options_, number));
      look(magnitude_inputs(signature_, options_, number));
    }
  }

  std::vector<std::size_t> order() {
    std::vector<std::size_t> all(coordinates_.count());
    for (std::size_t index = 0; index < all.size(); ++index)
      all[index] = index;
    for (std::size_t index = 0; index + 1 < std::min(all.size(), most_coordinates); ++index)
      std::swap(all[index],
                all[static_cast<std::size_t>(stream_.integer(static_cast<std::int64_t>(index), std::ssize(all) - 1))]);
    all.resize(std::min(all.size(), most_coordinates));
    return all;
  }

  /// Learns what it meets.
  void chase(const BranchGoal &goal, std::size_t most_ends) {
    const std::vector<Sighting> starts = starts_of(goal.site);
    std::vector<Arguments> &ends = known_[goal.site].ends[index_of(goal.wanted)];
    for (const auto &[start, origin] : starts) {
      if (is_spent() || ends.size() >= most_ends)
        return;
      const Origin found = std::max(origin, Origin::found);
      const std::optional<BranchTrace> trace = look(start, found);
      if (!trace || !distance_to(goal, *trace).is_reached())
        continue;
      const auto distance_at = [&](const Arguments &inputs) -> std::optional<Distance> {
        const std::optional<BranchTrace> there = look(inputs, found);
        return there ? std::optional(distance_to(goal, *there)) : std::nullopt;
      };
      const Approach end = Chase{coordinates_, distance_at, order()}.from({start, distance_to(goal, *trace)});
      if (end.distance.is_met)
        ends.push_back(goal.wanted == Wanted::is_equal ? end.inputs : further(goal, {start, found}, end.inputs));
    }
  }

  /// First one of short numbers: what is equal there is so in every rounding mode, since sums and products are exact.
  std::vector<Sighting> starts_of(std::size_t site) const {
    std::vector<Sighting> starts = known_[site].starts;
    if (!starts.empty())
      starts.insert(starts.begin(), {shortened(starts.front().inputs), starts.front().origin});
    return starts;
  }

  Arguments shortened(Arguments inputs) const {
    for (std::size_t coordinate = 0; coordinate < coordinates_.count(); ++coordinate) {
      constexpr int bits = 6;
      int exponent = 0;
      const double part = std::frexp(coordinates_.at(inputs, coordinate), &exponent);
      coordinates_.move(inputs, coordinate, std::ldexp(std::round(std::ldexp(part, bits)), exponent - bits));
    }
    return inputs;
  }

  static std::size_t index_of(Wanted wanted) { return static_cast<std::size_t>(wanted); }

  /// The chase ends right behind the threshold: half as far again is better, if that is still the same side.
  Arguments further(const BranchGoal &goal, const Sighting &start, const Arguments &end) {
    Arguments point = end;
    for (std::size_t coordinate = 0; coordinate < coordinates_.count(); ++coordinate) {
      const double from = coordinates_.at(start.inputs, coordinate), to = coordinates_.at(end, coordinate);
      if (from != to && !coordinates_.move(point, coordinate, to + (to - from) / 2))
        return end;
    }
    const std::optional<BranchTrace> trace = look(point, start.origin);
    return trace && distance_to(goal, *trace).is_met ? point : end;
  }

  void find_sides() {
    std::set<std::tuple<std::size_t, std::size_t, Origin>> tried; // Once more where something better was found.
    for (unsigned round = 0; round < most_rounds && !is_spent(); ++round) {
      bool has_found = false;
      for (std::size_t site = 0; site < known_.size(); ++site)
        for (std::size_t side = 0; side < 2; ++side) {
          const Known &known = known_[site];
          if (!known.first || known.is_usual[side] || (!known.varies && round == 0) ||
              !tried.insert({site, side, known.starts.front().origin}).second)
            continue;
          const Wanted wanted = side == 1 ? Wanted::is_true : Wanted::is_false;
          chase({site, wanted}, known.ends[index_of(wanted)].size() + 1);
          has_found = has_found || known.at[side];
        }
      if (!has_found)
        return;
    }
  }

  bool has_side(std::size_t site, std::size_t side, const BranchTrace &trace) const {
    return site < trace.sites.size() && trace.sites[site].sides[side].count != 0;
  }

  static bool is_equal_at(std::size_t site, const BranchTrace &trace) {
    return site < trace.sites.size() &&
           std::ranges::any_of(
               trace.sites[site].sides,
               [](const BranchSummary::Side &side) { return side.count != 0 && side.left == side.right; });
  }

  void find_thresholds() {
    for (std::size_t site = 0; site < known_.size() && !is_spent(); ++site)
      if (known_[site].varies)
        find_threshold(site);
  }

  void find_threshold(std::size_t site) {
    const Known &known = known_[site];
    chase({site, Wanted::is_equal}, 2);
    for (const Arguments &inputs : turns_.of(site))
      if (const std::optional<BranchTrace> trace = look(inputs, Origin::found); trace && is_equal_at(site, *trace))
        known_[site].ends[index_of(Wanted::is_equal)].push_back(inputs);
    if (!known.best[0] || !known.best[1] || same_bits(known.best[0]->inputs, known.best[1]->inputs))
      return;
    const auto is_inside = [&](const Arguments &inputs) -> std::optional<bool> {
      const std::optional<BranchTrace> trace = look(inputs);
      return trace ? std::optional(has_side(site, 1, *trace)) : std::nullopt;
    };
    const std::optional<bool> at_false = is_inside(known.best[0]->inputs);
    if (!at_false || *at_false) // A loop, which has both.
      return;
    brackets_[site] = bisect(coordinates_, {known.best[1]->inputs, known.best[0]->inputs}, is_inside);
  }

  /// Where the sides together are others than at any point so far; and the mirrored points of sides that were searched
  /// for, which no comparison tells from them.
  void find_paths() {
    part_ = 1;
    for (std::size_t site = 0; site < known_.size(); ++site)
      for (std::size_t side = 0; side < 2; ++side)
        if (const std::optional<Arguments> end = searched(site, side))
          look_at_mirrored(site, side, *end);
    for (const std::size_t site : sites_by_interest())
      if (const auto bracket = brackets_.find(site); bracket != brackets_.end())
        for (const Arguments &inputs : beside(coordinates_, bracket->second))
          look_for_path(site, inputs);
  }

  /// A point of a side that usual ones do not show.
  std::optional<Arguments> searched(std::size_t site, std::size_t side) const {
    const Known &known = known_[site];
    if (known.is_usual[side] || !known.at[side])
      return std::nullopt;
    return known.ends[side].empty() ? *known.at[side] : known.ends[side].front();
  }

  void look_at_mirrored(std::size_t site, std::size_t side, const Arguments &end) {
    if (const std::optional<BranchTrace> trace = look(end))
      paths_.insert(path_of(*trace, known_.size()));
    bool is_first = true;
    for (const Arguments &inputs : mirrored(coordinates_, end)) {
      const std::optional<BranchTrace> trace = look_for_path(site, inputs);
      if (trace && is_first && has_side(site, side, *trace) && !paths_found_.contains(site))
        paths_found_[site].push_back(inputs);
      is_first = false;
    }
  }

  std::optional<BranchTrace> look_for_path(std::size_t site, const Arguments &inputs) {
    std::optional<BranchTrace> trace = look(inputs);
    if (trace && paths_.insert(path_of(*trace, known_.size())).second)
      paths_found_[site].push_back(inputs);
    return trace;
  }

  bool add(BranchSearchResult &result, const Arguments &inputs, BranchPoint::Kind kind, std::size_t site) const {
    const bool is_known = std::any_of(result.points.begin(), result.points.end(),
                                      [&](const BranchPoint &point) { return same_bits(point.inputs, inputs); });
    if (!is_known)
      result.points.push_back({inputs, kind, tracer_.sites()[site].place});
    return !is_known;
  }

  /// Rules first: it is they that are checked.
  std::vector<std::size_t> sites_by_interest() const {
    std::vector<std::size_t> all;
    for (const bool is_in_rule : {true, false})
      for (std::size_t site = 0; site < known_.size(); ++site)
        if (tracer_.sites()[site].is_in_rule == is_in_rule)
          all.push_back(site);
    return all;
  }

  /// A point may show more than the side that it is for.
  void add_sides(BranchSearchResult &result) {
    for (const std::size_t site : sites_by_interest())
      for (std::size_t side = 0; side < 2 && result.points.size() < most_sides; ++side) {
        const Known &known = known_[site];
        if (!known.at[side] || known.is_usual[side])
          continue;
        std::vector<Arguments> inputs = known.ends[side];
        inputs.push_back(*known.at[side]);
        for (const Arguments &point : inputs)
          add(result, point, BranchPoint::Kind::side, site);
        count_as_usual(inputs.front());
      }
  }

  void add_paths(BranchSearchResult &result) const {
    std::size_t count = 0;
    for (const std::size_t site : sites_by_interest())
      if (const auto found = paths_found_.find(site); found != paths_found_.end())
        for (const Arguments &inputs : found->second)
          if (count < most_paths)
            count += add(result, inputs, BranchPoint::Kind::side, site) ? 1 : 0;
  }

  /// A little away from each threshold, on both sides: a derivative whose own threshold lies elsewhere is wrong between
  /// the two, and at the function's a choice at a kink would hide that.
  void add_beside(BranchSearchResult &result) const {
    constexpr std::size_t of_largest_distance = 2; // One on each side.
    std::size_t count = 0;
    for (const std::size_t site : sites_by_interest())
      if (const auto bracket = brackets_.find(site); bracket != brackets_.end() && count < most_beside) {
        std::vector<Arguments> points = beside(coordinates_, bracket->second);
        points.resize(std::min(points.size(), of_largest_distance));
        for (const Arguments &inputs : points)
          count += add(result, inputs, BranchPoint::Kind::side, site) ? 1 : 0;
      }
  }

  void count_as_usual(const Arguments &inputs) {
    const std::optional<BranchTrace> trace = tracer_.trace(inputs);
    for (std::size_t site = 0; trace && site < std::min(known_.size(), trace->sites.size()); ++site)
      for (std::size_t side = 0; side < 2; ++side)
        known_[site].is_usual[side] = known_[site].is_usual[side] || has_side(site, side, *trace);
  }

  void add_thresholds(BranchSearchResult &result) const {
    std::size_t count = 0;
    const std::vector<std::size_t> sites = sites_by_interest();
    const auto add_if = [&](const std::optional<Arguments> &inputs, std::size_t site) {
      if (inputs && known_[site].varies && count < most_thresholds)
        count += add(result, *inputs, BranchPoint::Kind::threshold, site) ? 1 : 0;
    };
    for (const std::size_t site : sites) {
      for (const Arguments &end : known_[site].ends[index_of(Wanted::is_equal)])
        add_if(end, site);
      add_if(known_[site].equal, site);
    }
    for (const std::size_t site : sites)
      if (const auto bracket = brackets_.find(site); bracket != brackets_.end()) {
        add_if(bracket->second.inside, site);
        add_if(bracket->second.outside, site);
      }
  }

  SidesSeen seen() const {
    SidesSeen all(tracer_.sites().size());
    for (std::size_t site = 0; site < known_.size(); ++site)
      for (std::size_t side = 0; side < 2; ++side)
        all[site][side] = known_[site].at[side].has_value() ||
                          (site < of_other_calls_.size() && of_other_calls_[site].sides[side].count != 0);
    return all;
  }

  BranchTracer &tracer_;
  const Signature &signature_;
  const CheckOptions &options_;
  BranchBudget budget_;
  Coordinates coordinates_;
  Turns turns_;
  gen::Stream stream_;
  std::vector<Known> known_;
  std::vector<BranchSummary> of_other_calls_;
  std::map<std::size_t, Bracket> brackets_;
  std::set<Path> paths_;
  std::map<std::size_t, std::vector<Arguments>> paths_found_; ///< By the site beside which they are.
  double part_ = 1 - part_for_paths;                          ///< Of the budget, that may be spent so far.
  std::size_t calls_ = 0, work_ = 0;
};

} // namespace

void join(SidesSeen &seen, const SidesSeen &other) {
  seen.resize(std::max(seen.size(), other.size()));
  for (std::size_t site = 0; site < other.size(); ++site)
    for (std::size_t side = 0; side < 2; ++side)
      seen[site][side] = seen[site][side] || other[site][side];
}

std::vector<Combination> combinations_to_trace(const Subject &subject, const std::vector<Combination> &all) {
  const auto active = [](const Combination &combination) {
    return std::count_if(combination.arguments.begin(), combination.arguments.end(),
                         [](Activity activity) { return activity != Activity::constant; }) +
           (combination.result != Activity::constant ? 1 : 0);
  };
  std::vector<Combination> chosen;
  for (const Mode mode : {Mode::forward, Mode::reverse}) {
    const Combination *widest = nullptr;
    for (const Combination &combination : all)
      if (combination.mode == mode && combination.width == 1 && combination.form == Form::combined &&
          subject.supports(combination) && !subject.rules(combination).empty() &&
          (!widest || active(combination) > active(*widest)))
        widest = &combination;
    if (widest)
      chosen.push_back(*widest);
  }
  return chosen;
}

BranchSearchResult search_branches(BranchTracer &tracer, const Signature &signature, const CheckOptions &options,
                                   const BranchBudget &budget) {
  return Search(tracer, signature, options, budget).run();
}

std::vector<std::string> unseen_sides(const std::vector<BranchSite> &sites, const SidesSeen &seen) {
  constexpr std::size_t most_named = 6;
  std::set<std::string> phrases;
  for (std::size_t site = 0; site < std::min(sites.size(), seen.size()); ++site)
    if (sites[site].is_own && seen[site][0] != seen[site][1])
      phrases.insert(fmt::format("no input found where the comparison {} is {}", at_place(sites[site].place),
                                 seen[site][0] ? "true" : "false"));
  std::vector<std::string> named(phrases.begin(), phrases.end());
  if (named.size() > most_named) {
    const std::size_t left = named.size() - most_named;
    named.resize(most_named);
    named.push_back(fmt::format("{} more comparisons with one outcome", left));
  }
  return named;
}

} // namespace assay::testutils
