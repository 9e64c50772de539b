#pragma once
// How far out of a loop nest the tape memory of an inner loop can be reserved: to the preheader of the outermost loop
// that knows all the trip counts in between, and the conditions under which they mean anything. The trip count of a
// loop that is not entered is garbage (n - 1 for n = 0), so the conditions that guard the loop are part of the answer.

#include "core/engine/plan/control.hpp"

namespace assay::engine {

struct Guard {
  llvm::Value *condition = nullptr;
  bool expected = true;
};

struct Reservation {
  const llvm::Loop *loop = nullptr;   ///< Reserve in this loop's preheader.
  llvm::SmallVector<Guard, 4> guards; ///< All known there; when one fails, nothing is needed.
};

Reservation find_reservation(const llvm::Loop &loop, const ControlRecord &control,
                             const llvm::DominatorTree &dominators);

} // namespace assay::engine
