#pragma once
// Changes of the engine for tests of tests: other rules, and a look at every derivative between emission and tidying.
// `assay mutate` plants its faults here. An observer (observer.hpp) changes nothing: `assay explain` and remarks have
// one.

#include <functional>

namespace llvm {
class Function;
} // namespace llvm

namespace assay::engine {

class Observer;
class RuleTable;

struct TestHooks {
  /// In place of the engine's own table; must outlive the pass.
  const RuleTable *rules = nullptr;
  /// Called with each derivative once it is written; its changes must be valid.
  std::function<void(llvm::Function &)> written;
  /// Must outlive the pass.
  Observer *observer = nullptr;
};

} // namespace assay::engine
