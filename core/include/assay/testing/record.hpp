#pragma once
// The findings of a check, as values: one Record for each combination at each sample. Rendering is elsewhere
// (message.hpp, reports).

#include <assay/testing/trace.hpp>

#include <map>

namespace assay::testutils {

enum class Verdict : std::uint8_t {
  pass,
  wrong_derivative,
  wrong_primal,      ///< The derivative's primal result is not the function's, bit for bit.
  wrong_mutation,    ///< Memory at exit differs from the function's, or memory that must not change has changed.
  wrong_release,     ///< The derivative leaves memory behind that it allocated, or frees memory twice.
  wrong_state,       ///< A variable of the program is left otherwise than the function does, or earlier calls show.
  wrong_environment, ///< Rounding mode, signals, open files or the like are left otherwise than the function does.
  nondeterministic,  ///< The same request gave different bits twice, or the function itself did.
  oracle_unreliable, ///< Undecided: the oracle cannot tell at this point.
  nothing_compared,  ///< Undecided: every derivative is zero, or too small to be told from zero, at every point.
  no_answer,         ///< A call did not come to an end within its processor time or memory.
  crash              ///< The derivative could not be made or did not return.
};

/// `pass`, `wrong derivative`, ...
std::string_view name_of(Verdict verdict);

enum class Outcome : std::uint8_t { passed, failed, undecided };
Outcome outcome_of(Verdict verdict);

/// Where a number stands: an element of an argument (`parameter` is its position) or of the result.
struct Place {
  std::optional<std::size_t> parameter; ///< Absent: the result.
  std::size_t element = 0;
  unsigned lane = 0;
};

/// One number of the derivative beside the expected one.
struct Comparison {
  Place place;
  std::string path;    ///< `x[3]`, `w(2, 0)`, `result`.
  double ad = 0;       ///< Of the derivative; in reverse without the incoming shadow.
  double expected = 0; ///< Of the oracle.
  double incoming = 0; ///< Reverse: the shadow's content at entry, which it still has to hold beneath the derivative.
  double absolute_error = 0;
  double relative_error = 0;
  double ulp_error = 0;                        ///< In units of the last place of the element's type.
  double tolerance = 0;                        ///< Of the absolute error, the oracle's own error included.
  double oracle_error = 0;                     ///< The oracle's estimate of its own error.
  double oracle_step = 0;                      ///< The step that the oracle took.
  std::optional<double> second = std::nullopt; ///< Of a second oracle, where one was asked.
  double second_error = 0;                     ///< Its estimate of its own error.
};

/// A right derivative may have lost digits to rounding, where the problem is ill-conditioned.
struct LostDigits {
  double digits = 0; ///< Decimal ones, of the number that lost most.
  std::string path;  ///< Its place: `x[3]`.
  std::string site;  ///< Where most cancelled: `at f.c:12`; empty: not known.
  bool overflowed = false;
};
/// `9 digits lost to cancellation at gs.c:14 in x[3]`
std::string in_words(const LostDigits &lost);

/// A signature of activities next to a failing one, and how it fared.
struct Neighbour {
  Combination combination;
  Verdict verdict = Verdict::pass;
};

/// One way to the derivative along a direction.
struct Witness {
  std::string name; ///< `forward`, `reverse`, `finite differences`, `wide arithmetic`, ...
  double value = 0;
  bool is_oracle = false;             ///< Found without AD.
  double error = 0;                   ///< Of an oracle: its estimate.
  std::optional<double> taylor_slope; ///< Of a derivative: 2 where it is right, 1 where it is not, as far as was seen.
};

/// Quotients of differences of the function along one direction: (y(x + h v) - y(x)) / h and
/// (y(x + h v) - y(x - h v)) / 2h.
struct StepRow {
  double step = 0, forward = 0, central = 0;
};

/// One number of the derivative beside quotients of many steps: the error of the central ones is a V over the step, and
/// the Taylor remainder h |forward - derivative| falls with the square of the step where the derivative is right.
struct StepStudy {
  std::string path;               ///< Of the number that decided: `x[3]`; empty: a random direction.
  double derivative = 0;          ///< Of the derivative.
  std::optional<double> expected; ///< Of an oracle, on a failure.
  std::optional<double> taylor_slope;
  std::vector<StepRow> rows; ///< Largest step first.
};

/// The heap that one call takes; of a derivative, with its tape where that is not in the frame.
struct HeapCost {
  std::size_t allocations = 0;
  std::size_t most_bytes = 0; ///< At once.
};

struct Record {
  Combination combination;
  Verdict verdict = Verdict::pass;
  std::string check;            ///< The check that decided: `derivative against wide arithmetic`, `linearity`, ...
  std::string detail;           ///< The finding in one sentence; empty on a pass.
  std::string oracle;           ///< `wide arithmetic`, `finite differences`.
  std::string backend = "host"; ///< Where the code ran: `host`, or `emulated device`.
  std::string second_oracle;    ///< Which gave a second opinion; empty: none.
  std::vector<std::string> oracle_reasons; ///< Why wide arithmetic did not decide, where it was tried.
  std::vector<std::string> passed;         ///< The checks that were made and passed.
  std::vector<Comparison> worst;           ///< The worst elements, worst first; also on a pass (then for their errors).
  std::optional<LostDigits> lost;          ///< Of a derivative that is right but for its rounding.
  std::size_t compared = 0;                ///< How many numbers were compared with the oracle.
  std::size_t nonzero = 0;                 ///< How many of these can be told from zero.
  std::optional<HeapCost> heap;            ///< Of the derivative; absent where the front end does not see it.
  std::optional<HeapCost> heap_of_function;
  std::optional<CallTimes> times;        ///< Of a right derivative, where the front end can time calls.
  std::optional<StepStudy> steps;        ///< Of wrong derivatives, and of the first right one in each mode.
  std::optional<FirstWrong> first_wrong; ///< Of a wrong derivative, where the subject's numbers can be seen.
  std::vector<Witness> witnesses;        ///< Of a wrong derivative: the same number by every way that there is.
  std::string odd_one;                   ///< Which of them is alone with its answer.
  std::vector<std::string> hints;        ///< By the pattern of the error.
  std::string rule;                      ///< On a failure: the registered derivative that is at fault, if one is.
  std::vector<std::string> notes;        ///< Remarks that are no faults: a rule that nothing uses.
  std::vector<std::string> not_seen;     ///< The limits of the run for this function.
  std::optional<Combination>
      minimal; ///< On a failure: fewest activities that still fail, where it is not the combination itself.
  std::vector<Neighbour> neighbours; ///< On a failure: combinations that differ from the minimal one in one activity.
  std::uint64_t seed = 0;
  unsigned sample = 0;
  Arguments inputs;     ///< Where it was checked; after shrinking, the simplest point that still fails.
  unsigned shrinks = 0; ///< How many times the inputs were made simpler.
  std::string replay;   ///< One command line; empty where there is none.
};

/// All samples of one combination, joined: failed if any failed, else undecided if any was undecided.
struct Report {
  Signature signature;
  std::uint64_t seed = 0;
  std::vector<Record> records; ///< One for each combination: its first failing, else undecided, else last sample.
  std::size_t checked = 0;     ///< Combinations checked; passed + failed + undecided.
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t undecided = 0;
  std::vector<std::string> left_out; ///< Combinations that were not checked, each with the reason.

  bool ok() const { return failed == 0; }
};

} // namespace assay::testutils
