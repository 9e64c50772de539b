#pragma once
// Numbers of which all bytes are read one behind the other, in the order of the machine or in the reversed one.

#include "core/engine/prepare/byte_pieces.hpp"

namespace assay::engine {

/// Bytes that are read one behind the other, with nothing written in between.
struct ByteRun {
  llvm::LoadInst *last;    ///< The load that runs last.
  llvm::Value *first_byte; ///< Where they begin.
  bool is_reversed;
};

/// Where the pieces, from the lowest byte on, are such a run; the address is made where it is needed.
std::optional<ByteRun> run_of(const BytePieces &pieces);

} // namespace assay::engine
