#pragma once
// One run of a program with probes (probes.hpp) on this thread:
//
//   Run run;
//   run.program = entry;
//   Run::enter(slots);
//   run.numbers();    // every number that came to a probe, in order
//
// In a run of the function each number is seen and may be moved by an amount of its own. In a run of a derivative each
// number is seen with its tangent, or, in reverse mode, with the adjoint that comes back to it. Numbers are counted in
// the order in which the function computes them, so the n-th is the same one in all runs that take the same way.

#include "core/passes/named_functions.hpp"
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace assay::trace {

struct Number {
  std::uint32_t site = 0; ///< Of the probe.
  double value = 0;
  double derivative = 0;         ///< Tangent or adjoint.
  bool has_derivative = false;   ///< The derivative has one for it.
  const void *address = nullptr; ///< Of a number that is loaded or stored: where it stands in memory.
};

/// A call that may use memory without a probe on the way, made after so many numbers.
struct Mark {
  std::uint32_t site = 0;
  std::size_t position = 0;
};

class Run {
public:
  static constexpr std::size_t usual_limit = 1U << 20U;

  /// Numbers beyond the first `most_numbers` are counted only.
  explicit Run(std::size_t most_numbers = usual_limit);
  ~Run();
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  using Entry = void (*)(void **slots);
  Entry program = nullptr;
  /// Calls the program of the current run.
  static void enter(void **slots);

  /// What is added to each number; those behind the end are left alone.
  std::vector<double> amounts;
  /// A program that computes more numbers is left where it is: what was moved may make it run forever. Nothing of it is
  /// cleaned up.
  std::size_t most_counted = std::numeric_limits<std::size_t>::max();

  const std::vector<Number> &numbers() const { return numbers_; }
  const std::vector<Mark> &marks() const { return marks_; }
  /// How many numbers there were.
  std::size_t count() const { return count_; }

  // What follows is for the program with probes.

  static Run *current();
  /// The position of the number.
  std::size_t note(std::uint32_t site, double value);
  double amount_at(std::size_t position) const { return position < amounts.size() ? amounts[position] : 0; }
  void note_derivative(std::size_t position, double derivative);
  void note_address(const void *address) { address_ = address; }
  void mark(std::uint32_t site);
  /// Code with derivatives of its own is not followed: what it computes is no number of the function.
  void enter_rule() { ++rules_; }
  void leave_rule() { --rules_; }
  bool is_in_rule() const { return rules_ != 0; }

private:
  Run *outer_;
  std::size_t most_numbers_, count_ = 0;
  std::vector<Number> numbers_;
  std::vector<Mark> marks_;
  const void *address_ = nullptr;
  unsigned rules_ = 0;
  std::jmp_buf way_out_ = {};
};

/// The functions that probes call, by name.
NamedFunctions runtime_symbols();

} // namespace assay::trace
