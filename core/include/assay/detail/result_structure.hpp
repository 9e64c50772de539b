#pragma once
// The shadow of a result that a differentiated function made: sizes and flags beside the numbers come from the primal.

#include "assay/detail/traverse/numbers.hpp"

#include <stdexcept>
#include <vector>

namespace assay::detail {
template <class R>
void adopt_structure(const R & /*primal*/, R & /*shadow*/) {}

/// Adds the numbers of `addend` to those of `sum`, which has the same shape.
template <class R>
void add_numbers(const R &addend, R &sum) {
  std::vector<number_of<R>> numbers;
  for_each_number(addend,
                  [&](const auto &number, const Path &) { numbers.push_back(static_cast<number_of<R>>(number)); });
  std::size_t next = 0;
  for_each_number(sum, [&]<class Number>(Number &number, const Path &) {
    if (next < numbers.size())
      number += static_cast<Number>(numbers[next]);
    ++next;
  });
  if (next != numbers.size())
    throw std::invalid_argument("assay: a result with " + std::to_string(next) + " numbers has a seed with " +
                                std::to_string(numbers.size()));
}
} // namespace assay::detail
