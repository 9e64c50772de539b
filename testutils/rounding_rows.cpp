#include "testutils/rounding_rows.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

bool fails(const Comparison &row) {
  return !std::isnan(row.tolerance) && !(row.absolute_error <= row.tolerance);
}

bool may_be_rounding(const std::vector<Comparison> &rows, const Spread &spread) {
  return std::all_of(rows.begin(), rows.end(), [&](const Comparison &row) {
    return !fails(row) || row.absolute_error <= row.tolerance + spread.at(row.place);
  });
}

} // namespace assay::testutils
