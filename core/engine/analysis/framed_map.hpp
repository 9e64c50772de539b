#pragma once
// Numbers by value and frame. Nearly all values that are asked for are arguments and instructions of the frames: theirs
// lie in a row, and which is whose is looked up in a map of the function, which all its frames share.

#include "core/engine/analysis/call_tree.hpp"
#include <limits>

namespace assay::engine {

class FramedMap {
public:
  explicit FramedMap(const CallTree &calls) : calls_(calls), numbered_(calls.number_count(), none) {}

  std::optional<unsigned> find(FramedValue value) const {
    if (const auto number = calls_.number(value))
      return numbered_[*number] == none ? std::nullopt : std::optional(numbered_[*number]);
    const auto found = others_.find(value);
    return found == others_.end() ? std::nullopt : std::optional(found->second);
  }

  /// What is there, which is now `made` where there was nothing, and whether there was nothing.
  std::pair<unsigned, bool> try_emplace(FramedValue value, unsigned made) {
    if (const auto number = calls_.number(value)) {
      unsigned &kept = numbered_[*number];
      const bool is_new = kept == none;
      kept = is_new ? made : kept;
      return {kept, is_new};
    }
    const auto [found, is_new] = others_.try_emplace(value, made);
    return {found->second, is_new};
  }

private:
  static constexpr unsigned none = std::numeric_limits<unsigned>::max();
  const CallTree &calls_;
  std::vector<unsigned> numbered_;
  llvm::DenseMap<FramedValue, unsigned> others_;
};

} // namespace assay::engine
