#include "testutils/primal_spread.hpp"

#include "testutils/rounding_mode.hpp"
#include "testutils/spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::testutils {

static void widen(Values &spread, const Values &values, const Values &others) {
  for (std::size_t element = 0; element < std::min({spread.size(), values.size(), others.size()}); ++element) {
    const double apart = same_bits(values[element], others[element]) ? 0 : std::abs(values[element] - others[element]);
    spread[element] = std::max(spread[element],
                               std::isnan(apart) ? std::numeric_limits<double>::infinity() : margin_of_spread * apart);
  }
}

PrimalSpread::PrimalSpread(Subject &subject, const Point &point) : point_(point), result_(point.primal.result.size()) {
  constexpr unsigned moved_calls = 4;
  for (const Values &values : point.primal.contents)
    contents_.emplace_back(values.size());
  const auto try_call = [&](const Arguments &inputs, int mode) {
    try {
      const RoundingMode rounding(mode);
      widen_by(subject.evaluate(inputs));
    } catch (const SubjectError &) { // The function does not go there.
    }
  };
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
    try_call(point.inputs, mode);
  for (unsigned call = 0; call < moved_calls; ++call)
    try_call(moved_to_neighbours(point.inputs, subject.signature(), call), FE_TONEAREST);
}

void PrimalSpread::widen_by(const PrimalOutcome &other) {
  widen(result_, point_.primal.result, other.result);
  for (std::size_t index = 0; index < std::min(contents_.size(), other.contents.size()); ++index)
    widen(contents_[index], point_.primal.contents[index], other.contents[index]);
}

double PrimalSpread::at(const Place &place) const {
  return place.parameter ? contents_[*place.parameter][place.element] : result_[place.element];
}

} // namespace assay::testutils
