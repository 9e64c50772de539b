#include "core/engine/prepare/byte_runs.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {

namespace {

struct BytePlace {
  Value *base;
  std::int64_t offset;
};

BytePlace place_of(const BytePiece &piece) {
  const auto &load = *cast<LoadInst>(piece.source);
  const DataLayout &layout = load.getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  Value *base = const_cast<Value *>(
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  return {base, offset.getSExtValue() + piece.byte};
}

/// The last of some loads in one block between which nothing is written.
LoadInst *last_of(const BytePieces &pieces) {
  SmallPtrSet<const Instruction *, 8> loads;
  for (const BytePiece &piece : pieces)
    loads.insert(cast<LoadInst>(piece.source));
  unsigned found = 0;
  for (Instruction &instruction : *cast<LoadInst>(pieces.front().source)->getParent()) {
    found += loads.contains(&instruction) ? 1 : 0;
    if (found == loads.size())
      return cast<LoadInst>(&instruction);
    if (found > 0 && instruction.mayWriteToMemory())
      return nullptr;
  }
  return nullptr;
}

} // namespace

std::optional<ByteRun> run_of(const BytePieces &pieces) {
  if (pieces.size() < 2 || any_of(pieces, [](const BytePiece &piece) { return piece.kind != BytePiece::Kind::memory; }))
    return std::nullopt;
  const BytePlace first = place_of(pieces.front());
  const std::int64_t step = place_of(pieces[1]).offset - first.offset;
  const auto follows = [&](const auto &entry) {
    const BytePlace place = place_of(entry.value());
    return place.base == first.base && place.offset == first.offset + step * static_cast<std::int64_t>(entry.index());
  };
  LoadInst *last = (step == 1 || step == -1) && all_of(enumerate(pieces), follows) ? last_of(pieces) : nullptr;
  if (!last)
    return std::nullopt;
  const BytePiece &lowest = step == 1 ? pieces.front() : pieces.back();
  auto *load = cast<LoadInst>(lowest.source);
  IRBuilder<> builder(last);
  Value *begin = load->getPointerOperand();
  if (lowest.byte != 0)
    begin = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), begin, lowest.byte);
  return ByteRun{last, begin, step == -1};
}

} // namespace assay::engine
