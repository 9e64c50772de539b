#pragma once
// The child's side of a check: one function, compiled once, at all its shapes.

#include "cli/call_note.hpp"
#include "cli/check_events.hpp"
#include "cli/check_request.hpp"
#include "cli/child_process.hpp"

#include <vector>

namespace assay::cli {

/// Sends check_event lines, and notes each call in `note` before it is made.
void check_in_child(const std::vector<CheckRequest> &shapes, const jit::ModuleFile &file, const CheckPlan &plan,
                    CallNote &note, const SendLine &send);

} // namespace assay::cli
