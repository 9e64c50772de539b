#pragma once
// A number of a run in words: what it is, where, and whose fault its derivative is.

#include <assay/testing/record.hpp>
#include <assay/testing/trace.hpp>

namespace assay::testutils {

class NamesOfNumbers {
public:
  /// All of these must outlive it; `plain` may still be filled.
  NamesOfNumbers(const std::vector<TraceSite> &sites, const Trace &plain, Mode mode)
      : sites(sites), plain(plain), mode(mode) {}

  FirstWrong first_wrong(std::size_t index, const Comparison &comparison) const;

  /// All numbers have right derivatives, and yet the whole is wrong: a call that cannot be seen into used memory.
  std::optional<FirstWrong> behind_all_numbers() const;

private:
  std::string call_that_wrote(std::size_t index) const;
  std::string call_that_reads(std::size_t index) const;
  std::string in_words(const Trace::Mark &mark) const;

  const std::vector<TraceSite> &sites;
  const Trace &plain;
  Mode mode;
};

} // namespace assay::testutils
