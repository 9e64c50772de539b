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
  /// A vote: whether the shuffle gives every lane its own words back.
  llvm::Value *all_equal_after(llvm::ArrayRef<llvm::Value *> words,
                               llvm::function_ref<llvm::Value *(llvm::Value *)> shuffle);
  llvm::Value *broadcast_first(llvm::Value *word);
  llvm::Value *butterfly_word(llvm::Value *word, unsigned distance);
  /// Whether the lane of that number is among the members.
  llvm::Value *has_lane(unsigned distance);
  /// The number of the lane whose number differs in the bit `distance` (shfl.bfly).
  llvm::Value *butterfly(llvm::Value *number, unsigned distance);
  /// A number of the lane `lane`, modulo their count.
  llvm::Value *number_of(llvm::Value *number, llvm::Value *lane);
  llvm::Value *plus_butterfly(llvm::Value *number, unsigned distance);
  llvm::Value *lane();
  /// All members go on together: lanes that took different ways, one of them to an atomic sum, would else come apart
  /// for good, and be alone at the next sum.
  void wait();
  /// Whether the bit `distance` of the lane's number is set.
  llvm::Value *has_lane_bit(llvm::Value *lane, unsigned distance);

private:
  /// Words of 32 bits, one or two.
  llvm::Value *moved(llvm::Value *number, llvm::function_ref<llvm::Value *(llvm::Value *)> move);

  llvm::IRBuilder<> &builder_;
  llvm::Value *place_, *members_;
};

/// Lanes wait for each other in the function, and it writes behind its first argument alone.
void mark_warp_add(llvm::Function &function);

/// `void(address, numbers...)`, one number for each of `distances` from the address; both are part of its name.
llvm::Function *warp_add_of_several(llvm::Module &module, llvm::StringRef prefix, llvm::Type *type,
                                    llvm::PointerType *address, llvm::ArrayRef<std::int64_t> distances,
                                    llvm::function_ref<void(llvm::Function &)> write);

llvm::BasicBlock *block_of(llvm::Function &function, const llvm::Twine &name);

} // namespace assay::engine
