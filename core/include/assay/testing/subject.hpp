#pragma once
// A function as the gradient check sees it: flat vectors. A front end (typed C++ of <assay/testing.hpp>, JIT-compiled
// code of `assay check`) flattens its arguments, implements Subject, and leaves everything else to the check in
// check.hpp.
//
// With x the flat inputs (scalars and the contents of all buffers at entry) and y = f(x) the flat outputs (the result
// and the contents of all buffers at exit), J = dy/dx, a subject promises:
//
//   forward:  y' = J x'     the shadow of a buffer holds x' at entry and y' at exit
//   reverse:  x^ += J^T y^  the shadow of a buffer holds y^ at entry and x^ at exit; for a buffer that f leaves alone
//   this means
//                           that the derivative is added to the shadow's earlier content
//
// All numbers travel as double: exact for float, and for integers up to 2^53; long double is rounded.

#include <assay/generators/structure.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::testutils {

/// The numbers of one argument, result or shadow: all elements in memory order (row-major for more than one extent).
using Values = std::vector<double>;
/// One entry for each parameter, in order.
using Arguments = std::vector<Values>;

enum class ElementType : std::uint8_t {
  single_precision,
  double_precision,
  long_double,
  integer,
  half_precision, ///< IEEE binary16: 11 bits of mantissa, numbers up to 65504.
  brain_float     ///< bfloat16: the range of a float, 8 bits of mantissa.
};

enum class Passing : std::uint8_t {
  value, ///< A scalar by value: the function cannot change it.
  buffer ///< Memory that the function may read and write: pointer, reference, span, container.
};

/// Where random inputs are drawn from and where finite differences have to stay. Integers: both limits are included.
struct Domain {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool excludes_zero = false;
  /// The common properties of the points that are drawn. Derivatives are those of single elements all the same: beside
  /// such a point lie points without the structure.
  gen::Structure structure = gen::Structure::none;
  bool logarithmic = false; ///< Between two limits above zero: uniform in the logarithm.
  double step = 0;          ///< Not zero: all numbers are multiples of it.
  double scale = 1;         ///< Of numbers without a limit.
  friend bool operator==(const Domain &, const Domain &) = default;
};

struct Parameter {
  std::string name;
  ElementType element = ElementType::double_precision;
  Passing passing = Passing::value;
  std::vector<std::size_t> extents; ///< Empty for one number; {8}, {3, 4}, ... for arrays.
  bool constant_only = false;       ///< Never differentiated. Integers never are, whatever this says.
  Domain domain;
  std::vector<double> fixed; ///< Not empty: the values at every sample, instead of random ones.
  std::vector<std::string>
      element_paths; ///< Not empty: the name of each element; else it follows from name and extents.
  std::vector<ElementType> element_types; ///< Not empty: the type of each element; else all are `element`.
  std::vector<std::string> sharing;       ///< Further parameters of the function that get this memory: `y = x + 3`.
  bool may_be_shared = true;              ///< Another parameter of its type might get this memory, in other checks.

  std::size_t size() const;
  ElementType element_type(std::size_t index) const {
    return index < element_types.size() ? element_types[index] : element;
  }
  bool differentiable() const;
  /// With those that share its memory: `x (y = x + 3)`.
  std::string title() const;
  /// How a person would write element `index` in source: `x`, `x[3]`, `w(2, 0)`.
  std::string element_path(std::size_t index) const;
};

struct Signature {
  std::string function; ///< The name as its author writes it.
  std::vector<Parameter> parameters;
  std::optional<Parameter> result; ///< Absent for void. An integer result is compared but not differentiated.

  bool result_differentiable() const { return result && result->differentiable(); }
};

enum class Mode : std::uint8_t { forward, reverse };

enum class Activity : std::uint8_t {
  constant,          ///< No derivative, no shadow. As the result: no tangent asked for, no seed given.
  active,            ///< Reverse: the adjoint of a scalar argument is returned; the result is seeded.
  duplicated,        ///< With a shadow: tangent or accumulator. Result (forward): primal and tangent are asked for.
  duplicated_no_need ///< As duplicated, but the primal value may be skipped. Result (forward): only the tangent is
                     ///< asked for.
};

/// Reverse: in one function, or as an augmented primal and a reverse function with a tape between them. Between the two
/// the subject overwrites all memory that the caller may overwrite, and puts its numbers into the shadows only then.
enum class Form : std::uint8_t { combined, split };
/// Whether the derivative asks while it runs which pointers are active.
enum class RuntimeActivity : std::uint8_t { off, on };

/// Which derivative: one activity for the result and for each argument, and in which form.
struct Combination {
  Mode mode = Mode::forward;
  Activity result = Activity::constant;
  std::vector<Activity> arguments;
  unsigned width = 1;
  Form form = Form::combined;
  RuntimeActivity runtime_activity = RuntimeActivity::off;
  friend bool operator==(const Combination &, const Combination &) = default;
};

enum class PrimalResult : std::uint8_t { omitted, wanted };

/// One call of the derivative.
struct DerivativeRequest {
  Combination combination;
  Arguments inputs;
  /// One entry for each lane: the shadow of each argument at entry. Forward: of every argument that is not constant.
  /// Reverse: of duplicated arguments. Empty Values for all others.
  std::vector<Arguments> shadows;
  /// Reverse with an active result, one entry for each lane: the seed of each element of the result. Empty Values
  /// otherwise.
  std::vector<Values> result_seeds;
  /// Reverse: whether the primal result is asked for. Forward follows from the activity of the result.
  PrimalResult primal = PrimalResult::wanted;
  /// For each parameter, whether NaNs are to stand beside its numbers and beside those of its shadows, where nobody may
  /// look: around the memory, in padding, in those parts of a shadow that carry no derivative. Empty: for none.
  std::vector<bool> poisoned = {};
};

/// The effect of one call on the heap.
struct HeapUse {
  std::size_t blocks_left = 0, bytes_left = 0; ///< At most so much was allocated and not freed.
  std::vector<std::string> faults;             ///< Wrong releases, one sentence each.
  std::vector<std::string> left = {};          ///< Kinds of blocks that were not freed, one phrase each.
  std::vector<std::string> mappings = {};      ///< Mappings by mmap that were not unmapped, likewise.
  std::size_t allocations = 0;                 ///< How often memory was allocated.
  std::size_t most_bytes = 0;                  ///< The most that was allocated at once.
};

struct PrimalOutcome {
  Values result;      ///< Empty for void.
  Arguments contents; ///< Of every argument at exit; for scalars the value that was passed.
  std::vector<std::string>
      violations; ///< Faults in memory that the front end saw (a canary overwritten), one sentence each.
  std::optional<HeapUse> heap = std::nullopt; ///< Absent: the front end does not see it.
  /// How the processor computes otherwise after the call than before, one sentence each.
  std::vector<std::string> environment = {};
  /// As in a DerivativeOutcome.
  bool left_range = false;
};

struct DerivativeOutcome {
  std::optional<Values> result;        ///< The primal result where the request asks for it.
  Arguments contents;                  ///< Of every argument at exit, whatever its activity.
  std::vector<Values> result_tangents; ///< Forward with a duplicated result, one entry for each lane.
  /// One entry for each lane. Forward: the shadow of each argument at exit (a scalar's as passed). Reverse: the shadow
  /// at exit of duplicated arguments, the returned adjoint of active ones. Empty Values for constant ones.
  std::vector<Arguments> shadows;
  std::vector<std::string> violations;
  std::optional<HeapUse> heap = std::nullopt; ///< Absent: the front end does not see it.
  std::vector<std::string> environment = {};  ///< As in a PrimalOutcome.
  /// An operation of the call overflowed or underflowed. Where the front end leaves the floating-point exceptions of
  /// the call raised, it need not say so.
  bool left_range = false;
};

/// Differences between the state after a derivative and after the function, beside arguments and results; one sentence
/// each.
struct SideEffects {
  std::vector<std::string> variables;   ///< Of the program: its globals and static variables.
  std::vector<std::string> environment; ///< Rounding, signals, locale, open files, ...
  std::vector<std::string> remarks;     ///< Differences that right code may make: floating-point exceptions, errno.
};

/// How the second of two calls follows the first, with the variables of the program as they are then.
struct Succession {
  /// The split form has two sweeps, so that two calls can be under way at once: both augmented primals run before
  /// both reverse sweeps, these in the same order or in the opposite one.
  enum class Order : std::uint8_t {
    one_after_the_other,
    same_order,
    opposite_order,
    between_sweeps, ///< The first call as a whole between the sweeps of the second one.
    nested ///< The first call many times, each between the sweeps of the one before, all in those of the second.
  } order = Order::one_after_the_other;
  /// Where the second call finds its numbers. The first one's numbers elsewhere are overwritten then.
  enum class Memory : std::uint8_t { same, other } memory = Memory::same;
  std::string put_back = {};          ///< Not empty: the symbol of a variable that is put back between the calls.
  std::vector<Arguments> before = {}; ///< Inputs of further calls, before the first one and in its memory.
  /// Whether errno and the floating-point exception flags, which nobody clears for a call, tell of errors when the
  /// second one begins. One after the other, in other memory.
  enum class Errors : std::uint8_t { none, reported } errors = Errors::none;
};

/// Two calls from two threads at once in which one gives other numbers than alone.
struct Race {
  DerivativeOutcome seen, alone;      ///< Of that one.
  std::vector<std::string> variables; ///< That both calls use; empty where it is other memory.
  bool fills_before_reading = false;  ///< Each call writes these before it reads them.
};

/// A variable of the program.
struct Variable {
  std::string symbol;
  std::string name; ///< As the source has it.
};

/// A derivative that the user registered for a function.
struct Rule {
  std::string description; ///< `cosine: cosine_augmented and cosine_reverse, registered by ...`
  bool can_be_left_out = false;
};

/// A derivative that the subject finds without AD and in higher precision than its outputs have; see
/// Subject::precise_derivative.
struct PreciseDerivative {
  struct Number {
    double value = std::numeric_limits<double>::quiet_NaN();
    double error = std::numeric_limits<double>::infinity();
    double step = 0;    ///< The longest movement of the point.
    bool known = false; ///< The function is smooth and finite there, as far as was seen.
  };
  std::vector<Number> result;                ///< Of each element of the result.
  std::vector<std::vector<Number>> contents; ///< Of each element of every argument at exit.
  /// The unit roundoff of the coarsest numbers between inputs and outputs: AD's own arithmetic is no better.
  double roundoff = 0x1p-53;
  std::vector<std::string> not_followed; ///< Not empty: code that the method does not cover; the numbers say nothing.
  std::vector<std::string> crossings;    ///< Where the point lies on the edge between two branches, one phrase each.
  std::size_t edges = 0; ///< How many of these there are, as often as the function comes to them; 0: not known.
  /// They are comparisons of the program alone: no function of the library, as fabs, is at its kink.
  bool are_decisions = false;
  /// The most edges that one movement meets, and which, whether or not an output feels them: |x| x is smooth at 0.
  std::size_t edges_together = 0;
  std::vector<std::string> met = {};
  /// Where an operation has no finite derivative or a number is not finite, one phrase each: there the chain rule may
  /// multiply zero by infinity.
  std::vector<std::string> singularities = {};
};

/// The results of a derivative's own code in wide arithmetic beside its own.
struct WideOutcome {
  DerivativeOutcome outcome;             ///< The derivatives as wide arithmetic has them; all else as the code left it.
  DerivativeOutcome as_run;              ///< As the program's own arithmetic had them in this run.
  double roundoff = 0x1p-53;             ///< The unit roundoff of the coarsest numbers on the way.
  std::vector<std::string> not_followed; ///< Not empty: code that cannot be computed so; the numbers say nothing.
  std::string cancelled_at; ///< Where most digits of the program's own arithmetic cancelled: `at f.c:12`; or empty.
};

/// The findings of a watch over every access of a kernel's threads to common memory, in one call.
struct ThreadReport {
  /// Races, reads of uninitialised memory, accesses beyond the memory: one sentence each, with places in the source.
  std::vector<std::string> findings;
  std::vector<std::string> leaks;  ///< Memory of the device's heap that is not freed, likewise.
  bool has_atomics = false;        ///< The order of the threads may be that of a sum.
  bool has_narrow_atomics = false; ///< Of words as wide as a float or less: the sum may be one of floats.
};

/// The cost of one call of the function: counted and not timed, so that it is the same on every run.
struct CallCost {
  std::uint64_t operations = 0;
  std::uint64_t real_operations = 0; ///< Of these, those on floating-point numbers.
  std::size_t code_size = 0;         ///< In instructions: the cost of compiling it.
};

/// The times of single calls, in nanoseconds, in turn. The processor and whatever else runs on it have their part in
/// that: nothing of it goes into a verdict or a digest.
struct CallTimes {
  Values function, derivative;
};

/// How large the point is along the direction: the smallest |x / v| that is not zero, or 0 where there is none.
double size_along(const Arguments &inputs, const Arguments &direction);

/// The subject could not be run: it threw, crashed in its sandbox, or its derivative could not be made.
struct SubjectError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Tracer;       // trace.hpp
class BranchTracer; // branches.hpp

class Subject {
public:
  virtual ~Subject(); // Where the tracer's type is known.

  virtual const Signature &signature() const = 0;

  /// Runs the function at `inputs`. Equal inputs must find equal state: whatever the function changes is the subject's
  /// copy.
  virtual PrimalOutcome evaluate(const Arguments &inputs) = 0;

  /// The same at inputs for which the function may not have been made: it need not come to an end. May throw
  /// SubjectError.
  virtual PrimalOutcome evaluate_anyway(const Arguments &inputs) { return evaluate(inputs); }

  /// Runs the derivative. May throw SubjectError.
  virtual DerivativeOutcome differentiate(const DerivativeRequest &request) = 0;

  /// The derivative of result and contents when the inputs move along `direction` (empty Values: no movement), with the
  /// program's own decisions and roundings left as they are. Nothing where the subject cannot do that at all.
  virtual std::optional<PreciseDerivative> precise_derivative(const Arguments & /*inputs*/,
                                                              const Arguments & /*direction*/) {
    return std::nullopt;
  }

  /// The same with all numbers of the function wide from the inputs on, on the branches that the program takes.
  virtual std::optional<PreciseDerivative> derivative_in_wide(const Arguments & /*inputs*/,
                                                              const Arguments & /*direction*/) {
    return std::nullopt;
  }

  /// The derivative's own code in wide arithmetic. Nothing where the subject cannot do that at all; may throw
  /// SubjectError.
  virtual std::optional<WideOutcome> differentiate_in_wide(const DerivativeRequest &) { return std::nullopt; }

  /// The cost of a call at `inputs`; nothing where the subject cannot tell.
  virtual std::optional<CallCost> cost_of_call(const Arguments & /*inputs*/) { return std::nullopt; }

  /// Some calls of the function and of a derivative that is known to be right. Nothing where the subject cannot time
  /// them.
  virtual std::optional<CallTimes> time_calls(const DerivativeRequest &) { return std::nullopt; }

  /// The derivative as it might as well be compiled: with sums in another order, and with the constants of its code
  /// that may be rounded ones moved to neighbouring numbers. Nothing where the subject cannot do that; may throw
  /// SubjectError.
  virtual std::optional<DerivativeOutcome> differentiate_with_other_rounding(const DerivativeRequest &) {
    return std::nullopt;
  }

  /// The function, or the derivative, under a watch over its threads; nothing where it has no threads. May throw
  /// SubjectError.
  virtual std::optional<ThreadReport> watch_threads(const Arguments & /*inputs*/) { return std::nullopt; }
  virtual std::optional<ThreadReport> watch_threads(const DerivativeRequest &) { return std::nullopt; }

  /// Where its code runs: `host`, or `emulated device`.
  virtual std::string backend() const { return "host"; }
  /// On a device: atomic sums come in another order each time, small floats may be taken for zero, and whether an
  /// operation left the range is not told.
  virtual bool is_on_device() const { return false; }

  /// The orders in which the threads of a kernel may run, each as a phrase (`in descending order`), the usual one
  /// first; empty where there are no threads.
  virtual std::vector<std::string> thread_orders() const { return {}; }
  /// Of all calls from here on; an index into `thread_orders()`.
  virtual void set_thread_order(std::size_t /*order*/) {}

  /// The function and this derivative with their numbers to be seen; null where the subject has no such thing. May
  /// throw SubjectError with the reason.
  virtual std::unique_ptr<Tracer> tracer(const Combination &);

  /// The comparisons of the function and of the derivatives that `combinations` name, at most one of each mode; null
  /// where the subject has no such thing. May throw SubjectError with the reason.
  virtual std::unique_ptr<BranchTracer> branch_tracer(const std::vector<Combination> &combinations);

  /// Why no derivative is right at these inputs, in a sentence: the function itself reads beside its memory. Nothing
  /// where it does not, or where the subject cannot tell.
  virtual std::optional<std::string> fault_of_function(const Arguments &) { return std::nullopt; }

  /// The differences between the state after the derivative and after the function; nothing where the subject does not
  /// see that.
  virtual std::optional<SideEffects> side_effects(const DerivativeRequest &) { return std::nullopt; }

  /// Two calls without putting variables back between them; nothing where the subject has no such thing.
  virtual std::optional<std::pair<PrimalOutcome, PrimalOutcome>>
  evaluate_both(const Arguments & /*first*/, const Arguments & /*second*/, const Succession &) {
    return std::nullopt;
  }
  /// The calls may be of different combinations, unless their memory is the same.
  virtual std::optional<std::pair<DerivativeOutcome, DerivativeOutcome>>
  differentiate_both(const DerivativeRequest & /*first*/, const DerivativeRequest & /*second*/, const Succession &) {
    return std::nullopt;
  }
  /// So many calls, likewise. `put_back`: the symbol of a variable that is put back before each; or empty.
  virtual std::vector<PrimalOutcome> evaluate_in_a_row(const Arguments & /*inputs*/, unsigned /*calls*/) { return {}; }
  virtual std::vector<DerivativeOutcome> differentiate_in_a_row(const DerivativeRequest &, unsigned /*calls*/,
                                                                const std::string & /*put_back*/) {
    return {};
  }
  /// How many other sizes of the arguments there are to call the function with: 0 where these follow from no integers.
  virtual std::size_t other_sizes() const { return 0; }
  /// `n = 40`
  virtual std::string other_size(std::size_t /*size*/) const { return {}; }
  /// A call with arguments of that size, then this one, without putting variables back between them.
  virtual PrimalOutcome evaluate_after_size(std::size_t /*size*/, const Arguments &inputs) { return evaluate(inputs); }
  virtual DerivativeOutcome differentiate_after_size(std::size_t /*size*/, const DerivativeRequest &request) {
    return differentiate(request);
  }
  /// Whether variables are put back before each call that is no part of a succession. Else they hold what all calls
  /// before have left.
  virtual bool puts_variables_back() const { return true; }
  /// Which variables the call of this derivative changes.
  virtual std::vector<Variable> variables_changed_by(const DerivativeRequest &) { return {}; }
  /// Whether calls may leave something in objects that nobody puts back: their memory there has no derivative.
  virtual bool keeps_objects() const { return false; }
  /// Runs the derivative with the variables as the last call left them; false where the subject cannot do that.
  virtual bool differentiate_again(const DerivativeRequest &) { return false; }

  /// In a thread that has just begun: thread-local variables hold what they begin with, where code that ran before
  /// `main` put something else into those of the main thread, and the function uses none. Otherwise nothing.
  virtual std::optional<DerivativeOutcome> differentiate_in_new_thread(const DerivativeRequest &) {
    return std::nullopt;
  }
  /// Whether two calls from two threads at once, each with memory of its own, disturb each other where two calls of the
  /// function do not; nothing if they do not, or where the subject has no threads. May throw SubjectError.
  virtual std::optional<Race> race(const DerivativeRequest & /*first*/, const DerivativeRequest & /*second*/) {
    return std::nullopt;
  }

  /// The registered derivatives that this combination uses.
  virtual std::vector<Rule> rules(const Combination &) const { return {}; }
  /// Whether `rules` are all of them. A subject without the derivative's code cannot tell.
  virtual bool knows_rules() const { return false; }
  /// The same function where one of `rules` is not registered; null where the subject cannot do that.
  virtual std::unique_ptr<Subject> without_rule(const Combination &, std::size_t /*rule*/) { return nullptr; }

  /// The derivative in this combination, of width 1 and in one function, as a function of its own, to be differentiated
  /// again; null where the subject cannot do that. Its parameters are those of the function, then the shadow of each
  /// that is not constant (in reverse an active one's adjoint as memory of one number), then the seed of an active
  /// result. May throw SubjectError with the reason why there is none. Valid as long as this subject.
  virtual Subject *derivative_as_function(const Combination &) { return nullptr; }
  /// Whether there are such functions, as far as they were asked for.
  virtual bool has_derivatives_as_functions() const { return false; }

  /// Remarks that are no faults, one sentence each: rules that nothing uses.
  virtual std::vector<std::string> notes() const { return {}; }
  /// The limits of this subject, one phrase each: variables that always hold the same.
  virtual std::vector<std::string> not_seen() const { return {}; }

  /// Whether the front end can express this combination at all (a typed one may not offer every width). Those it cannot
  /// are not counted as checked.
  virtual bool supports(const Combination &) const { return true; }

  /// Whether calls leave the heap as they find it, but for blocks that the function or its derivative lose. A subject
  /// that keeps its findings does not.
  virtual bool keeps_nothing() const { return false; }

  /// The one command line that repeats this check with `seed`; empty where there is none.
  virtual std::string replay_command(std::uint64_t /*seed*/) const { return {}; }
};

/// `forward`, `reverse`.
std::string_view name_of(Mode mode);
/// `Const`, `Active`, `Duplicated`, `DuplicatedNoNeed`.
std::string_view name_of(Activity activity);
/// `float`, `double`, `long double`, `int`, `half`, `bfloat16`.
std::string_view name_of(ElementType element);
/// `reverse: f(Const x, Duplicated y) -> Active`, with `width 4`, `split` and `runtime activity` where they apply.
std::string describe(const Signature &signature, const Combination &combination);

} // namespace assay::testutils
