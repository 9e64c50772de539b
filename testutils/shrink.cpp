#include "testutils/shrink.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

// How complicated a number reads; descent only goes down.
int complexity(double value) {
  if (value == 1)
    return 0;
  if (value == 0)
    return 1;
  if (value == std::round(value) && std::abs(value) <= 100)
    return 2 + static_cast<int>(std::abs(value)) + (value < 0);
  for (int digits = 1; digits <= 3; ++digits) {
    const double scaled = value * std::pow(10, digits);
    if (std::abs(scaled - std::round(scaled)) < 1e-9 * std::max(1.0, std::abs(scaled)))
      return 200 * digits;
  }
  return 1000;
}

Values simpler_values(double value) {
  Values candidates = {1,
                       0,
                       -1,
                       2,
                       0.5,
                       std::round(value),
                       std::trunc(value),
                       std::round(value * 10) / 10,
                       std::round(value * 100) / 100};
  std::erase_if(candidates, [&](double candidate) { return complexity(candidate) >= complexity(value); });
  return candidates;
}

class Descent {
public:
  Descent(const Signature &signature, const std::function<bool(const Arguments &)> &still_fails, unsigned most_tries,
          Shrunk &shrunk)
      : signature(signature), still_fails(still_fails), most_tries(most_tries), shrunk(shrunk) {}

  void run() {
    for (std::size_t index = 0; index < signature.parameters.size(); ++index)
      if (may_change(signature.parameters[index]))
        simplify_whole(index);
    bool progress = true;
    while (progress && shrunk.tries < most_tries) {
      progress = false;
      for (std::size_t index = 0; index < signature.parameters.size(); ++index)
        if (may_change(signature.parameters[index]))
          for (std::size_t element = 0; element < shrunk.inputs[index].size(); ++element)
            progress = simplify_element(index, element) || progress;
    }
  }

private:
  bool attempt(Arguments candidate) {
    if (shrunk.tries >= most_tries || same_bits(candidate, shrunk.inputs))
      return false;
    ++shrunk.tries;
    if (!still_fails(candidate))
      return false;
    ++shrunk.shrinks;
    shrunk.inputs = std::move(candidate);
    return true;
  }

  void simplify_whole(std::size_t index) {
    const Parameter &parameter = signature.parameters[index];
    const auto transformed = [&](auto change) {
      Arguments candidate = shrunk.inputs;
      for (std::size_t element = 0; element < candidate[index].size(); ++element) {
        double &value = candidate[index][element];
        const double changed = rounded_to(parameter.element_type(element), change(value));
        if (contains(parameter.domain, changed) && complexity(changed) < complexity(value))
          value = changed;
      }
      return candidate;
    };
    (void)(attempt(transformed([](double) { return 1.0; })) ||
           attempt(transformed([](double value) { return std::round(value); })) ||
           attempt(transformed([](double value) { return std::round(value * 10) / 10; })));
  }

  bool simplify_element(std::size_t index, std::size_t element) {
    const Parameter &parameter = signature.parameters[index];
    for (const double simpler : simpler_values(shrunk.inputs[index][element])) {
      const double changed = rounded_to(parameter.element_type(element), simpler);
      if (!contains(parameter.domain, changed))
        continue;
      Arguments candidate = shrunk.inputs;
      candidate[index][element] = changed;
      if (attempt(std::move(candidate)))
        return true;
    }
    return false;
  }

  const Signature &signature;
  const std::function<bool(const Arguments &)> &still_fails;
  unsigned most_tries;
  Shrunk &shrunk;
};

} // namespace

Shrunk shrink_inputs(const Signature &signature, const Arguments &failing,
                     const std::function<bool(const Arguments &)> &still_fails, unsigned most_tries) {
  Shrunk shrunk{failing};
  Descent(signature, still_fails, most_tries, shrunk).run();
  return shrunk;
}

bool may_change(const Parameter &parameter) {
  return parameter.fixed.empty() && parameter.element != ElementType::integer &&
         parameter.domain.structure == gen::Structure::none && parameter.domain.step == 0;
}

} // namespace assay::testutils
