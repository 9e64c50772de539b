#pragma once
// One function whose derivatives are given faults, and the judge of each fault:
//
//   1. The derivative is compiled with the fault. Where the optimised code is that of the right one, the mutant is
//      equivalent, which is a proof.
//   2. The gradient check runs as `assay check` runs it, on the activity combinations that use this derivative.
//   3. A mutant that passes is compared with the right derivative, at random points and at those edges of the domain
//      where the function has a derivative. Where every number is the same, and what is left on the heap, it is
//      equivalent as far as can be seen; else it survived. So it did where the fault does not show in the numbers of a
//      single call: what it does to later calls is looked at in the numbers of two in a row, what it does to the
//      surroundings nowhere else.
//
// Faults are planted where all that can be active is. A rule is wrong in both modes at once. In the split form only
// those are planted that concern what its two sweeps share, and in a batch those that concern its lanes.

#include "cli/jit_subject.hpp"
#include "cli/mutant.hpp"
#include "cli/mutant_check.hpp"
#include <assay/testing/check.hpp>

#include <map>
#include <memory>
#include <set>

namespace assay::engine {
class RuleTable;
}

namespace assay::cli {

class MutationTarget {
public:
  /// Compiles the function and its right derivatives. The arguments must outlive the target.
  MutationTarget(const CheckRequest &request, const jit::ModuleFile &file);

  /// All faults of the derivative code.
  std::vector<Mutant> derivative_faults();
  /// All faults of the functions of the rules that the file registers for this function's derivatives.
  std::vector<Mutant> registered_faults();
  /// All faults of the rules that the function's derivatives use, with the number of such rules.
  std::vector<Mutant> rule_faults();

  /// Called with one word as the judgement goes on: the meaning of a crash after it.
  using Progress = std::function<void(std::string_view)>;
  /// Compiles the code that `judge` compares with, and computes the values that the check needs at the first point.
  void prepare(const Mutant &mutant);
  /// Computes the values for mutants like this one that are not killed.
  void prepare_for_survivors(const Mutant &mutant);
  /// Changes the target: to be called once, in a process of its own.
  JudgedMutant judge(const Mutant &mutant, const Progress &progress);

  ~MutationTarget();
  MutationTarget(const MutationTarget &) = delete;
  MutationTarget &operator=(const MutationTarget &) = delete;

  static constexpr std::string_view compiled = "compiled", passed = "passed";

private:
  void choose_combinations();
  void add_variants(const testutils::Combination &plain);
  std::vector<testutils::Combination> combinations_of(const Mutant &mutant) const;
  std::vector<jit::Derivative> derivatives_of(const testutils::Combination &combination) const;
  void compile_right(const testutils::Combination &combination);
  /// Plants the fault in whatever is compiled from now on.
  void alter(const Mutant &mutant);
  bool compile_altered(const std::vector<jit::Derivative> &derivatives);
  bool has_derivative(const testutils::Combination &combination, std::size_t point);
  std::string first_difference(const testutils::Combination &combination);
  /// Whether calls after another one give what they give alone.
  bool is_same_in_a_row(const std::vector<testutils::Combination> &combinations);
  const std::vector<testutils::Arguments> &points_to_compare();
  std::vector<jit::RegisteredRule> rules_in(testutils::Mode mode) const;
  bool uses_rule(const std::string &name);

  const CheckRequest &request_;
  jit::Program right_program_, program_;
  JitSubject right_, subject_;
  testutils::CheckOptions options_;
  std::vector<testutils::Combination> combinations_; ///< The fullest one of each mode, at width 1, in one function.
  std::vector<testutils::Combination> variants_;     ///< The same activities in other forms.
  std::map<jit::Derivative, std::string> right_code_, code_;
  std::unique_ptr<engine::RuleTable> rules_;
  std::optional<MutantCheck> check_;
  std::set<std::string> prepared_, prepared_for_survivors_;            ///< Combinations.
  std::vector<testutils::Arguments> points_;                           ///< To compare numbers at.
  std::map<std::pair<std::string, std::size_t>, bool> has_derivative_; ///< By combination and point.
  unsigned planted_ = 0;
  bool broken_ = false, is_comparing_code_ = false;
};

} // namespace assay::cli
