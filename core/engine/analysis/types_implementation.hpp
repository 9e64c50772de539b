#pragma once
// The state of TypeAnalysis; shared with the activity analysis, which works on the same memory classes.

#include "core/engine/analysis/type_collector.hpp"
#include "core/engine/analysis/uses_only_double.hpp"

namespace assay::engine {

struct TypeAnalysis::Implementation {
  Implementation(const llvm::Function &function, bool loose_types, BodyOf body_of, const TypeHints *hints,
                 Followed followed)
      : memory(function, body_of, followed), types(memory, hints), loose_types(loose_types),
        only_double(uses_only_double(*function.getParent())),
        only_double_here(only_double || uses_only_double(memory.calls())) {}

  /// True when no float but a double that carries a derivative can be in the memory.
  bool holds_only_double(NodeId node) const;

  MemoryClasses memory;
  TypeCollector types;
  bool loose_types;
  bool only_double;      ///< In the whole program.
  bool only_double_here; ///< In the function and its callees; its caller may pass others.
};

} // namespace assay::engine
