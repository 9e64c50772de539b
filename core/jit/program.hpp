#pragma once
// One function of a user's file, compiled and ready to be called, with as many of its derivatives as are asked for.

#include "core/engine/support/test_hooks.hpp"
#include "core/jit/derivative.hpp"
#include "core/jit/global_state.hpp"
#include "core/jit/module_file.hpp"
#include "core/jit/registered_rules.hpp"
#include "core/jit/repetition.hpp"
#include "core/jit/state_difference.hpp"
#include "core/trace/comparisons.hpp"
#include "core/trace/probes.hpp"

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <variant>

namespace assay::jit {

/// What a test of tests does to derivatives while they are compiled, and sees of them.
struct Interference {
  engine::TestHooks test_hooks;
  /// Called with the module that is about to become machine code, entry included.
  std::function<void(const llvm::Module &)> compiled = {};
  /// Called with the module before anything in it is differentiated.
  std::function<void(llvm::Module &)> simplified = {};
  /// Called with it when everything is.
  std::function<void(llvm::Module &)> differentiated = {};
};

/// The function and a derivative of it with probes on their numbers (core/trace); to be called within a trace::Run.
struct TracedDerivative {
  Entry function = nullptr;
  Entry derivative = nullptr;
  std::vector<trace::Site> sites; ///< The same in both.
};

/// The function and derivatives of it that record their comparisons (core/trace/comparisons.hpp); to be called within a
/// trace::ComparisonRun.
struct RecordedComparisons {
  Entry function = nullptr;
  std::vector<Entry> derivatives;
  std::vector<trace::ComparisonSite> sites; ///< The same in all of them.
};

/// Registration tables, by their symbols, that are taken for absent.
struct LeftOut {
  std::vector<std::string> tables;
};

/// The function with counters of what it computes (core/jit/operation_count.hpp).
struct CountedFunction {
  Entry function = nullptr;
  std::size_t code_size = 0; ///< Instructions of the function and of what it reaches.
};

class Program {
public:
  /// `file` must outlive the program. Throws BadRequest if the function itself does not link.
  Program(const ModuleFile &file, const FunctionSignature &function, Repetition repetition = Repetition::unknown,
          LeftOut left_out = {});
  /// The same for a derivative of the function (derivative_function.hpp) in place of the function.
  Program(const ModuleFile &file, const FunctionSignature &function, const Derivative &derivative,
          LeftOut left_out = {});
  ~Program();
  Program(Program &&) noexcept;

  /// The function itself.
  Entry function() const;

  /// The function with wide movements beside its numbers (core/widen), compiled at the first call; to be called within
  /// a widen::Run. Where it cannot be made: why.
  std::variant<Entry, NoDerivative> widened();

  /// The function, or a derivative as the engine leaves it, computed again in wide arithmetic beside itself
  /// (core/widen/wide_values.hpp), compiled at the first call; to be called within a widen::Run. Where it cannot be
  /// made: why.
  std::variant<Entry, NoDerivative> corrected();
  std::variant<Entry, NoDerivative> corrected(const Derivative &derivative);

  /// Compiled at the first call. Where it cannot be made: why.
  std::variant<CountedFunction, NoDerivative> counted();

  /// The derivative with sums in the order in which it is written, and with every constant of its code that may be a
  /// rounded one moved to a neighbouring number.
  std::variant<Entry, NoDerivative> with_other_rounding(const Derivative &derivative);

  /// Puts every global variable, and those of this thread, back to what they held after loading: equal calls find equal
  /// state.
  void reset() const;

  /// The same of one variable, by its symbol, for calls of `entry`.
  void put_back(Entry entry, std::string_view variable) const;

  /// Symbols of the variables that hold something else than after loading, for calls of `entry`.
  std::vector<std::string> changed_variables(Entry entry) const;

  /// The words in the variables that may be addresses, for calls of `entry`.
  std::vector<std::uintptr_t> addresses_in_variables(Entry entry) const;

  /// What `derivative` left otherwise than the function, where each of both was called once since the last reset.
  std::vector<StateDifference> state_differences(Entry derivative) const;

  /// As the source calls it, with its place where that is known.
  std::string name_of_variable(std::string_view symbol) const;

  /// The variables that the function reads and nothing of it writes, by their names in the source.
  std::vector<std::string> variables_only_read() const;
  /// Whether it has objects that `reset` leaves alone, as their destructors run once, in the end.
  bool has_lasting_objects() const;

  /// The function of the file that an address of compiled code belongs to; empty for the engine's own.
  std::string name_of_code(const void *address) const;

  /// Those that the file registers and that are not left out.
  std::vector<RegisteredRule> rules() const;
  const LeftOut &left_out() const;

  /// Overwrites the numbers in the variables that the function itself uses, as a caller may between the two sweeps of a
  /// derivative (GlobalState::scramble); not those that hold the same after a call at any point, as tables do that are
  /// made by the first call.
  void scramble() const;
  /// Runs the function by `call` at two points, to find these.
  void find_tables(const std::function<void(std::size_t point)> &call);

  /// Compiles at once those of these that are not compiled yet; those that cannot be are remembered with the reason.
  void compile(std::span<const Derivative> derivatives);

  /// Compiled before, or compiled now.
  std::variant<Entry, NoDerivative> derivative(const Derivative &derivative);

  /// Compiled anew at each call. Where it cannot be made: why.
  std::variant<TracedDerivative, NoDerivative> traced(const Derivative &derivative);

  /// The function and these derivatives, compiled at the first call. Where they cannot be made: why.
  std::variant<RecordedComparisons, NoDerivative> recording(std::span<const Derivative> derivatives);

  /// A kernel, or a derivative of it, with its access log (gpu/emulate/retarget.hpp), compiled at the first call; to be
  /// called within a gpu::WatchOfEntries. Where it cannot be made: why.
  std::variant<Entry, NoDerivative> watched();
  std::variant<Entry, NoDerivative> watched(const Derivative &derivative);

  /// Of a kernel: the bytes of shared memory that a block of its derivatives of this width has.
  std::uint64_t shared_bytes(unsigned width) const;

  /// With yield points (yield_points.hpp) and without optimisations, compiled at the first call. Where it cannot be
  /// made: why.
  std::variant<Entry, NoDerivative> interruptible(const Derivative &derivative);
  /// The variables of an interruptible entry.
  const GlobalState &variables_of(Entry entry) const;
  /// Of the function itself, not of rules alone.
  bool has_thread_local_variables() const;

  /// Concerns derivatives that are compiled from now on.
  void interfere(Interference interference);
  /// The next use compiles it again, in every form that it has.
  void forget(const Derivative &derivative);
  /// The same of all derivatives.
  void forget_derivatives();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace assay::jit
