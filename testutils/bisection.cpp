#include "testutils/bisection.hpp"

namespace assay::testutils {

namespace {

/// More coordinates stay as they are: each costs a call.
constexpr std::size_t most_equalised = 8;
constexpr unsigned most_halvings = 80;

std::vector<std::size_t> different_coordinates(const Coordinates &coordinates, const Bracket &bracket) {
  std::vector<std::size_t> different;
  for (std::size_t coordinate = 0; coordinate < coordinates.count(); ++coordinate)
    if (coordinates.at(bracket.inside, coordinate) != coordinates.at(bracket.outside, coordinate))
      different.push_back(coordinate);
  return different;
}

/// Some of `different` are equal then.
void equalise(const Coordinates &coordinates, Bracket &bracket, const std::vector<std::size_t> &different,
              const std::function<std::optional<bool>(const Arguments &)> &is_inside) {
  if (different.size() < 2)
    return;
  for (std::size_t index = 0; index < std::min(different.size(), most_equalised); ++index) {
    const std::optional<Arguments> other =
        coordinates.moved(bracket.outside, different[index], coordinates.at(bracket.inside, different[index]));
    if (!other)
      continue;
    const std::optional<bool> inside = is_inside(*other);
    if (inside && !*inside)
      bracket.outside = *other;
    else if (inside) // The threshold is between these two.
      bracket.inside = *other;
  }
}

std::optional<Arguments> middle(const Coordinates &coordinates, const Bracket &bracket,
                                const std::vector<std::size_t> &different) {
  Arguments point = bracket.inside;
  for (const std::size_t coordinate : different) {
    const double left = coordinates.at(bracket.inside, coordinate), right = coordinates.at(bracket.outside, coordinate);
    if (!coordinates.move(point, coordinate, left / 2 + right / 2))
      return std::nullopt;
  }
  return point;
}

} // namespace

Bracket bisect(const Coordinates &coordinates, Bracket bracket,
               const std::function<std::optional<bool>(const Arguments &)> &is_inside) {
  equalise(coordinates, bracket, different_coordinates(coordinates, bracket), is_inside);
  const std::vector<std::size_t> different = different_coordinates(coordinates, bracket);
  for (unsigned halving = 0; halving < most_halvings; ++halving) {
    const std::optional<Arguments> point = middle(coordinates, bracket, different);
    if (!point || same_bits(*point, bracket.inside) || same_bits(*point, bracket.outside))
      break;
    const std::optional<bool> inside = is_inside(*point);
    if (!inside)
      break;
    (*inside ? bracket.inside : bracket.outside) = *point;
  }
  return bracket;
}

} // namespace assay::testutils
