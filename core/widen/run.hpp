#pragma once
// One run of widened code on this thread, with movements (below) or with corrections (wide_values.hpp). Numbers in
// memory are moved before it, the movements of other numbers are read after it:
//
//   Run run;
//   run.move(&x, sizeof x, delta);
//   entry(slots);
//   const Wide dy = run.movement(&y, sizeof y);
//
// With v the value of a number in the program and d its movement, every operation computes d = op(v1 + d1, v2 + d2) -
// op(v1, v2) in wide arithmetic, beside the program's own v. So all that is decided by numbers (branches, indices) is
// decided as in the program, rounding errors of the program do not enter, and d is the program's reaction to a movement
// of its inputs as exactly as wide arithmetic has it. Where the moved number would have decided otherwise, a crossing
// is noted; where a movement is lost because code is not followed, a loss.

#include "core/widen/shadow_memory.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace assay::widen {

class Run {
public:
  static constexpr std::uint64_t usual_limit = 2'000'000; ///< About half a second.

  /// More operations on moving numbers than this end the run: all further movements are lost.
  explicit Run(std::uint64_t most_operations = usual_limit);
  ~Run();
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  void move(const void *address, std::size_t size, Wide delta);
  Wide movement(const void *address, std::size_t size);

  /// What was not followed, one phrase each: `a call of fread`.
  std::vector<std::string> losses() const;
  /// Where the moved numbers would have decided otherwise, one phrase each: `a comparison at f.c:12`.
  std::vector<std::string> crossings() const { return {crossings_.begin(), crossings_.end()}; }
  /// Functions that met their kinks or jumps, which some output may have felt.
  std::vector<std::string> kinks() const { return {kinks_.begin(), kinks_.end()}; }
  /// Where a function has no finite derivative, or a number is not finite, whether or not anything moves: there the
  /// chain rule may multiply zero by infinity. One phrase each.
  std::vector<std::string> singularities() const { return {singularities_.begin(), singularities_.end()}; }
  /// Code with corrections: where most digits were lost to cancellation, and by which factor the relative error grew
  /// there.
  struct Cancellation {
    double factor = 1;
    std::string site; ///< `at f.c:12`; empty: nowhere.
  };
  Cancellation cancellation() const { return {worst_factor_, worst_site_ ? worst_site_ : ""}; }

  /// How often either happened.
  std::size_t edges() const { return edges_; }
  std::uint64_t operations() const { return operations_; }

  // What follows is for the widened code.

  static Run *current();
  void lose(const std::string &what);
  void cross(const char *what, const char *site);
  void note_kink(const char *what, const char *site);
  void note_singularity(const char *what, const char *site);
  void note_cancellation(double factor, const char *site) {
    if (factor > worst_factor_ && factor - factor == 0) {
      worst_factor_ = factor;
      worst_site_ = site;
    }
  }
  /// False once the run is over its limit.
  bool count_operation();

  /// A function did not react to a movement, which may have been lost in the rounding of wide arithmetic.
  bool has_absorbed = false;
  /// How far the argument of a periodic function moved, in periods: beyond one, its values say nothing of its slope.
  double most_periods = 0;
  /// To how few bits of mantissa a number that moves was rounded: what the program's own arithmetic can be good for.
  std::uint32_t fewest_bits = 53;
  /// Of the coarsest numbers that the program computes with; known where movements are corrections.
  std::uint32_t fewest_computed_bits = 53;
  ShadowMemory memory;
  /// Movements within words, integers that may be the bits of numbers; a word's handle is its position, 0 stands for
  /// none.
  std::vector<std::vector<Movement>> words;
  struct Transfer {
    static constexpr std::size_t capacity = 1024;
    const void *function = nullptr; ///< Whose arguments or results these are.
    std::vector<Wide> slots = std::vector<Wide>(capacity);
  };
  Transfer arguments, results;

private:
  Run *outer_;
  std::uint64_t operations_ = 0, most_operations_;
  std::size_t edges_ = 0;
  double worst_factor_ = 1;
  const char *worst_site_ = nullptr; ///< In the memory of the code.
  std::set<std::string> losses_, crossings_, kinks_, singularities_;
};

} // namespace assay::widen
