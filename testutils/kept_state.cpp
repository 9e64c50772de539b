#include "testutils/kept_state.hpp"

#include <fmt/format.h>

namespace assay::testutils {

void hint_at_kept_state(Stage &stage, Record &record) {
  if (stage.subject.rules(record.combination).empty())
    return;
  try {
    const DerivativeRequest request =
        random_request(stage.subject.signature(), record.combination, stage.point.inputs, stage.name);
    const Finding finding =
        check_earlier_calls(stage.subject, stage.earlier, request, stage.subject.differentiate(request));
    if (finding.verdict == Verdict::wrong_state)
      record.hints.push_back(fmt::format("earlier calls show as well: {}", finding.detail));
  } catch (const SubjectError &) { // Then there is nothing to compare.
  }
}

} // namespace assay::testutils
