#include "testutils/branch_paths.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

constexpr std::size_t most_mirrored = 6;
/// In units of the number that moves. Farther ones first: there a derivative is not lost beside the threshold.
constexpr std::array distances = {0x1p-4, 0x1p-7, 0x1p-12, 0x1p-20, 0x1p-30};

std::optional<Arguments> away(const Coordinates &coordinates, const Arguments &from, const Arguments &threshold,
                              double distance) {
  Arguments point = from;
  bool has_moved = false;
  for (std::size_t coordinate = 0; coordinate < coordinates.count(); ++coordinate) {
    const double here = coordinates.at(from, coordinate), there = coordinates.at(threshold, coordinate);
    if (here == there)
      continue;
    // Beside zero the number itself has no size.
    const double size = std::abs(here) < 0x1p-60 ? coordinates.scale(coordinate) : std::abs(here);
    if (!coordinates.move(point, coordinate, here + (here > there ? distance : -distance) * size))
      return std::nullopt;
    has_moved = true;
  }
  return has_moved ? std::optional(std::move(point)) : std::nullopt;
}

} // namespace

Path path_of(const BranchTrace &trace, std::size_t sites) {
  Path path(2 * sites);
  for (std::size_t site = 0; site < std::min(sites, trace.sites.size()); ++site)
    for (std::size_t side = 0; side < 2; ++side)
      path[2 * site + side] = trace.sites[site].sides[side].count != 0;
  return path;
}

std::vector<Arguments> mirrored(const Coordinates &coordinates, const Arguments &inputs) {
  std::vector<Arguments> points;
  Arguments all = inputs;
  bool may_be = true;
  for (std::size_t coordinate = 0; coordinate < coordinates.count(); ++coordinate)
    may_be = may_be && coordinates.move(all, coordinate, -coordinates.at(inputs, coordinate));
  if (may_be)
    points.push_back(std::move(all));
  for (std::size_t coordinate = 0; coordinate < std::min(coordinates.count(), most_mirrored); ++coordinate)
    if (auto one = coordinates.moved(inputs, coordinate, -coordinates.at(inputs, coordinate)))
      points.push_back(*std::move(one));
  return points;
}

std::vector<Arguments> beside(const Coordinates &coordinates, const Bracket &bracket) {
  std::vector<Arguments> points;
  for (const double distance : distances)
    for (const auto &[from, threshold] :
         {std::pair(&bracket.inside, &bracket.outside), std::pair(&bracket.outside, &bracket.inside)})
      if (std::optional<Arguments> point = away(coordinates, *from, *threshold, distance))
        points.push_back(*std::move(point));
  return points;
}

} // namespace assay::testutils
