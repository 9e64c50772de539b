#pragma once
// An exception that is thrown and caught in one function is control flow: the throw becomes a branch to its handler,
// and the thrown object a variable, whose numbers have derivatives like any others.
//
//   invoke @__cxa_throw(%object, @type, null) unwind label %pad      becomes   br label %handlers
//
// with the selector of the type in place of what the landing pad has for exceptions of others; for those alone the
// runtime is told that one is caught, and that its handler ends. Left as they are: functions whose handlers may get
// exceptions of calls, too; exceptions that are thrown again, handlers within handlers, and types of which it is not
// seen which handler takes them.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool branch_to_handlers(llvm::Function &function);

} // namespace assay::engine
