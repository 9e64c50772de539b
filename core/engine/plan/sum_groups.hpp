#pragma once
// Adjoints of several loads of a kernel that are added by one function of a warp (emit/grouped_warp_adds.hpp,
// emit/shifted_warp_adds.hpp), because their addresses lie at constant distances and nothing between them asks for the
// order: decided on the prepared function. Loads whose adjoints are summed up over one loop are added side by side
// where that loop is left, so they form groups, too.

#include "core/engine/plan/adjoint_adds.hpp"
#include "llvm/Analysis/AliasAnalysis.h"

namespace assay::engine {

inline constexpr std::size_t most_grouped_sums = 8;
inline constexpr std::size_t least_shifted_sums = 3, most_shifted_sums = 9;

struct SumGroup {
  enum class Kind : std::uint8_t {
    grouped, ///< Lanes may mean one address: shuffles add up their numbers, several at once.
    shifted, ///< Each lane's address lies one number behind that of the lane before: shuffles move the numbers.
  };
  struct Sum {
    const llvm::LoadInst *load = nullptr;
    unsigned part = 0; ///< Of its floating-point numbers.
    bool of_several = false;
    std::int64_t offset = 0; ///< In bytes, from the lowest of the group.
  };
  Kind kind = Kind::grouped;
  bool unless_local = false;                      ///< Each adds by itself where the memory may be the thread's own.
  llvm::SmallVector<Sum, most_shifted_sums> sums; ///< In the order of their offsets; some may have the same.
  /// The header of the loop behind which they are added, null where that is at the loads.
  const llvm::BasicBlock *loop = nullptr;
};
llvm::StringRef name_of(SumGroup::Kind kind);

class SumGroups {
public:
  /// Of a number of the load; null where it is added by itself.
  const SumGroup *find(const llvm::LoadInst &load, unsigned part) const {
    const auto found = index_.find({&load, part});
    return found == index_.end() ? nullptr : &groups_[found->second];
  }
  llvm::ArrayRef<SumGroup> all() const { return groups_; }
  /// One line a group.
  void print(llvm::raw_ostream &out) const;

private:
  friend SumGroups plan_sum_groups(const struct SumGroupInput &input);
  std::vector<SumGroup> groups_; ///< In the order of the reverse sweep.
  llvm::DenseMap<std::pair<const llvm::LoadInst *, unsigned>, std::size_t> index_;
};

struct SumGroupInput {
  llvm::Function &prepared;
  const AdjointAdds &adds;
  const TypeAnalysis &types;
  llvm::AAResults &aliases;
  llvm::ScalarEvolution &evolution;
  /// Whether the reverse sweep does something for an instruction.
  llvm::function_ref<bool(const llvm::Instruction &)> has_adjoint;
  /// The header of the loop over which a load's adjoint is summed up in a register; null for none.
  llvm::function_ref<const llvm::BasicBlock *(const llvm::LoadInst &)> summed_over;
};

SumGroups plan_sum_groups(const SumGroupInput &input);

} // namespace assay::engine
