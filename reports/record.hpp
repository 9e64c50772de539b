#pragma once
// The result of checking one activity combination of one function, with everything that is needed to repeat it, and the
// run that it belongs to. Plain values; how they came about is not known here.

#include "reports/figure.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reports {

/// Of the JSON lines; grows when a member changes its meaning or goes away.
constexpr int schema_version = 2;
/// Records of it can be read as well: they have no provenance.
constexpr int oldest_schema_version = 1;

enum class Outcome : std::uint8_t { passed, failed, undecided };
std::string_view name_of(Outcome outcome);

/// One number of a derivative beside the expected one.
struct Element {
  std::string path; ///< `x[3]`, `result`.
  double ad = 0;
  double expected = 0;
  double incoming = 0; ///< Of the shadow before.
  double absolute_error = 0;
  double relative_error = 0;
  double ulp_error = 0;
  double tolerance = 0;
  double oracle_error = 0;
  double oracle_step = 0;
  std::optional<double> second = std::nullopt; ///< Of a second oracle.
  double second_error = 0;
};

struct Input {
  std::string name;
  std::vector<double> values;
};

/// The first number whose tangent or adjoint is wrong, in the order of the derivative's computation.
struct FirstWrong {
  std::string what;  ///< `the adjoint of argument 1 of the call of g`.
  std::string place; ///< `f.c:12 in f`.
  double derivative = 0;
  double expected = 0;
  std::size_t execution = 0; ///< The how-manieth time that the place was passed; 0: not known.
  std::size_t executions = 0;
};

/// One way to a number of the derivative.
struct Witness {
  std::string name;
  double value = 0;
  double error = 0;
  std::optional<double> taylor_slope; ///< The order of the Taylor remainder: 2 where the value is right.
};

/// One number of the derivative beside difference quotients of many steps along a direction.
struct StepStudy {
  struct Row {
    double step = 0, forward = 0, central = 0; ///< Quotients.
  };
  std::string path; ///< `x[3]`; empty: a random direction.
  double derivative = 0;
  std::optional<double> expected; ///< Of an oracle, on a failure.
  std::optional<double> taylor_slope;
  std::vector<Row> rows; ///< Largest step first.
};

/// Of some calls, in nanoseconds.
struct Timing {
  std::size_t calls = 0;
  double low = 0, median = 0, high = 0; ///< Quartiles.
};

/// The times of calls, in turn. Nothing of it goes into a verdict or a digest.
struct Times {
  Timing function, derivative;
};

/// The heap that one call takes.
struct HeapCost {
  std::size_t allocations = 0;
  std::size_t most_bytes = 0; ///< At once.
};

/// The links from the seed to the verdict, each as a digest of bits, and other things that may change one of them.
/// Empty: not known.
struct Provenance {
  std::string inputs;    ///< The points that were drawn.
  std::string ir;        ///< Of the function, as it was compiled.
  std::string gradients; ///< Of every call of the derivative.
  std::string assay, llvm, flags, cpu;
  std::string libm; ///< Results of the mathematical library at fixed points.
  friend bool operator==(const Provenance &, const Provenance &) = default;
};

struct Record {
  // The subject.
  std::string case_id; ///< Of the case of a night that it belongs to; empty: none.
  std::string file;
  std::vector<std::string> flags; ///< Of the compiler.
  std::string build;              ///< Folder of compile_commands.json that has more flags; empty: none.
  std::vector<std::string> with;  ///< Further files that it is linked with.
  std::string function;
  std::string test; ///< `Suite.Name` where a test program checked it.
  std::vector<std::string> argument_specs;
  std::uint64_t seed = 0;
  unsigned sample = 0;
  std::string mode;
  unsigned width = 1;
  bool split = false;            ///< Augmented primal and reverse function with a tape between them.
  bool runtime_activity = false; ///< The derivative asks while it runs which pointers are active.
  std::string result_activity;   ///< Empty for void.
  std::vector<std::string> parameters;
  std::vector<std::string> activities; ///< One for each parameter.
  unsigned optimization_level = 2;
  std::optional<double> rtol, atol; ///< Where the user gave them.
  std::string options;              ///< A JSON object with the other options that are not as by default; empty: none.

  // The outcome.
  Outcome outcome = Outcome::passed;
  std::string verdict;           ///< `pass`, `wrong derivative`, ...
  std::string known_failure;     ///< Of a failure that the project knows of and that is undecided for that: why.
  bool expected_failure = false; ///< A wrong derivative that was planted and was found: a pass.
  std::string check;             ///< The check that decided.
  std::string detail;
  std::string oracle;                      ///< Of the derivative.
  std::string backend = "host";            ///< Where the code ran: `host`, or `emulated device`.
  std::string second_oracle;               ///< Which gave a second opinion; empty: none.
  std::vector<std::string> oracle_reasons; ///< Why a better oracle did not decide.
  std::vector<std::string> passed_checks;
  std::vector<Element> worst; ///< Worst first.
  std::string lost_digits;    ///< Of a right derivative: how many digits rounding took, and where; empty: none.
  double digits_lost = 0;     ///< The same as a number, of decimal digits.
  std::size_t compared = 0;
  std::optional<HeapCost> heap, heap_of_function; ///< Of the derivative, its tape included; of the function.
  std::optional<Times> times;
  std::optional<StepStudy> steps;
  std::optional<FirstWrong> first_wrong;
  std::vector<Witness> witnesses;
  std::string odd_one; ///< Which witness is alone with its answer.
  std::vector<std::string> hints;
  std::string rule;                  ///< The registered derivative that is at fault, if one is.
  std::vector<std::string> notes;    ///< Remarks that are no faults.
  std::vector<std::string> not_seen; ///< The limits of the run.
  std::string effort; ///< The checks left out because a call takes long: `24 of 96 combinations: ...`; empty: nothing.
  std::vector<std::string> neighbours;
  std::vector<Input> inputs; ///< After shrinking, where it failed.
  std::string message;       ///< The whole failure as text for people.
  std::string replay;        ///< One command line.
  Provenance provenance;
};

struct Totals {
  std::size_t checked = 0, passed = 0, failed = 0, undecided = 0;
};

struct Run {
  std::string command;
  std::uint64_t seed = 0;
  std::string environment; ///< Versions and target, in words.
  double seconds = 0;
  std::vector<Record> records;
  std::vector<std::string> notes; ///< Functions that could not be checked, and why.
  std::vector<Figure> figures;
};

Totals totals_of(const std::vector<Record> &records);

/// `N combinations checked, P passed, F failed, U undecided`.
std::string closing_line(const Totals &totals);

} // namespace assay::reports
