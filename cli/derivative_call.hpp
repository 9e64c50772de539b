#pragma once
// One call of a derivative with its memory, which further calls may use again.

#include "cli/call_frame.hpp"
#include "core/jit/program.hpp"
#include "testutils/environment_watch.hpp"
#include <assay/testing/subject.hpp>

#include <functional>

namespace assay::cli {

/// The derivative that `combination` asks for, of a function that `returns` a value or none.
jit::Derivative derivative_of(const testutils::Combination &combination, testutils::PrimalResult primal, bool returns);

/// The code's effects on heap and processor while it ran.
struct Watching {
  testutils::HeapUse heap;
  std::vector<std::string> damage;
  testutils::EnvironmentReport environment;
};

/// Calls `run`, which calls `entry`, under all watches. `program` knows where its code is.
Watching run_watched(const jit::Program &program, jit::Entry entry, testutils::Watched watched,
                     const std::function<void()> &run);

class DerivativeCall {
public:
  /// All of these must outlive the call.
  DerivativeCall(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                 const testutils::DerivativeRequest &derivative);
  DerivativeCall(const DerivativeCall &) = delete;
  DerivativeCall &operator=(const DerivativeCall &) = delete;

  /// The next call has these numbers in the same memory; `derivative` is of the same combination.
  void refill(const testutils::DerivativeRequest &derivative);

  /// A caller's freedom between the two sweeps of the split form: it fills the shadows only then, and reuses all
  /// memory that it passed.
  enum class Between : std::uint8_t {
    all_is_reused,      ///< The variables of the function, too.
    variables_are_kept, ///< For calls that others follow.
  };
  Between between = Between::all_is_reused;
  /// Runs where the function's part is done: after the augmented primal of the split form, else at the end.
  std::function<void()> primal_done;

  void run(testutils::Watched watched = testutils::Watched::arithmetic);
  /// Without watches, for a stack of its own.
  void run_alone();
  /// After `run`, and nothing of heap and environment after `run_alone`.
  testutils::DerivativeOutcome outcome();
  /// Where the numbers are, until the next call.
  const CallFrame &frame() const { return frame_; }
  void watch_writes() { frame_.watch_writes(); }
  /// Of the last `run`.
  const testutils::EnvironmentReport &environment() const { return watching_.environment; }

  /// Overwrites all that was passed.
  void poison() {
    frame_.poison_buffers();
    frame_.poison_shadows();
  }

private:
  /// Both sweeps of a kernel are one launch: there is no moment between them.
  bool is_split() const { return derivative_->combination.form == testutils::Form::split && !request_.function.launch; }
  void place_shadows();
  void place_results();
  static void between_sweeps(void *call);
  void reuse_memory();

  const CheckRequest &request_;
  const jit::Program &program_;
  jit::Entry entry_;
  const testutils::DerivativeRequest *derivative_;
  CallFrame frame_;
  testutils::Arguments contents_;       ///< That the augmented primal left.
  std::vector<std::string> violations_; ///< One sentence each.
  Watching watching_;
};

} // namespace assay::cli
