#include "core/engine/tidy/own_sums.hpp"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace assay::engine {

std::optional<std::int64_t> Counters::most(const Value &counter) const {
  const ConstantRange range = evolution_.getSignedRange(evolution_.getSCEV(const_cast<Value *>(&counter)));
  if (range.isFullSet() || range.getSignedMin().isNegative() || range.getSignedMax().ugt(1U << 20U))
    return std::nullopt;
  return range.getSignedMax().getSExtValue();
}

bool is_uniform(const ThreadTerm &term) {
  return term.count(Symbol::thread) == 0 && term.count(Symbol::block) == 0 && term.count(Symbol::counter) == 0;
}

std::optional<std::int64_t> multiple_in(const ThreadOffset &bytes) {
  std::optional<std::int64_t> multiple;
  for (const ThreadTerm &term : bytes.terms())
    if (term.count(Symbol::thread) != 0) {
      if (multiple || term.factors.size() != 1 || term.number <= 0)
        return std::nullopt;
      multiple = term.number;
    }
  return multiple;
}

namespace {

/// Whether the term is a step over all threads of the block, so many times as a counter says.
bool is_step_of_block(const ThreadTerm &term, std::int64_t multiple) {
  return term.factors.size() == 2 && term.count(Symbol::counter) == 1 && term.count(Symbol::threads) == 1 &&
         term.number % multiple == 0;
}

/// Whether the term is a step over all threads of the launch, so many times as a counter says.
bool is_step_of_launch(const ThreadTerm &term, std::int64_t multiple) {
  return term.factors.size() == 3 && term.count(Symbol::counter) == 1 && term.count(Symbol::threads) == 1 &&
         term.count(Symbol::blocks) == 1 && term.number % multiple == 0;
}

class OwnSumReader {
public:
  OwnSumReader(const Counters &counters, const Bounds &bounds, std::int64_t multiple, std::int64_t size)
      : counters_(counters), bounds_(bounds) {
    own_.multiple = multiple;
    own_.segment = {0, size};
  }

  std::optional<OwnSum> read(const ThreadOffset &bytes) {
    for (const ThreadTerm &term : bytes.terms())
      if (!take(term))
        return std::nullopt;
    const std::int64_t constant = own_.shift.constant();
    const std::int64_t within = ((constant % own_.multiple) + own_.multiple) % own_.multiple;
    own_.shift.add({-within, {}});
    own_.segment.low += within;
    own_.segment.high += within;
    ThreadOffset launch = ThreadOffset::symbol(Symbol::threads).times(ThreadOffset(own_.multiple));
    const bool is_whole = own_.row == launch && own_.shift == ThreadOffset(0);
    if (own_.segment.low < 0 || own_.segment.high > own_.multiple || (own_.goes_on && !is_whole) ||
        (own_.keeps_in_row && !is_below_end_of_row(bytes)))
      return std::nullopt;
    return own_;
  }

private:
  bool take(const ThreadTerm &term) {
    if (term.count(Symbol::thread) != 0)
      return true;
    if (term.count(Symbol::block) != 0) {
      const ThreadTerm rest = term.without(Symbol::block);
      own_.row.add(rest);
      return is_uniform(rest);
    }
    if (term.count(Symbol::counter) != 0)
      return take_counter(term);
    own_.shift.add(term);
    return true;
  }

  bool take_counter(const ThreadTerm &term) {
    if (is_step_of_launch(term, own_.multiple)) {
      own_.goes_on = true;
      return true;
    }
    if (is_step_of_block(term, own_.multiple)) {
      own_.keeps_in_row = true;
      return true;
    }
    if (term.factors.size() != 1)
      return false;
    const std::optional<std::int64_t> most = counters_.most(*term.factors.front().second);
    if (!most)
      return false;
    (term.number > 0 ? own_.segment.high : own_.segment.low) += term.number * *most;
    return true;
  }

  /// An index below n is known, and m * index is where the sum lies in a row of m * n.
  bool is_below_end_of_row(const ThreadOffset &bytes) const {
    const ThreadOffset multiple(own_.multiple);
    ThreadOffset in_row = bytes;
    in_row.add(own_.row.times(ThreadOffset::symbol(Symbol::block)), -1);
    return own_.shift == ThreadOffset(0) && any_of(bounds_, [&](const auto &bound) {
             return bound.second.times(multiple) == own_.row && bound.first.times(multiple) == in_row;
           });
  }

  const Counters &counters_;
  const Bounds &bounds_;
  OwnSum own_;
};

} // namespace

std::optional<OwnSum> read_own_sum(const ThreadOffset &bytes, std::int64_t multiple, std::int64_t size,
                                   const Counters &counters, const Bounds &bounds) {
  return OwnSumReader(counters, bounds, multiple, size).read(bytes);
}

} // namespace assay::engine
