#pragma once
// A JIT-compiled function as the gradient check sees it: flat numbers in, flat numbers out.

#include "cli/jit_calls.hpp"
#include "cli/provenance.hpp"
#include "gpu/runtime/host_entry.hpp"
#include <assay/testing/trace.hpp>
#include <assay/testing/wide_arithmetic.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace assay::cli {

/// `request`'s function as the gradient check sees it.
testutils::Signature signature_of(const CheckRequest &request);

/// Of combinations as keys: nothing is to be written for a look-up, which every call of a derivative makes.
struct CombinationOrder {
  bool operator()(const testutils::Combination &left, const testutils::Combination &right) const {
    const auto key = [](const testutils::Combination &combination) {
      return std::tie(combination.mode, combination.result, combination.arguments, combination.width, combination.form,
                      combination.runtime_activity);
    };
    return key(left) < key(right);
  }
};

class JitSubject : public testutils::Subject {
public:
  /// `request` and `program` must outlive the subject.
  JitSubject(const CheckRequest &request, jit::Program &program);

  const testutils::Signature &signature() const override { return signature_; }
  testutils::PrimalOutcome evaluate(const testutils::Arguments &inputs) override;
  testutils::PrimalOutcome evaluate_anyway(const testutils::Arguments &inputs) override;
  testutils::DerivativeOutcome differentiate(const testutils::DerivativeRequest &request) override;
  std::optional<testutils::PreciseDerivative> precise_derivative(const testutils::Arguments &inputs,
                                                                 const testutils::Arguments &direction) override;
  std::optional<testutils::PreciseDerivative> derivative_in_wide(const testutils::Arguments &inputs,
                                                                 const testutils::Arguments &direction) override;
  std::optional<testutils::WideOutcome> differentiate_in_wide(const testutils::DerivativeRequest &request) override;
  std::optional<testutils::CallCost> cost_of_call(const testutils::Arguments &inputs) override;
  std::optional<testutils::CallTimes> time_calls(const testutils::DerivativeRequest &request) override;
  std::optional<testutils::DerivativeOutcome>
  differentiate_with_other_rounding(const testutils::DerivativeRequest &request) override;
  std::optional<testutils::ThreadReport> watch_threads(const testutils::Arguments &inputs) override;
  std::optional<testutils::ThreadReport> watch_threads(const testutils::DerivativeRequest &request) override;
  std::string backend() const override { return request_.function.launch ? "emulated device" : "host"; }
  std::vector<std::string> thread_orders() const override;
  void set_thread_order(std::size_t order) override;
  std::unique_ptr<testutils::Tracer> tracer(const testutils::Combination &combination) override;
  std::unique_ptr<testutils::BranchTracer>
  branch_tracer(const std::vector<testutils::Combination> &combinations) override;
  std::optional<std::string> fault_of_function(const testutils::Arguments &inputs) override;
  std::optional<testutils::SideEffects> side_effects(const testutils::DerivativeRequest &request) override;
  std::optional<std::pair<testutils::PrimalOutcome, testutils::PrimalOutcome>>
  evaluate_both(const testutils::Arguments &first, const testutils::Arguments &second,
                const testutils::Succession &succession) override;
  std::optional<std::pair<testutils::DerivativeOutcome, testutils::DerivativeOutcome>>
  differentiate_both(const testutils::DerivativeRequest &first, const testutils::DerivativeRequest &second,
                     const testutils::Succession &succession) override;
  std::vector<testutils::PrimalOutcome> evaluate_in_a_row(const testutils::Arguments &inputs, unsigned calls) override;
  std::vector<testutils::DerivativeOutcome> differentiate_in_a_row(const testutils::DerivativeRequest &request,
                                                                   unsigned calls,
                                                                   const std::string &put_back) override;
  std::size_t other_sizes() const override { return other_shapes.size(); }
  std::string other_size(std::size_t size) const override;
  testutils::PrimalOutcome evaluate_after_size(std::size_t size, const testutils::Arguments &inputs) override;
  testutils::DerivativeOutcome differentiate_after_size(std::size_t size,
                                                        const testutils::DerivativeRequest &request) override;
  bool keeps_objects() const override { return program_.has_lasting_objects(); }
  std::vector<testutils::Variable> variables_changed_by(const testutils::DerivativeRequest &request) override;
  bool differentiate_again(const testutils::DerivativeRequest &request) override;
  std::optional<testutils::DerivativeOutcome>
  differentiate_in_new_thread(const testutils::DerivativeRequest &request) override;
  std::optional<testutils::Race> race(const testutils::DerivativeRequest &first,
                                      const testutils::DerivativeRequest &second) override;
  std::vector<testutils::Rule> rules(const testutils::Combination &combination) const override;
  bool knows_rules() const override { return true; }
  std::unique_ptr<testutils::Subject> without_rule(const testutils::Combination &combination,
                                                   std::size_t rule) override;
  testutils::Subject *derivative_as_function(const testutils::Combination &combination) override;
  bool has_derivatives_as_functions() const override;
  std::vector<std::string> notes() const override;
  std::vector<std::string> not_seen() const override;
  bool supports(const testutils::Combination &combination) const override;
  bool keeps_nothing() const override { return true; }
  std::string replay_command(std::uint64_t seed) const override;

  /// Compiles the derivatives of all `combinations` at once; without it each is compiled at its first use.
  void prepare(const std::vector<testutils::Combination> &combinations);

  /// Tells the program which variables of the function are tables. Before the first check at this shape.
  void find_tables(const testutils::CheckOptions &options);

  /// Of all widened runs together.
  void set_wide_budget(std::uint64_t operations) { wide_budget_.operations = operations; }

  /// Called before the function's code runs or is compiled, with the inputs and the combination, null for the
  /// function itself: a crash belongs to that.
  std::function<void(const testutils::Combination *, const testutils::Arguments &)> before_run;
  /// Behind that, before calls that are made in another way than alone: how, in words that last.
  std::function<void(const char *)> before_other_run;
  /// Called before and after the derivative is compiled and run with probes.
  std::function<void()> before_trace, after_trace;
  /// Not empty: why nothing is to be run with probes.
  std::string no_trace;
  /// Called before and after the widened function is compiled or runs.
  std::function<void()> before_precise, after_precise;
  /// Not empty: why the widened function is not to be used.
  std::string no_precise;
  /// What `search_branches` has not seen of the program, one phrase each.
  std::vector<std::string> unseen_branches;
  /// Called before and after the function runs at inputs for which it may not have been made.
  std::function<void()> before_trial, after_trial;
  /// Not empty: why it is not run at such inputs.
  std::string no_trial;
  /// Combinations, as `describe` writes them, that are not to be checked.
  std::set<std::string> left_out;
  /// Of these no further combination is tried.
  std::set<testutils::Mode> modes_given_up;

  /// The file that `program` was made of: with it, a subject without one of the registered rules can be made.
  const jit::ModuleFile *file = nullptr;

  /// Of all calls of this combination's derivative; empty where there was none.
  std::string digest_of_calls(const testutils::Combination &combination) const;
  /// The same function, in the same program, with other integers, and which numbers it gets there: a cache whose key
  /// does not cover an integer gives wrong ones after a call with the same.
  enum class OtherNumbers : std::uint8_t { drawn, the_same };
  struct OtherShape {
    JitSubject *subject;
    OtherNumbers numbers;
  };
  std::vector<OtherShape> other_shapes;

  /// Why the engine gave no derivative for this combination; null if it did.
  const std::string *refusal(const testutils::Combination &combination) const;

private:
  testutils::Arguments inputs_of(const OtherShape &other, const testutils::Arguments &inputs) const;

  using CompiledForWide = std::variant<jit::Entry, jit::NoDerivative>;
  testutils::PreciseDerivative derive(const CompiledForWide &compiled, testutils::DeriveInWide derive,
                                      const testutils::Arguments &inputs, const testutils::Arguments &direction);
  /// Throws SubjectError where the engine gives none.
  jit::Entry compiled(const testutils::DerivativeRequest &request);
  std::vector<jit::RegisteredRule> rules_used_in(const testutils::Combination &combination) const;

  const CheckRequest &request_;
  jit::Program &program_;
  testutils::Signature signature_;
  testutils::WideBudget wide_budget_;           ///< Of all widened runs together.
  std::optional<gpu::OrderOfEntries> order_;    ///< Not the usual one.
  std::map<std::string, std::string> refusals_; ///< By what `describe` writes.
  std::map<testutils::Combination, DigestOfCalls, CombinationOrder> calls_;
  /// Derivatives that are functions of their own, by what `describe` writes; or why there is none.
  std::map<std::string, std::variant<std::unique_ptr<testutils::Subject>, std::string>> derivatives_;
};

} // namespace assay::cli
