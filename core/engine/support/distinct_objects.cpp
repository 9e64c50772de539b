#include "core/engine/support/distinct_objects.hpp"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace assay::engine {

/// Empty where one of them is not known, or where they are many.
static SmallVector<const Value *, 4> identified_objects(const Value &pointer) {
  constexpr unsigned most = 16;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, nullptr, 0);
  if (objects.size() > most || !all_of(objects, isIdentifiedObject))
    objects.clear();
  return objects;
}

bool lead_to_distinct_objects(const Value &one, const Value &other) {
  const SmallVector<const Value *, 4> objects = identified_objects(one);
  if (objects.empty())
    return false;
  const SmallVector<const Value *, 4> others = identified_objects(other);
  return !others.empty() && none_of(objects, [&](const Value *object) { return is_contained(others, object); });
}

} // namespace assay::engine
