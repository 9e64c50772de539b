#pragma once
// What TypeAnalysis keeps; shared with the activity analysis, which works on the same memory classes.

#include "core/engine/analysis/doubles_alone.hpp"
#include "core/engine/analysis/type_collector.hpp"

namespace assay::engine {

struct TypeAnalysis::Implementation {
  Implementation(const llvm::Function &function, bool loose_types, BodyOf body_of, const TypeHints *hints,
                 Followed followed)
      : memory(function, body_of, followed), types(memory, hints), loose_types(loose_types),
        doubles_alone(computes_with_doubles_alone(*function.getParent())),
        doubles_alone_here(doubles_alone || computes_with_doubles_alone(memory.calls())) {}

  /// True when no float but a double that carries a derivative can be in the memory.
  bool holds_doubles_alone(NodeId node) const;

  MemoryClasses memory;
  TypeCollector types;
  bool loose_types;
  bool doubles_alone;      ///< In the whole program.
  bool doubles_alone_here; ///< In the function and what it calls; its caller may pass others.
};

} // namespace assay::engine
