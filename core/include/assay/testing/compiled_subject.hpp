#pragma once
// The common part of subjects with compiled derivatives, whatever the types of their functions: names, and for which
// combinations there is code. A test instantiates much for each function that it checks; nothing of this is a template,
// so that it is compiled once, in the library.

#include <assay/testing/check.hpp>
#include <assay/testing/rule_subject.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::testutils {

/// Names of a tested function, its arguments, its rule, and its replay command.
struct SubjectNames {
  std::string function;
  std::vector<std::string> arguments; ///< Missing ones are x1, x2, ...
  std::string replay_suffix;          ///< The replay command is ASSAY_SEED=... and this.
  std::string rule = {};              ///< Of the rule that the derivative uses; empty: none is known.
};

/// A combination as a constant.
struct CombinationRow {
  Mode mode;
  Activity result;
  std::span<const Activity> arguments;
  unsigned width = 1;
  Form form = Form::combined;
  RuntimeActivity runtime_activity = RuntimeActivity::off;
};
std::vector<Combination> combinations_of(std::span<const CombinationRow> rows);

class CompiledSubject : public RuleSubject {
public:
  CompiledSubject(SubjectNames names, std::span<const CombinationRow> offers);

  const Signature &signature() const override { return description; }
  bool supports(const Combination &combination) const override;
  bool keeps_nothing() const override { return true; }
  std::string replay_command(std::uint64_t seed) const override;

protected:
  /// Throws SubjectError where the result has another number of numbers than at the inputs that were given, or where an
  /// argument has lost some: their derivatives have gone with them.
  void require_shape(const PrimalOutcome &outcome) const;

  /// Which of the offers a combination is.
  unsigned offer_of(const Combination &combination) const;

  /// A combination whose derivative there is in wide arithmetic, and which of these it is.
  struct CorrectedOffer {
    Combination combination;
    unsigned index;
  };
  /// Batches and other forms are computed by those of the menu with the same activities.
  std::optional<CorrectedOffer> corrected_offer_of(Combination combination) const;
  void offer_corrected(std::span<const CombinationRow> offers) { corrected_offers = combinations_of(offers); }

  SubjectNames names;
  Signature description;

private:
  std::vector<Combination> offers, corrected_offers;
};

/// Checks a subject at a point, and beside it where the subject uses a rule. `further`: as in CheckOptions.
Report check_compiled(CompiledSubject &subject, const Arguments &point, CheckOptions check,
                      std::span<const CombinationRow> further);

} // namespace assay::testutils
