#pragma once
// The one gradient check. It takes a Subject, runs its derivative for activity combinations at random points, and
// compares with finite differences of the function itself, in wide arithmetic where the subject offers that, and with
// the algebra that every derivative obeys.

#include <assay/testing/record.hpp>

#include <assay/fdm/method.hpp>

#include <functional>

namespace assay::testutils {

/// A tolerance of some elements.
struct ToleranceRule {
  /// A path, as `x.layers[*].weight` for all that is in these, or a type: `float`, `double`, `long double`.
  std::string where;
  std::optional<double> absolute, relative; ///< Absent: as without this rule.
};

/// Absolute and relative tolerance. Absent: 1e-9 for double and long double, sqrt(epsilon) for float, by each element's
/// type.
struct Tolerance {
  std::optional<double> absolute;
  std::optional<double> relative;
  /// How far the primal result of a derivative may be from the function's, in units of the last place. Only fast-math
  /// needs this.
  double primal_ulps = 0;
  /// The function's code is compiled anew as a part of the derivative, and may be rounded otherwise there: the primal
  /// result may be off by what rounding moves the function's own.
  bool primal_may_round = false;
  std::vector<ToleranceRule> rules = {}; ///< Of several that fit an element the last one counts.
  /// Whether a rule that fits nothing is an error. Where shapes are random it need not be one.
  enum class Unfitting : std::uint8_t { error, ignored } unfitting = Unfitting::error;
};

/// The oracle of a derivative.
enum class OracleChoice : std::uint8_t {
  automatic, ///< The subject's precise derivative where it has one; finite differences where that does not cover the
             ///< code or cannot tell, and as a second opinion before a derivative is called wrong.
  finite_differences,
  precise ///< Undecided where there is no precise derivative.
};

/// Widths other than `widths`, split reverse mode and run-time activity.
enum class Variations : std::uint8_t {
  none,
  one_each ///< Each combination once more in another form, and every form at least once; which: from the seed.
};

/// The checks at each of the points that `samples` counts.
enum class Depth : std::uint8_t {
  every_check,
  derivative ///< The primal and one derivative against the oracle: of functions whose calls take long.
};

/// A point where a comparison of the program, or of a rule, falls out in a certain way.
struct BranchPoint {
  enum class Kind : std::uint8_t {
    side,     ///< One that no random point has.
    threshold ///< Where it is about to fall out otherwise: its operands are equal, or next to that.
  };
  Arguments inputs;
  Kind kind = Kind::side;
  std::string place; ///< Of the comparison: `f.c:12 in f`.
};

struct CheckOptions {
  std::uint64_t seed = 1;
  std::string suite;    ///< Names of the check: together with the seed they give the random numbers.
  std::string name;     ///< Empty: the function's name.
  unsigned samples = 1; ///< Random points for each combination.
  Depth depth = Depth::every_check;
  /// Further random points, where only the primal and one derivative are checked: for faults that a branch hides from
  /// `samples`.
  unsigned brief_samples = 0;
  /// Further points of `edge_inputs`. What wide arithmetic knows at one has to be right, where the derivative is
  /// finite.
  unsigned edge_samples = 0;
  /// Further points of `magnitude_inputs`, judged like these.
  unsigned magnitude_samples = 0;
  /// Further points like the brief ones, for derivatives in which a registered rule is used and everything is active:
  /// rules have tables and cases that few numbers meet.
  unsigned scanned_samples = 0;
  /// Further points, from `search_branches`. At those beside a threshold the derivative has to be that of the side that
  /// the function takes.
  std::vector<BranchPoint> branch_points;
  std::vector<Mode> modes = {Mode::forward, Mode::reverse};
  std::vector<unsigned> widths = {1};
  Variations variations = Variations::none;
  std::size_t budget = 0; ///< Not zero: at most so many combinations, drawn from all with the seed.
  /// Of compiled subjects: about so much processor time for one check, by the cost of a call; 0: no limit.
  double seconds = 0;
  std::vector<Combination> combinations; ///< Not empty: these, instead of all that modes, widths and types allow.
  std::vector<Combination> further;      ///< Beside those, where they have something to check.
  RuntimeActivity runtime_activity = RuntimeActivity::off; ///< Of all combinations that modes, widths and types allow.
  fdm::FiniteDifferenceMethod finite_differences = fdm::central_fdm(5, 1); ///< Of the first derivative; any grid.
  OracleChoice oracle = OracleChoice::automatic;
  Tolerance tolerance;
  std::optional<double> most_digits_lost; ///< A right derivative that has lost more digits to rounding fails.
  std::size_t worst_elements = 5;         ///< Rows of the table of a record.
  unsigned shrink_steps = 200;            ///< How many simpler points are tried after a failure.
  bool find_neighbours = true;            ///< After a failure: which combinations close to it fail as well.
  /// How many failures are explained: made simpler, compared with their neighbours, traced to a rule and to a line.
  unsigned explanations = std::numeric_limits<unsigned>::max();
  /// How many calls are made in a row before one, where a registered rule may keep something of each.
  unsigned earlier_calls = 96;
  unsigned localisations = 2;    ///< For how many wrong derivatives of each mode the first wrong number is sought.
  std::vector<Arguments> points; ///< Not empty: check at these points and draw none.
  /// Not empty: the seed of the result in reverse, as many numbers as the result has.
  Values output_tangent;
  /// Called once for each combination when it is decided: progress, streaming reports.
  std::function<void(const Record &)> on_record;
  /// Called before anything runs at a point, with its number among the samples.
  std::function<void(unsigned)> on_point;
};

/// Functions with more arguments that can be differentiated are not checked in the full product of activities; see
/// combinations.cpp.
inline constexpr std::size_t most_arguments_in_full_product = 6;

/// Every combination that the types allow and that has something to check. Buffers that the function writes at `inputs`
/// are never constant beside an active argument: data flows through them, and Const would promise that it does not.
std::vector<Combination> combinations_of(Subject &subject, const Arguments &inputs, const CheckOptions &options = {});

/// The same for one function at several shapes, as a subject and inputs for each: memory that it writes at any of them
/// is written.
std::vector<Combination> combinations_of(const std::vector<std::pair<Subject *, Arguments>> &shapes,
                                         const CheckOptions &options);

/// A derivative that the check runs.
struct NeededDerivative {
  Combination combination;
  PrimalResult primal = PrimalResult::wanted;
};

/// Every derivative that the checks of `combinations` run, each of these with and without its primal result, and the
/// plain forms that lanes of batches and reverse mode are compared with: a front end can make these in one go.
/// `runtime_activity` is that of CheckOptions.
std::vector<NeededDerivative> derivatives_needed(const std::vector<Combination> &combinations,
                                                 RuntimeActivity runtime_activity = RuntimeActivity::off);

/// The random point of `sample`: a function of seed, suite, name and sample alone.
Arguments random_inputs(const Signature &signature, const CheckOptions &options, unsigned sample);

/// A point where rules may branch: numbers that are 0, 1, -1, equal or next to the limits of their domains, between
/// random ones.
Arguments edge_inputs(const Signature &signature, const CheckOptions &options, unsigned sample);

/// A point with numbers far from 1, or nearly equal ones.
Arguments magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample);

/// One combination at one point, shrunk if it fails.
Record check_combination(Subject &subject, const Combination &combination, const Arguments &inputs,
                         const CheckOptions &options = {});

/// All combinations at `options.samples` random points.
Report check_gradients(Subject &subject, const CheckOptions &options = {});

} // namespace assay::testutils
