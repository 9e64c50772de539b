#pragma once
// Virtual calls of exceptions. Once a program derives a class from std::exception, the functions of its virtual tables
// are the candidates of `what`; an object whose class is in the C++ library may be called as well.

#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// True of what may be `what()` of an exception whose class is in the library, where classes of the module derive from
/// one.
bool may_be_what_of_library(llvm::CallBase &call);
/// Says of such a call what the C++ standard says: it reads the exception, and neither throws nor writes what the
/// program reads.
void mark_what(llvm::CallBase &call);

} // namespace assay::engine
