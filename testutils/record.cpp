// Names of verdicts, and what each means for a count.

#include <assay/testing/record.hpp>

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
  case Verdict::crash:
    return "crash";
  }
  return "unknown verdict";
}

Outcome outcome_of(Verdict verdict) {
  if (verdict == Verdict::pass)
    return Outcome::passed;
  return verdict == Verdict::oracle_unreliable ? Outcome::undecided : Outcome::failed;
}

} // namespace assay::testutils
