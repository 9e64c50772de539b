#include "testutils/reassess.hpp"

#include "testutils/blame.hpp"
#include "testutils/rounding_mode.hpp"
#include "testutils/rounding_rows.hpp"
#include "testutils/spread.hpp"
#include "testutils/wide_subject.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// A spread beyond this part of the largest number of the derivative leaves nothing to compare.
constexpr double useful_spread = 1e-3;

/// Where finite numbers are expected.
bool are_finite(const std::vector<Comparison> &rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [](const Comparison &row) { return std::isfinite(row.ad) || !std::isfinite(row.expected); });
}

/// The AD value of the same place in other rows; the expected one where it is not there.
double value_at(const std::vector<Comparison> &rows, const Comparison &row) {
  const auto same =
      std::find_if(rows.begin(), rows.end(), [&](const Comparison &candidate) { return candidate.path == row.path; });
  return same == rows.end() ? row.expected : same->ad;
}

double digits_of(ElementType type) {
  return -std::log10(epsilon_of(type) / 2);
}

/// In whose digits a number's loss counts: beside numbers of 16 bits all have been through such arithmetic, or may
/// have.
ElementType type_of_digits(const Signature &signature, const Comparison &row) {
  const ElementType coarsest = coarsest_element(signature);
  return is_of_16_bits(coarsest) ? coarsest : parameter_at(signature, row.place).element_type(row.place.element);
}

/// How many of its digits a number has lost that should be `right`.
double digits_lost(ElementType type, double number, double right) {
  const double all = digits_of(type);
  const double part = std::abs(number - right) / std::abs(right);
  if (number == right)
    return 0;
  return std::isfinite(part) && part > 0 ? std::clamp(all + std::log10(part), 0.0, all) : all;
}

/// Of all numbers that fail; `right` has the same places with the numbers as they should be.
LostDigits worst_loss(const Signature &signature, const std::vector<Comparison> &rows,
                      const std::vector<Comparison> &right) {
  LostDigits worst;
  for (const Comparison &row : rows) {
    if (!fails(row))
      continue;
    const double value = value_at(right, row);
    const double digits = digits_lost(type_of_digits(signature, row), row.ad, value);
    if (worst.path.empty() || digits > worst.digits)
      worst = {digits, row.path, {}, !std::isfinite(row.ad)};
  }
  return worst;
}

struct Reassessment {
  Stage &stage;
  const DerivativeRequest &request;
  const DerivativeOutcome &outcome;
  DerivativeRequest bare;
  DerivativeOutcome plain;

  const Signature &signature() const { return stage.subject.signature(); }
  bool may_ask_wide() const { return stage.options.oracle != OracleChoice::finite_differences; }

  /// Throws NoDigits.
  std::optional<WideOutcome> in_wide() const {
    return may_ask_wide() ? differentiate_in_wide(stage.subject, bare, plain) : std::nullopt;
  }

  /// Against the function in wide arithmetic; undecided where there is none.
  Finding against_wide(const DerivativeOutcome &outcome) const {
    return check_against_oracle(stage.wide, bare, outcome, stage.options);
  }
};

Reassessment reassessment(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  DerivativeRequest bare = request.combination.mode == Mode::reverse ? without_incoming(request, stage.point) : request;
  DerivativeOutcome plain = request.combination.mode == Mode::reverse ? stage.subject.differentiate(bare) : outcome;
  return {stage, request, outcome, std::move(bare), std::move(plain)};
}

/// Calls `visit(row, plain, rounding)` for each number above a shadow that held something: what it is above zeros, and
/// the rounding of one sum.
template <class Visit>
void for_each_sum(const Reassessment &reassessment, const std::vector<Comparison> &rows, Visit visit) {
  // Terms for a float beside numbers of 16 bits may be as coarse as these.
  const ElementType coarsest = coarsest_element(reassessment.signature());
  const auto type_of_terms = [&](ElementType type) { return is_of_16_bits(coarsest) ? coarsest : type; };
  for (const Comparison &row : rows) {
    if (row.incoming == 0 || !fails(row) || !std::isfinite(row.ad))
      continue;
    const double plain = reassessment.plain.shadows[row.place.lane][*row.place.parameter][row.place.element];
    const ElementType type = parameter_at(reassessment.signature(), row.place).element_type(row.place.element);
    visit(row, plain,
          rounding_of_sum(type) * std::abs(row.incoming) + rounding_of_sum(type_of_terms(type)) * std::abs(plain));
  }
}

/// Terms that cancel leave another rest above a shadow that held something; in wide arithmetic they leave the same.
/// Where that is not known, the spread above that shadow tells.
bool adds_up_in_wide(const Reassessment &reassessment, const std::vector<Comparison> &rows) {
  const std::optional<WideOutcome> bare = reassessment.in_wide();
  const std::optional<WideOutcome> above =
      bare ? differentiate_in_wide(reassessment.stage.subject, reassessment.request, reassessment.outcome)
           : std::nullopt;
  std::optional<Spread> spread;
  if (!above)
    spread.emplace(reassessment.stage.subject, reassessment.request, reassessment.outcome,
                   reassessment.stage.options.depth);
  bool adds_up = true;
  for_each_sum(reassessment, rows, [&](const Comparison &row, double plain, double rounding) {
    if (!above) {
      adds_up = adds_up && std::abs(row.ad - plain) <= row.tolerance + rounding + spread->at(row.place);
      return;
    }
    const auto at = [&](const WideOutcome &wide) {
      return wide.outcome.shadows[row.place.lane][*row.place.parameter][row.place.element];
    };
    adds_up = adds_up && std::abs(at(*above) - row.incoming - at(*bare)) <= row.tolerance + rounding;
  });
  return adds_up &&
         (!above || ran_alike(reassessment.stage.subject, reassessment.request, reassessment.outcome, *above));
}

/// Whether a number above a shadow that held something is the one above zeros, plus that; else rounding is not what is
/// wrong with it.
bool adds_up(const Reassessment &reassessment, const std::vector<Comparison> &rows) {
  bool adds_up = true;
  for_each_sum(reassessment, rows, [&](const Comparison &row, double plain, double rounding) {
    adds_up = adds_up && std::abs(row.ad - plain) <= row.tolerance + rounding;
  });
  return adds_up || adds_up_in_wide(reassessment, rows);
}

/// Of some number, nothing is left: one divided by infinity is zero.
bool is_all_lost(const Signature &signature, const std::vector<Comparison> &rows, const LostDigits &lost) {
  const auto worst =
      std::find_if(rows.begin(), rows.end(), [&](const Comparison &row) { return row.path == lost.path; });
  constexpr double half = 0.31; // A digit, in decimal logarithm.
  return worst != rows.end() && lost.digits > digits_of(type_of_digits(signature, *worst)) - half;
}

/// What is known of where digits were lost.
enum class Losses : std::uint8_t { followed, unknown };

/// The derivative is right, and has lost digits. Of a registered one more is asked than of generated code: to stay
/// within the range of numbers where the engine's own does. What overflowed or underflowed is why digits are lost where
/// no digit is left, or where nothing cancelled.
void accept_with_loss(const Reassessment &reassessment, Opinion &opinion, LostDigits lost, Losses losses) {
  Finding &finding = opinion.finding;
  if (lost.overflowed) {
    if (const auto rule = rule_that_overflows(reassessment.stage.subject, reassessment.bare)) {
      finding.detail = fmt::format(
          "a registered derivative overflows on the way to {}, or divides by zero, and the right number is finite",
          lost.path);
      return;
    }
  } else if (reassessment.plain.left_range &&
             ((losses == Losses::followed && lost.site.empty()) ||
              is_all_lost(reassessment.signature(), finding.worst, lost)) &&
             rule_that_leaves_range(reassessment.stage.subject, reassessment.bare)) {
    finding.detail =
        fmt::format("a registered derivative overflows or underflows on the way to {}, of which {:.0f} digits are "
                    "not right; the engine's own derivative does not",
                    lost.path, lost.digits);
    return;
  }
  finding.detail.clear();
  constexpr double no_digit = 0.5;
  if (lost.digits < no_digit && is_of_16_bits(coarsest_element(reassessment.signature()))) { // As all have.
    finding.verdict = Verdict::pass;
    return;
  }
  constexpr double many = 8; // Fewer are lost easily, and it takes a compilation to ask.
  const DerivativeRequest &bare = reassessment.bare;
  if (lost.digits > many && is_plainest(reassessment.signature(), bare.combination) &&
      rule_loses_digits(reassessment.stage, bare))
    lost.path += ", where the engine's own derivative keeps them";
  finding.lost = std::move(lost);
  const double most = reassessment.stage.options.most_digits_lost.value_or(std::numeric_limits<double>::infinity());
  finding.verdict = finding.lost->digits <= most ? Verdict::pass : Verdict::wrong_derivative;
  if (finding.verdict != Verdict::pass)
    finding.detail = fmt::format("{}, and {:g} may be", in_words(*finding.lost), most);
}

/// The spread joins the tolerance.
void reassess_by_spread(const Reassessment &reassessment, Opinion &opinion, const Spread &spread) {
  Finding &finding = opinion.finding;
  double largest = 0, widest = 0;
  for (const Comparison &row : finding.worst) {
    if (std::isfinite(row.expected))
      largest = std::max(largest, std::abs(row.expected));
    if (fails(row))
      widest = std::max(widest, std::isfinite(row.ad) ? spread.at(row.place) : std::numeric_limits<double>::infinity());
  }
  if (widest <= useful_spread * largest)
    return accept_with_loss(reassessment, opinion, worst_loss(reassessment.signature(), finding.worst, {}),
                            Losses::unknown);
  finding.verdict = Verdict::oracle_unreliable;
  finding.detail = fmt::format("the derivative's own rounding errors, up to {:.1e}, are too large to decide", widest);
}

/// The derivative's code is right in wide arithmetic. What it gives as it runs differs from that by the roundings of
/// the operations that were computed in both, unless it ran otherwise, or in coarser numbers than the function.
void reassess_with_wide(const Reassessment &reassessment, Opinion &opinion, const WideOutcome &wide,
                        const Finding &of_wide) {
  Finding &finding = opinion.finding;
  LostDigits lost = worst_loss(reassessment.signature(), finding.worst, of_wide.worst);
  lost.site = wide.cancelled_at;
  const double roundoff = reassessment.stage.wide.roundoff_of_function();
  if (wide.roundoff <= roundoff && ran_alike(reassessment.stage.subject, reassessment.bare, reassessment.plain, wide))
    return accept_with_loss(reassessment, opinion, std::move(lost), Losses::followed);
  finding.verdict = Verdict::wrong_derivative;
  finding.detail =
      wide.roundoff > roundoff
          ? fmt::format("the derivative computes with numbers of {:.0f} bits, the function with {:.0f}: {}",
                        -std::log2(wide.roundoff), -std::log2(roundoff), in_words(lost))
          : "in wide arithmetic the derivative's code is right, but it does not give the same numbers again";
}

/// Generated code in forward mode: a tangent of zero stays zero where a function has no finite derivative (docs/
/// convention.md), so that zero times infinity is zero.
bool keeps_tangents_of_zero(const Stage &stage, const DerivativeRequest &request) {
  return request.combination.mode == Mode::forward && stage.subject.knows_rules() &&
         stage.subject.rules(request.combination).empty() &&
         stage.precise.singularity().starts_with("a function without a finite derivative");
}

/// Where the only fault is numbers that are not finite, and the chain rule has zero times infinity on its way.
bool is_at_a_singularity(const Stage &stage, const DerivativeRequest &request, const std::vector<Comparison> &rows) {
  return !stage.precise.singularity().empty() &&
         (keeps_tangents_of_zero(stage, request) || std::all_of(rows.begin(), rows.end(), [](const Comparison &row) {
            return !fails(row) || !std::isfinite(row.ad);
          }));
}

/// A registered rule is there to do better than the chain rule where differences see no singularity.
bool is_left_to_chain_rule(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                           const std::vector<Comparison> &rows) {
  return is_at_a_singularity(stage, request, rows) &&
         (stage.subject.rules(request.combination).empty() ||
          check_against_oracle(stage.oracle, request, outcome, stage.options).verdict != Verdict::wrong_derivative);
}

void leave_open(Finding &finding, std::string reason) {
  finding.verdict = Verdict::oracle_unreliable;
  finding.detail = std::move(reason);
}

void leave_open_at_singularity(const Stage &stage, Finding &finding) {
  leave_open(finding, fmt::format("the function computes with {}: the derivative is not finite there",
                                  stage.precise.singularity()));
}

/// Whether the oracle's own error hides how far the numbers are from those that are expected.
bool is_hidden(const std::vector<Comparison> &rows, const Finding &of_wide) {
  return std::all_of(rows.begin(), rows.end(), [&](const Comparison &row) {
    const auto same = std::find_if(of_wide.worst.begin(), of_wide.worst.end(),
                                   [&](const Comparison &candidate) { return candidate.path == row.path; });
    return !fails(row) || (same != of_wide.worst.end() && row.absolute_error <= same->tolerance);
  });
}

/// Whether each number that fails is the one that the function has without rounding, however little is known of the
/// others, and not the one that its rounding leaves.
bool are_those_without_rounding(const std::vector<Comparison> &rows, const Finding &of_wide) {
  return std::all_of(rows.begin(), rows.end(), [&](const Comparison &row) {
    const auto same = std::find_if(of_wide.worst.begin(), of_wide.worst.end(),
                                   [&](const Comparison &candidate) { return candidate.path == row.path; });
    return !fails(row) ||
           (same != of_wide.worst.end() && !fails(*same) && std::abs(same->expected - row.expected) > same->tolerance);
  });
}

/// Whether a number that fails does so without any rounding, too.
bool fails_in_both(const std::vector<Comparison> &rows, const std::vector<Comparison> &wrong_in_wide) {
  return std::any_of(rows.begin(), rows.end(), [&](const Comparison &row) {
    const auto same = std::find_if(wrong_in_wide.begin(), wrong_in_wide.end(),
                                   [&](const Comparison &candidate) { return candidate.path == row.path; });
    return fails(row) && same != wrong_in_wide.end() && fails(*same);
  });
}

void reassess_failure(const Reassessment &reassessment, Opinion &opinion) {
  Finding &finding = opinion.finding;
  if (std::none_of(finding.worst.begin(), finding.worst.end(), fails) || !adds_up(reassessment, finding.worst))
    return;
  std::vector<Comparison> wrong_in_wide;
  const std::optional<WideOutcome> wide = reassessment.in_wide();
  if (wide) {
    const Finding of_wide = reassessment.against_wide(wide->outcome);
    if (of_wide.verdict == Verdict::pass)
      return reassess_with_wide(reassessment, opinion, *wide, of_wide);
    // The function may lose its digits in wide arithmetic, too (1 - 1e-35), where its movement keeps them.
    if (of_wide.verdict == Verdict::oracle_unreliable) {
      const Finding of_movement = check_against_oracle(reassessment.stage.precise, reassessment.bare, wide->outcome,
                                                       reassessment.stage.options);
      if (of_movement.verdict == Verdict::pass)
        return reassess_with_wide(reassessment, opinion, *wide, of_movement);
      if (are_those_without_rounding(finding.worst, of_wide))
        return reassess_with_wide(reassessment, opinion, *wide, of_wide);
    }
    if (of_wide.verdict == Verdict::wrong_derivative) {
      wrong_in_wide = of_wide.worst;
      opinion.is_wrong_in_wide = fails_in_both(finding.worst, wrong_in_wide);
    }
    // Terms below the precision of a sum are lost in the primal, and so in finite differences.
    else if (opinion.oracle != reassessment.stage.precise.name() && is_hidden(finding.worst, of_wide))
      return leave_open(finding, "rounding leaves the function no digit of it, even in wide arithmetic");
  }
  if (is_left_to_chain_rule(reassessment.stage, reassessment.request, reassessment.outcome, finding.worst))
    return leave_open_at_singularity(reassessment.stage, finding);
  // A compiler folds constants: of 1 / 3 only the rounded value is left, in wide arithmetic too.
  const Spread spread(reassessment.stage.subject, reassessment.bare, reassessment.plain,
                      reassessment.stage.options.depth);
  const std::vector<Comparison> &wrong = wide || !reassessment.may_ask_wide() ? wrong_in_wide : finding.worst;
  const bool is_right_beside = std::any_of(
      wrong.begin(), wrong.end(), [&](const Comparison &row) { return fails(row) && spread.is_right_beside(row); });
  if (!is_right_beside && may_be_rounding(wrong_in_wide, spread) && are_finite(finding.worst) &&
      may_be_rounding(finding.worst, spread))
    reassess_by_spread(reassessment, opinion, spread);
}

/// At a kink the wide function stays on the branch that the program takes, and so does a derivative. A subject may have
/// that alone, and no precise derivative.
void reassess_undecided(const Reassessment &reassessment, Opinion &opinion) {
  const PreciseOracle &precise = reassessment.stage.precise;
  if (!reassessment.may_ask_wide() || (precise.is_offered() && !precise.covers()))
    return;
  Finding again = reassessment.against_wide(reassessment.plain);
  if (again.verdict == Verdict::pass) {
    again.check += " on the branch that the program takes";
    opinion.finding = std::move(again);
    return;
  }
  if (again.verdict != Verdict::wrong_derivative)
    return;
  const std::optional<WideOutcome> wide = reassessment.in_wide();
  if (!wide)
    return;
  const Finding of_wide = reassessment.against_wide(wide->outcome);
  if (of_wide.verdict != Verdict::pass)
    return;
  Opinion other = opinion;
  other.finding = std::move(again);
  reassess_with_wide(reassessment, other, *wide, of_wide);
  if (other.finding.verdict == Verdict::pass)
    opinion = std::move(other);
}

} // namespace

Opinion reassess(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome, Opinion opinion) {
  const Verdict verdict = opinion.finding.verdict;
  const bool is_again = std::exchange(opinion.was_reassessed, true);
  try {
    if (verdict == Verdict::wrong_derivative && !is_again)
      reassess_failure(reassessment(stage, request, outcome), opinion);
    else if (verdict == Verdict::oracle_unreliable)
      reassess_undecided(reassessment(stage, request, outcome), opinion);
  } catch (const NoDigits &) {
    if (are_finite(opinion.finding.worst))
      leave_open(opinion.finding, "rounding leaves no digit of the derivative, even in wide arithmetic");
    else if (is_left_to_chain_rule(stage, request, outcome, opinion.finding.worst))
      leave_open_at_singularity(stage, opinion.finding);
  }
  return opinion;
}

Finding without_rounding(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                         const AlgebraCheck &check) {
  Finding finding = check(stage.subject, outcome);
  if (finding.verdict != Verdict::wrong_derivative)
    return finding;
  try {
    WideSubject wide(stage.subject);
    Finding again = check(wide, wide.differentiate(request));
    if (again.verdict == Verdict::pass && wide.ran_as_usual() && wide.roundoff() <= stage.wide.roundoff_of_function())
      return again;
    // A number far below 1 may be what is left of larger ones that cancel: that, the spread tells.
    if (!finding.by_scale)
      return finding;
  } catch (const NoDigits &) {
    finding.verdict = Verdict::oracle_unreliable;
    finding.detail += ", but rounding leaves no digit of them, even in wide arithmetic";
    return finding;
  } catch (const SubjectError &) { // It cannot be computed so.
  }
  const Spread spread(stage.subject, request, outcome, stage.options.depth);
  const bool is_product = finding.check == dot_product_check;
  if (is_product ? finding.apart > spread.of_product() : !may_be_rounding(finding.worst, spread))
    return finding;
  finding.verdict = Verdict::pass;
  finding.worst.clear();
  finding.detail.clear();
  return finding;
}

} // namespace assay::testutils
