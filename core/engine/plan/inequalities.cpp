#include "core/engine/plan/inequalities.hpp"
#include "llvm/Analysis/ConstraintSystem.h"

using namespace llvm;

namespace assay::engine {

Inequalities::Owner Inequalities::owner(Atom atom, Side side) const {
  const Loop *home = forms_.home(atom);
  if (!home || is_contained(equal_, home))
    return Owner::both;
  return side == Side::load ? Owner::load : Owner::store;
}

unsigned Inequalities::column(Atom atom, Side side) {
  const auto key = std::pair(atom.getOpaqueValue(), unsigned(owner(atom, side)));
  columns_.insert({key, {atom, side}});
  return columns_.find(key) - columns_.begin();
}

void Inequalities::require(ArrayRef<Term> terms, std::int64_t constant) {
  Row row{constant, {}};
  for (const Term &term : terms) {
    row.constant += term.factor * term.form.constant;
    for (const auto &[atom, factor] : term.form.linear)
      row.factors[column(atom, term.side)] += term.factor * factor;
  }
  rows_.push_back(std::move(row));
}

void Inequalities::require_later(const Loop &loop, Side later) {
  IndexForm counter;
  counter.linear[&loop] = 1;
  const Side earlier = later == Side::load ? Side::store : Side::load;
  require({{counter, later}, {counter, earlier, -1}}, -1);
}

bool Inequalities::contradict(BoundOf bound_of) {
  constexpr unsigned most_columns = 24;
  for (unsigned index = 0; index < columns_.size(); ++index) {
    if (index == most_columns)
      return false;
    const auto [atom, side] = (columns_.begin() + index)->second;
    const auto *loop = dyn_cast<const Loop *>(atom);
    if (!loop)
      continue;
    IndexForm counter;
    counter.linear[atom] = 1;
    require({{counter, side}}, 0);
    if (const std::optional<IndexForm> &bound = bound_of(*loop); bound && bound->is_linear())
      require({{*bound, side}, {counter, side, -1}}, 0);
  }
  ConstraintSystem system;
  for (const Row &row : rows_) {
    SmallVector<std::int64_t, 16> numbers(columns_.size() + 1, 0);
    numbers[0] = row.constant;
    bool has_factor = false;
    for (const auto &[index, factor] : row.factors) {
      numbers[index + 1] = -factor;
      has_factor |= factor != 0;
    }
    if (!has_factor && row.constant < 0)
      return true;
    if (has_factor)
      system.addVariableRowFill(numbers);
  }
  return !system.mayHaveSolution();
}

} // namespace assay::engine
