#pragma once
// Central differences of widened code. With F(t) the movement of an output when the inputs move by t v,
//
//     D(h) = (F(h) - F(-h)) / (2 h),     error <= |D(2h) - D(h)|,
//
// where the true error of D(h) is a third of that as long as truncation rules, and both D are off by as much where
// round-off rules. F is exact to about 2^-110 of the numbers that a program computes with, so at h = 2^-40 of the
// point's size D is right to 2^-70 for a function that varies on that scale; where the two steps disagree, other steps
// are tried.

#include "core/widen/wide_number.hpp"

#include <assay/function_ref.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace assay::widen {

/// The result of one run.
struct Reaction {
  std::vector<Wide> movements; ///< Of all outputs.
  std::vector<std::string> losses, crossings, kinks;
  std::size_t edges = 0;          ///< How often a decision fell otherwise, or a function met its kink.
  std::vector<double> noise = {}; ///< Of each output: how far rounding may move it. Empty: not at all.
  bool has_absorbed = false;      ///< Some function did not react to a movement: it may be too small to be seen.
  std::vector<std::string> singularities = {}; ///< As Run has them.
  double periods = 0;                          ///< The most that an argument of a periodic function moved.
};

enum class Trouble : std::uint8_t {
  none,
  non_finite,
  crossing,      ///< The stencil's points decide differently, or the slopes to both sides differ, at every step.
  steps_disagree ///< So steep or so curved that no step resolves it.
};

struct Estimate {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::infinity();
  double step = 0;
  Trouble trouble = Trouble::non_finite;
  bool may_lack = false;   ///< Where movements were absorbed, what they would have given is missing.
  bool goes_round = false; ///< A periodic function moved too far for its slope to be seen.
};

struct Difference {
  std::vector<Estimate> outputs;
  std::vector<std::string> losses;    ///< Not empty: the outputs say nothing.
  std::vector<std::string> crossings; ///< On which edges the point lies, where that keeps an output from being known.
  std::size_t edges = 0;              ///< How many these are, as often as the program comes to them.
  /// They are decisions of the program alone: no function of the library met its kink.
  bool are_decisions = false;
  /// The most edges that one movement meets, and which, whether or not an output feels them: |x| x is smooth at 0.
  std::size_t edges_together = 0;
  std::vector<std::string> met;
  std::vector<std::string> singularities; ///< As Run has them, of the last point.
};

/// Whether what does not move stands exactly still (movements), or is rounded anew in each run (corrections).
enum class Rounding : std::uint8_t { none, of_wide_numbers };

/// `size` is the size of the point along the direction: |x| for a coordinate x.
Difference differentiate(FunctionRef<Reaction(Wide step)> react, std::size_t outputs, double size,
                         Rounding rounding = Rounding::none);

} // namespace assay::widen
