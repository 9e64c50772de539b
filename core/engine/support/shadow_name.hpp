#pragma once
// The names of shadows of globals. A global has one for tangents and one for adjoints, as forward mode may run between
// the halves of reverse mode, and as in a second derivative each has both. `g.assay_tangent` and `g.assay_shadow`
// belong to the first derivative of each mode; a derivative of what uses these has `g.assay_tangent2` and so on. Lanes
// k > 0 have `.k` behind it.

#include "core/engine/support/request.hpp"
#include "llvm/IR/GlobalVariable.h"
#include <optional>
#include <string>

namespace assay::engine {

/// Which of the shadows of a global is meant.
struct ShadowSet {
  bool tangents = false; ///< Else adjoints.
  unsigned order = 0;    ///< See `Options::order`.
  unsigned lane = 0;
  std::string suffix() const;
};

/// The shadows that lane `lane` of a derivative uses.
ShadowSet shadow_set(const Request &request, unsigned lane);

struct ShadowName {
  llvm::StringRef primal, suffix;
};

/// The parts of the name of a shadow that the engine made of a global.
std::optional<ShadowName> shadow_name(const llvm::GlobalVariable &global);

} // namespace assay::engine
