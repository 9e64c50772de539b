#pragma once
// Code that the lanes of a warp run together, in the functions that add up their numbers. Each has the place as its
// first argument.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

inline constexpr unsigned lanes_of_warp = 32;

class WarpCode {
public:
  /// `members`: the mask of the lanes that are together.
  WarpCode(llvm::IRBuilder<> &builder, llvm::Function &function, llvm::Value *members)
      : builder_(builder), place_(function.getArg(0)), members_(members) {}

  /// The place, or another address in its memory, as the words that a shuffle moves.
  llvm::SmallVector<llvm::Value *, 2> address_words() { return words_of(place_); }
  llvm::SmallVector<llvm::Value *, 2> words_of(llvm::Value *address);
  /// Whether `move` gives each lane the words that it has.
  llvm::Value *all_have_what_moves(llvm::ArrayRef<llvm::Value *> words,
                                   llvm::function_ref<llvm::Value *(llvm::Value *)> move);
  llvm::Value *word_of_first_lane(llvm::Value *word);
  llvm::Value *word_beside(llvm::Value *word, unsigned distance);
  /// Whether there is a lane so far from the first one.
  llvm::Value *reach(unsigned distance);
  /// A number of the lane `distance` beside this one.
  llvm::Value *number_beside(llvm::Value *number, unsigned distance);
  /// A number of the lane `lane`, modulo their count.
  llvm::Value *number_of(llvm::Value *number, llvm::Value *lane);
  llvm::Value *with_number_beside(llvm::Value *number, unsigned distance);
  llvm::Value *lane();
  /// Whether the bit `distance` of the lane's number is set.
  llvm::Value *is_second(llvm::Value *lane, unsigned distance);

private:
  /// Words of 32 bits, one or two.
  llvm::Value *moved(llvm::Value *number, llvm::function_ref<llvm::Value *(llvm::Value *)> move);

  llvm::IRBuilder<> &builder_;
  llvm::Value *place_, *members_;
};

llvm::BasicBlock *block_of(llvm::Function &function, const llvm::Twine &name);

} // namespace assay::engine
