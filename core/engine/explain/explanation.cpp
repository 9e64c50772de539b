#include "core/engine/explain/explanation.hpp"

namespace assay::engine {

const char *name_of(ExplainedStorage storage) {
  switch (storage) {
  case ExplainedStorage::unread:
    return "not read";
  case ExplainedStorage::direct:
    return "still there";
  case ExplainedStorage::recompute:
    return "recomputed";
  case ExplainedStorage::closed_form:
    return "closed form";
  case ExplainedStorage::iteration:
    return "iteration counter";
  case ExplainedStorage::frame:
    return "in the frame";
  case ExplainedStorage::restored:
    return "restored";
  case ExplainedStorage::tape:
    return "taped";
  }
  return "";
}

} // namespace assay::engine
