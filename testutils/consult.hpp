#pragma once
// Which oracle is asked, and what is made of their answers.

#include "testutils/run.hpp"

namespace assay::testutils {

struct Opinion {
  Finding finding;
  std::string oracle; ///< The one that decided.
  std::vector<std::string> oracle_reasons = {};
  std::string second_oracle = {}; ///< Whose numbers stand beside those of the one that decided.
  bool was_reassessed = false;    ///< Whether rounding may be why it fails has been asked.
  bool is_wrong_in_wide = false;  ///< It fails in wide arithmetic as well: rounding is not why.
};

Opinion consult(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
