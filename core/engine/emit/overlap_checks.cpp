#include "core/engine/emit/overlap_checks.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace assay::engine {
namespace {

struct Bounds {
  Value *low = nullptr, *end = nullptr;
};

Bounds write_bounds(const MemoryExtent &memory, Instruction &place, ScalarEvolution &evolution) {
  SCEVExpander expander(evolution, "bounds");
  Type *word = memory.offsets.low->getType();
  Value *base = expander.expandCodeFor(memory.base, nullptr, place.getIterator());
  Value *low = expander.expandCodeFor(memory.offsets.low, word, place.getIterator());
  Value *high = expander.expandCodeFor(memory.offsets.high, word, place.getIterator());
  Value *bytes = expander.expandCodeFor(memory.bytes, word, place.getIterator());
  IRBuilder<> builder(&place);
  Value *address = builder.CreatePtrToInt(base, word);
  return {builder.CreateAdd(address, low), builder.CreateAdd(builder.CreateAdd(address, high), bytes)};
}

Instruction *write(const OverlapCheck &check, ScalarEvolution &evolution) {
  const Bounds written = write_bounds(check.written, *check.place, evolution);
  IRBuilder<> builder(check.place);
  // Bounds that wrapped around say nothing.
  Value *overlap = builder.CreateICmpUGE(written.low, written.end);
  for (const MemoryExtent &piece : check.read) {
    const Bounds read = write_bounds(piece, *check.place, evolution);
    builder.SetInsertPoint(check.place);
    Value *meet =
        builder.CreateAnd(builder.CreateICmpULT(read.low, written.end), builder.CreateICmpULT(written.low, read.end));
    overlap = builder.CreateOr(overlap, builder.CreateOr(meet, builder.CreateICmpUGE(read.low, read.end)));
  }
  return cast<Instruction>(builder.CreateFreeze(overlap, "overlap"));
}

} // namespace

SmallVector<Instruction *, 4> write_overlap_checks(ArrayRef<OverlapCheck> checks, ScalarEvolution &evolution) {
  SmallVector<Instruction *, 4> values;
  for (const OverlapCheck &check : checks)
    values.push_back(write(check, evolution));
  return values;
}

} // namespace assay::engine
