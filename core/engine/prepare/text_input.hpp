#pragma once
// Numbers that are read from text. Text has no derivative, so a number that is read is constant, whatever the text was
// made of:
//
//     stream >> y            number = unread; stream >> number;
//     sscanf(s, "%lf", &y)   y = number is unread ? y : number
//
//     stream >> text         text is changed as its shadow is, after another string was read
//
// The variable keeps its derivative where nothing was read (the end of the stream), and loses it elsewhere. `unread` is
// a NaN that no text has.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when anything was changed. A `scanf` whose format is not known stays a function without derivative.
bool read_text_apart(llvm::Function &function);

} // namespace assay::engine
