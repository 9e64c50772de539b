#include "core/engine/analysis/number_parts.hpp"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Metadata.h"

namespace assay::engine {

bool copies_parts_of_numbers(const llvm::CallBase &copy) {
  const llvm::MDNode *note = copy.getMetadata("assay.type");
  const auto *text = note != nullptr ? llvm::dyn_cast<llvm::MDString>(note->getOperand(0)) : nullptr;
  return text != nullptr && text->getString().starts_with("bytes");
}

void spread_parts_of_numbers(std::vector<bool> &holds_parts, const MemoryGraph &graph, const IntegerProvenance &bits,
                             llvm::ArrayRef<MemoryMove> moves, llvm::ArrayRef<MemoryCopy> copies) {
  using Direction = MemoryMove::Direction;
  if (llvm::none_of(holds_parts, [](bool holds) { return holds; }))
    return;
  llvm::DenseSet<unsigned> words; // of integers that come from such memory
  bool changed = true;
  const auto mark = [&](NodeId node) {
    changed |= !holds_parts[graph.find(node)];
    holds_parts[graph.find(node)] = true;
  };
  while (changed) {
    changed = false;
    for (const MemoryCopy &copy : copies)
      if (holds_parts[graph.find(copy.source.node)])
        mark(copy.target.node);
    for (const MemoryMove &move : moves)
      for (unsigned index = 0; index < move.words; ++index) {
        const unsigned word = bits.leader(move.first_word + index);
        if (move.direction != Direction::to_memory && holds_parts[graph.find(move.memory.node)])
          changed |= words.insert(word).second;
        if (move.direction != Direction::from_memory && words.contains(word))
          mark(move.memory.node);
      }
  }
}

} // namespace assay::engine
