#pragma once
// The records of one function, in the order in which they came.

#include "reports/record.hpp"

namespace assay::reports {

struct FunctionGroup {
  std::string file;
  std::string function;
  std::vector<const Record *> records;
  Totals totals;
  std::size_t caught = 0; ///< Planted failures that were found.
};

std::vector<FunctionGroup> group_by_function(const std::vector<Record> &records);

/// `reverse: f(Duplicated x, Const n) -> Active`.
std::string combination_text(const Record &record);

} // namespace assay::reports
