#pragma once
// A wrong derivative that also depends on earlier calls: through which variable.

#include "testutils/run.hpp"

namespace assay::testutils {

/// Adds a hint where a registered rule keeps something from call to call.
void hint_at_kept_state(Stage &stage, Record &record);

} // namespace assay::testutils
