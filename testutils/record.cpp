// Names of verdicts, and what each means for a count.

#include <assay/testing/record.hpp>

#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::pass:
    return "pass";
  case Verdict::wrong_derivative:
    return "wrong derivative";
  case Verdict::wrong_primal:
    return "wrong primal";
  case Verdict::wrong_mutation:
    return "wrong mutation";
  case Verdict::wrong_release:
    return "wrong release";
  case Verdict::wrong_state:
    return "wrong state";
  case Verdict::wrong_environment:
    return "wrong environment";
  case Verdict::nondeterministic:
    return "nondeterministic";
  case Verdict::oracle_unreliable:
    return "oracle unreliable";
  case Verdict::nothing_compared:
    return "nothing was compared";
  case Verdict::no_answer:
    return "no answer";
  case Verdict::crash:
    return "crash";
  }
  return "unknown verdict";
}

Outcome outcome_of(Verdict verdict) {
  if (verdict == Verdict::pass)
    return Outcome::passed;
  return verdict == Verdict::oracle_unreliable || verdict == Verdict::nothing_compared ? Outcome::undecided
                                                                                       : Outcome::failed;
}

std::string in_words(const LostDigits &lost) {
  if (lost.overflowed)
    return fmt::format("{} overflowed on the way", lost.path);
  const auto digits = static_cast<int>(std::lround(lost.digits));
  return fmt::format("{} {} lost to {} in {}", digits, digits == 1 ? "digit" : "digits",
                     lost.site.empty() ? "rounding" : "cancellation " + lost.site, lost.path);
}

} // namespace assay::testutils
