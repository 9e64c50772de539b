#pragma once
// Two nights, case by case: the first link that changed of the chain from the seed to the verdict.
//
//   seed (in the case's name) -> inputs -> IR of the function -> gradients -> verdict

#include "cli/night/log.hpp"

namespace assay::cli {

struct CaseChange {
  enum class Kind { newly_failing, newly_passing, other_link, only_in_first, only_in_second };
  std::string id;
  Kind kind = Kind::other_link;
  std::string
      link; ///< In words, with what may have caused it: `same inputs and IR, other gradient: libm's exp differs`.
};

/// Of the machines and versions; empty: no difference that could matter.
std::string difference_of_places(const NightHead &first, const NightHead &second);

/// Of one case in two runs; empty where all links are the same.
std::string first_changed_link(const LoggedCase &first, const LoggedCase &second);

/// In the order of the names.
std::vector<CaseChange> changes(const NightRecords &first, const NightRecords &second);

} // namespace assay::cli
