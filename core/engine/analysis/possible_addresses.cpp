#include "core/engine/analysis/possible_addresses.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {
namespace {

constexpr unsigned choice_depth = 4;

/// True where something is computed from the value, which no program does with an address of which it only knows the
/// bits: it is a count then.
bool is_computed_with(const llvm::Value &value, unsigned depth = choice_depth) {
  return llvm::any_of(value.users(), [&](const llvm::User *user) {
    if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user))
      return depth > 0 && is_computed_with(*user, depth - 1);
    if (llvm::isa<llvm::IntrinsicInst>(user))
      return true;
    return !llvm::isa<llvm::ICmpInst, llvm::StoreInst, llvm::CallBase, llvm::ReturnInst, llvm::InsertValueInst>(user);
  });
}

struct Word {
  bool is_read = false;   ///< From a place that holds addresses and integers.
  bool is_kept = false;   ///< In a place that may hold addresses.
  bool is_count = false;  ///< Something is computed from it.
  bool is_number = false; ///< At times: it is read where floats are seen, too.
};

} // namespace

void find_possible_addresses(const std::vector<TypeTree> &trees, IntegerProvenance &bits,
                             const std::vector<MemoryMove> &moves) {
  llvm::DenseMap<unsigned, Word> words;
  for (const MemoryMove &move : moves) {
    const OffsetSet at = move.memory.at;
    const TypeTree &tree = trees[move.memory.node];
    if (move.bytes != pointer_bytes || at.stride % pointer_bytes != 0 || !tree.mentioned().mentions_pointers())
      continue;
    const Evidence seen = tree.look_up(at);
    const bool has_half_floats = tree.look_up(at.plus({word_bytes, 0})).mentions_floating();
    const bool is_either = seen.tells_pointer() && seen.mentions_several() && !has_half_floats;
    Word &word = words[bits.leader(move.first_word)];
    word.is_read |= move.direction != MemoryMove::Direction::to_memory && is_either;
    word.is_number |= seen.mentions_floating();
    word.is_kept |= move.direction != MemoryMove::Direction::from_memory && seen.tells_pointer();
    word.is_count = word.is_count || is_computed_with(*move.value.second);
  }
  for (const auto &[moved, word] : words)
    if (word.is_read && word.is_kept && !word.is_count && bits.own_word(moved).only(Rank::access).empty())
      bits.mark_possible_address(moved, word.is_number);
}

} // namespace assay::engine
