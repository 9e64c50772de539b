#pragma once
// The points of a run.

#include "testutils/run.hpp"

#include <map>
#include <memory>

namespace assay::testutils {

/// Given points, or random ones where the function is finite; each is made once and keeps its oracles.
class Points {
public:
  Points(Subject &subject, const CheckOptions &options) : subject(subject), options(options) {}

  /// How many points get every check.
  std::size_t count() const;

  /// Point number `sample`; a `replacement` above 0 is another one in its place.
  Stage &at(std::size_t sample, unsigned replacement);

  using Draw = Arguments (*)(const Signature &, const CheckOptions &, unsigned);

  /// Point `number` of those that `inputs` draws, where the function is finite; null where it cannot be run there.
  Stage *at_special(Draw inputs, unsigned sample);

  /// Number `number` of `CheckOptions::branch_points`.
  Stage &at_branch(std::size_t number, unsigned sample);

  Subject &asked() const { return subject; }
  Depth depth() const { return options.depth; }

  /// How many replacements a point has.
  unsigned replacements() const;

private:
  void announce(unsigned sample) const;
  bool has_random_parameter() const;
  bool may_be_run(const Arguments &inputs) const;
  std::unique_ptr<Stage> draw(unsigned sample, unsigned replacement);

  Subject &subject;
  const CheckOptions &options;
  std::map<std::pair<std::size_t, unsigned>, std::unique_ptr<Stage>> stages;
  std::map<std::pair<Draw, unsigned>, std::unique_ptr<Stage>> specials;
  std::map<std::pair<unsigned, Arguments>, std::unique_ptr<Stage>> branches; ///< By sample and inputs.
};

} // namespace assay::testutils
