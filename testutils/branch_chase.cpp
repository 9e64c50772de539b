#include "testutils/branch_chase.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

constexpr unsigned most_passes = 6;
constexpr unsigned most_secants = 12;
/// First steps, in units of the number that moves.
constexpr std::array steps = {0x1p-8, 1.0, 0x1p5, 0x1p-20, 0x1p12};
/// Beside a point where both operands are equal.
constexpr std::array nudges = {0x1p-52, 0x1p-40, 0x1p-23, 0x1p-10};

class Descent {
public:
  Descent(Chase &chase, Approach start) : chase_(chase), best(std::move(start)) {}

  void run() {
    for (unsigned pass = 0; pass < most_passes && !is_over(); ++pass) {
      const Distance before = best.distance;
      for (const std::size_t coordinate : chase_.order) {
        if (is_over())
          return;
        improve(coordinate);
      }
      for (const std::vector<std::size_t> &array : chase_.coordinates.arrays()) {
        if (is_over())
          return;
        improve(array);
      }
      if (!best.distance.is_below(before))
        return;
    }
  }

private:
  bool is_over() const { return best.distance.is_met || calls_ >= chase_.most_calls; }

  /// Whether the point is closer than the best one, which it is then.
  bool take(const std::optional<Arguments> &inputs) {
    if (!inputs || is_over() || same_bits(*inputs, best.inputs))
      return false;
    ++calls_;
    const std::optional<Distance> distance = chase_.distance_at(*inputs);
    was_felt_ =
        was_felt_ || !distance || distance->left != best.distance.left || distance->right != best.distance.right;
    if (!distance || !distance->is_below(best.distance))
      return false;
    best = {*inputs, *distance};
    return true;
  }

  bool take(std::size_t coordinate, double value) {
    return take(chase_.coordinates.moved(best.inputs, coordinate, value));
  }

  double value_of(std::size_t coordinate) const { return chase_.coordinates.at(best.inputs, coordinate); }

  void improve(std::size_t coordinate) {
    was_felt_ = false;
    assign(coordinate);
    nudge(coordinate);
    if (!was_felt_) // The comparison does not depend on it.
      return;
    for (const double step : steps)
      for (const double sign : {1.0, -1.0})
        if (!is_over() && walk(coordinate, sign * step * size_of(coordinate)))
          break;
    nudge(coordinate);
  }

  double size_of(std::size_t coordinate) const {
    const double size = std::abs(value_of(coordinate));
    return size == 0 ? chase_.coordinates.scale(coordinate) : size;
  }

  /// What makes the operands equal where one of them is the coordinate, or moves as it does.
  void assign(std::size_t coordinate) {
    const double value = value_of(coordinate), gap = best.distance.left - best.distance.right;
    for (const double candidate : {value - gap, value + gap, best.distance.right, best.distance.left, 0.0})
      if (take(coordinate, candidate))
        return;
    for (const std::size_t other : {coordinate + 1, coordinate - 1})
      if (other < chase_.coordinates.count() && take(coordinate, value_of(other)))
        return;
  }

  /// Where both operands are equal, and one of them has to be the larger one.
  void nudge(std::size_t coordinate) {
    if (best.distance.size != 0)
      return;
    const double value = value_of(coordinate);
    for (const double part : nudges)
      for (const double sign : {1.0, -1.0})
        if (!is_over())
          static_cast<void>(take(coordinate, value + sign * part * size_of(coordinate)));
  }

  /// Whether a first step came closer; if so, on from there.
  bool walk(std::size_t coordinate, double step) {
    const double start = value_of(coordinate);
    const Distance from = best.distance;
    if (!take(coordinate, start + step))
      return false;
    double before = start;
    Distance there = from;
    for (unsigned secant = 0; secant < most_secants && !is_over(); ++secant) {
      const double here = value_of(coordinate);
      const double gap = best.distance.left - best.distance.right, gap_before = there.left - there.right;
      const double slope = (gap - gap_before) / (here - before);
      before = here;
      there = best.distance;
      if (!take(coordinate, here - gap / slope) && !take(coordinate, here - 2 * gap / slope))
        break;
    }
    for (double length = 2 * step; !is_over() && take(coordinate, value_of(coordinate) + length); length *= 2) {
    }
    return true;
  }

  /// All of an array set to an operand, which is what a maximum of it needs, or times a factor.
  void improve(const std::vector<std::size_t> &array) {
    if (take(filled(array, best.distance.right)) || take(filled(array, best.distance.left)))
      return;
    for (const double factor : {0.0, 2.0, 0.5, -1.0, 0x1p10, 0x1p-10})
      while (!is_over() && take(scaled(array, factor)) && factor != 0 && factor != -1) {
      }
  }

  std::optional<Arguments> filled(const std::vector<std::size_t> &array, double value) const {
    Arguments inputs = best.inputs;
    for (const std::size_t coordinate : array)
      if (!chase_.coordinates.move(inputs, coordinate, value))
        return std::nullopt;
    return inputs;
  }

  std::optional<Arguments> scaled(const std::vector<std::size_t> &array, double factor) const {
    Arguments inputs = best.inputs;
    for (const std::size_t coordinate : array)
      if (!chase_.coordinates.move(inputs, coordinate, factor * value_of(coordinate)))
        return std::nullopt;
    return inputs;
  }

  Chase &chase_;
  std::size_t calls_ = 0;
  bool was_felt_ = false; ///< The comparison was another one at some point.

public:
  Approach best;
};

} // namespace

Approach Chase::from(Approach start) {
  Descent descent(*this, std::move(start));
  descent.run();
  return std::move(descent.best);
}

} // namespace assay::testutils
