#pragma once
// The elements of a list that have to be looked at again, in rounds that go on until nothing changes.
//
// Each element has a version, which grows whenever something changes that the element is looked at with. One that has
// the version it had when it was last looked at would find the same: it is left out. The rounds, their order
// and their findings are those of looking at every element in every round.

#include "llvm/ADT/ArrayRef.h"
#include <limits>
#include <utility>
#include <vector>

namespace assay::engine {

template <class Element>
class VersionedWorklist {
public:
  explicit VersionedWorklist(llvm::ArrayRef<Element> elements) : elements_(elements), seen_(elements.size(), never) {}

  /// Calls `visit` for each element of which `version_of` has changed since the last round.
  template <class VersionOf, class Visit>
  void for_each(const VersionOf &version_of, const Visit &visit) {
    for (std::size_t index = 0; index < elements_.size(); ++index) {
      const std::uint64_t version = version_of(elements_[index]);
      if (std::exchange(seen_[index], version) != version)
        visit(elements_[index]);
    }
  }

private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  llvm::ArrayRef<Element> elements_;
  std::vector<std::uint64_t> seen_; ///< The version with which each was last looked at.
};

} // namespace assay::engine
