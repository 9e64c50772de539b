#include "testutils/along_direction.hpp"

#include "testutils/shrink.hpp"

namespace assay::testutils {

double AlongDirection::weighted_sum(const Values &flat) const {
  double sum = 0;
  for (std::size_t index = 0; index < flat.size(); ++index)
    sum += weights_[index] == 0 ? 0 : weights_[index] * flat[index];
  return sum;
}

double AlongDirection::start() const {
  return weighted_sum(flat_outputs(point_.primal, point_.outputs));
}

std::optional<double> AlongDirection::at(double step) const {
  const Signature &signature = subject_.signature();
  Arguments moved = point_.inputs;
  for (std::size_t parameter = 0; parameter < direction_.size(); ++parameter)
    for (std::size_t element = 0; element < direction_[parameter].size(); ++element) {
      if (direction_[parameter][element] == 0)
        continue;
      moved[parameter][element] += step * direction_[parameter][element];
      if (!contains(signature.parameters[parameter].domain, moved[parameter][element]))
        return std::nullopt;
    }
  return weighted_sum(flat_outputs(subject_.evaluate(moved), point_.outputs));
}

} // namespace assay::testutils
