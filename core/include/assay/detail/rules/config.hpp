#pragma once
// A rule's knowledge of the call that it serves. The engine hands over constants, which fold away once the rule is
// inlined: a question to the configuration costs nothing when the program runs.
//
//   words[0]          how many lanes
//   words[1]          flags, see below
//   words[2]          activity of the result: 0 constant, 1 active, 2 duplicated
//   words[3 + 2 i]    activity of argument i, plus 4 where value and shadows lie in memory of the caller
//   words[4 + 2 i]    1 where the memory of argument i may change before the reverse pass

#include <cstdint>

namespace assay::rules {

/// The numbers 0, 1, ... of the lanes: `for (int lane : config.lanes())`.
class LaneNumbers {
public:
  class Iterator {
  public:
    explicit Iterator(int lane) : lane_(lane) {}
    int operator*() const { return lane_; }
    Iterator &operator++() {
      ++lane_;
      return *this;
    }
    bool operator==(const Iterator &) const = default;

  private:
    int lane_;
  };
  explicit LaneNumbers(int width) : width_(width) {}
  static Iterator begin() { return Iterator(0); }
  Iterator end() const { return Iterator(width_); }

private:
  int width_;
};

/// The most lanes that a rule is called with at once.
inline constexpr int most_lanes = 32;

template <class T>
class Lanes;

enum class Activity : std::uint8_t { constant, active, duplicated };

class Config {
public:
  explicit Config(const std::uint32_t *words) : words_(words), width_(static_cast<int>(words[0])) {}
  /// The same call, seen for one of its lanes.
  Config(const Config &all, int lane) : words_(all.words_), width_(1), first_lane_(lane) {}

  /// How many tangents or adjoints are carried at once.
  int width() const { return width_; }
  LaneNumbers lanes() const { return LaneNumbers(width_); }
  /// `function(lane)` for each lane, together: the tangents that `forward` returns.
  template <class F>
  auto each_lane(F &&function) const;

  /// Whether the value of the function is read. If not, any value may be returned for it.
  bool needs_primal() const { return (words_[1] & 1U) != 0; }
  /// Whether the derivative (forward) or the shadow of the result is read.
  bool needs_shadow() const { return (words_[1] & 2U) != 0; }
  /// Whether a duplicated argument may be constant all the same, which its shadow's address tells when the program
  /// runs. `is_active()` of the arguments answers for both.
  bool runtime_activity() const { return (words_[1] & 4U) != 0; }
  /// The activity of the result.
  Activity result() const { return static_cast<Activity>(words_[2] & 3U); }
  /// The activity of argument `index`; of a member function, 0 is the object.
  Activity argument(int index) const { return static_cast<Activity>(words_[3 + 2 * index] & 3U); }
  /// Whether memory behind argument `index` may change between augmented_primal and reverse.
  bool overwritten(int index) const { return words_[4 + 2 * index] != 0; }

  // For the library.
  bool result_in_memory() const { return (words_[1] & 8U) != 0; }
  bool releases_tape() const { return (words_[1] & 16U) != 0; }
  bool argument_in_memory(int index) const { return (words_[3 + 2 * index] & 4U) != 0; }
  int first_lane() const { return first_lane_; }

private:
  const std::uint32_t *words_;
  int width_;
  int first_lane_ = 0;
};

} // namespace assay::rules
