#pragma once
// The return of a function that is differentiated: by its type, the kind of the call and the markers.

#include "core/engine/lowering/call_parser.hpp"

namespace assay::engine {

/// Decides on the activity of the result, of a hidden struct, too, and whether the derivative returns it. `markers` are
/// those that stand for the whole call.
llvm::Error decide_return(ParsedCall &parsed, llvm::ArrayRef<Marker> markers, const OperandReader &reader);

} // namespace assay::engine
