#pragma once
// How generated code stops a program that it cannot serve: with a message on standard error, at once. The C library's
// output would be lost with the program where it goes into a pipe.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// Writes `length` characters of `text`, and aborts. No later code runs.
void emit_stop_with_message(llvm::IRBuilderBase &builder, llvm::Value &text, llvm::Value &length);
void emit_stop_with_message(llvm::IRBuilderBase &builder, llvm::StringRef text);

} // namespace assay::engine
