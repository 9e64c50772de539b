#pragma once
// What a test of tests changes in the engine: other rules, and a look at every derivative between emission and tidying.
// `assay mutate` plants its faults here; nothing else sets any of it.

#include <functional>

namespace llvm {
class Function;
} // namespace llvm

namespace assay::engine {

class RuleTable;

struct Alterations {
  /// In place of the engine's own table; must outlive the pass.
  const RuleTable *rules = nullptr;
  /// Called with each derivative once it is written; what it leaves must be valid.
  std::function<void(llvm::Function &)> written;
};

} // namespace assay::engine
