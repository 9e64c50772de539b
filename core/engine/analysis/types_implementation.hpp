#pragma once
// What TypeAnalysis keeps; shared with the activity analysis, which works on the same memory classes.

#include "core/engine/analysis/type_collector.hpp"

namespace assay::engine {

struct TypeAnalysis::Implementation {
  Implementation(llvm::Function &function, bool loose_types, BodyOf body_of)
      : memory(function, body_of), types(memory), loose_types(loose_types) {}

  MemoryClasses memory;
  TypeCollector types;
  bool loose_types;
};

} // namespace assay::engine
