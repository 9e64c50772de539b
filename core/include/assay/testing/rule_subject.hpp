#pragma once
// A subject whose derivative uses a rule, and whose code is part of this program. Calls follow each other and run at
// once as a user's do, so that state that a rule keeps in variables shows: results for inputs that were met before,
// tapes that two calls share, scratch memory that two threads share. Variables are not put back between calls: nobody
// knows them.

#include <assay/testing/subject.hpp>

#include <functional>
#include <memory>

namespace assay::testutils {

class Surroundings;

class RuleSubject : public Subject {
public:
  /// What the process has then is what derivatives are to leave.
  RuleSubject();
  /// From now on the derivative is known to use a rule.
  void uses_rule(std::string description) { rule_ = std::move(description); }
  bool is_known_to_use_a_rule() const { return !rule_.empty(); }

  /// The derivative, with `between` called between the sweeps of the split form. May be called from several threads.
  virtual DerivativeOutcome differentiate_around(const DerivativeRequest &request,
                                                 const std::function<void()> &between) = 0;
  /// As `evaluate`, from several threads.
  virtual PrimalOutcome evaluate_apart(const Arguments &inputs) const = 0;
  /// How the processor computes is put back where the derivative changes it.
  DerivativeOutcome differentiate(const DerivativeRequest &request) override;

  bool puts_variables_back() const override { return false; }
  std::vector<Rule> rules(const Combination &combination) const override;
  std::optional<std::pair<PrimalOutcome, PrimalOutcome>> evaluate_both(const Arguments &first, const Arguments &second,
                                                                       const Succession &succession) override;
  std::optional<std::pair<DerivativeOutcome, DerivativeOutcome>>
  differentiate_both(const DerivativeRequest &first, const DerivativeRequest &second,
                     const Succession &succession) override;
  std::vector<PrimalOutcome> evaluate_in_a_row(const Arguments &inputs, unsigned calls) override;
  std::vector<DerivativeOutcome> differentiate_in_a_row(const DerivativeRequest &request, unsigned calls,
                                                        const std::string &put_back) override;
  std::optional<SideEffects> side_effects(const DerivativeRequest &request) override;
  std::optional<Race> race(const DerivativeRequest &first, const DerivativeRequest &second) override;

  /// Where the rule is checked beside `inputs`: its values for these are no longer right there.
  Arguments nearby(Arguments inputs) const;

private:
  std::string rule_; ///< Empty: none is known.
  std::shared_ptr<const Surroundings> found_;
};

} // namespace assay::testutils
