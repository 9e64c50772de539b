#include "testutils/scanned_inputs.hpp"
#include "testutils/domains.hpp"
#include "testutils/numbers.hpp"

#include <assay/generators/stream.hpp>

#include <cmath>
#include <numeric>

namespace assay::testutils {

namespace {

/// The parts of a domain, of one number after the other, that a scan of `count` points meets in an order of its own:
/// each number is in each part once (M. D. McKay, R. J. Beckman, W. J. Conover, "A comparison of three methods for
/// selecting values of input variables in the analysis of output from a computer code", 1979).
class LatinParts {
public:
  LatinParts(const CheckOptions &options, const std::string &name)
      : count_(std::max(options.scanned_samples, 1U)),
        order_({.seed = options.seed, .suite = options.suite, .name = name, .purpose = "scan order"}) {}

  /// Which part the next number is in at point `number`.
  std::int64_t next(std::int64_t number) {
    const std::int64_t begin = order_.integer(0, count_ - 1);
    std::int64_t step = 1;
    do
      step = order_.integer(1, count_);
    while (std::gcd(step, count_) != 1);
    return (begin + number % count_ * step) % count_;
  }
  double within(std::int64_t part, double uniform) const {
    return (static_cast<double>(part) + uniform) / static_cast<double>(count_);
  }

private:
  std::int64_t count_;
  gen::Stream order_;
};

} // namespace

Arguments scanned_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  constexpr unsigned attempt_bits = 16; // Of a sample's number: Points::at_special.
  Arguments inputs = random_inputs(signature, options, sample);
  const std::string name = options.name.empty() ? signature.function : options.name;
  LatinParts parts(options, name);
  gen::Stream stream({.seed = options.seed, .suite = options.suite, .name = name, .purpose = "scan", .index = sample});
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    const Domain &domain = parameter.domain;
    if (!parameter.fixed.empty() || parameter.element == ElementType::integer ||
        domain.structure != gen::Structure::none || !std::isfinite(domain.low) || !std::isfinite(domain.high))
      continue;
    for (std::size_t element = 0; element < inputs[index].size(); ++element) {
      const double part = parts.within(parts.next(sample >> attempt_bits), stream.uniform());
      const double value = rounded_to(parameter.element_type(element), in_steps(domain, value_at(domain, part)));
      if (contains(domain, value)) // else it stays random
        inputs[index][element] = value;
    }
  }
  return inputs;
}

} // namespace assay::testutils
