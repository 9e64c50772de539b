#include "testutils/first_wrong.hpp"

#include "testutils/place_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace assay::testutils {

static std::string_view derivative_in(Mode mode) {
  return mode == Mode::forward ? "tangent" : "adjoint";
}

std::string NamesOfNumbers::in_words(const Trace::Mark &mark) const {
  return fmt::format("{} {}", sites[mark.site].what, at_place(sites[mark.site].place));
}

// A loaded number: the last call between the store to its place, if there is one, and the load.
std::string NamesOfNumbers::call_that_wrote(std::size_t index) const {
  const Trace::Number &number = plain.numbers[index];
  if (number.address == 0)
    return {};
  std::size_t stored = index;
  while (stored > 0 && !(plain.numbers[stored - 1].address == number.address &&
                         sites[plain.numbers[stored - 1].site].kind == TraceSite::Kind::stored))
    --stored;
  std::string call;
  for (const Trace::Mark &mark : plain.marks)
    if (mark.position >= stored && mark.position <= index)
      call = in_words(mark);
  return call;
}

// A stored number: the first call before its place is stored to again.
std::string NamesOfNumbers::call_that_reads(std::size_t index) const {
  const Trace::Number &number = plain.numbers[index];
  if (number.address == 0)
    return {};
  std::size_t end = index + 1;
  while (end < plain.numbers.size() && !(plain.numbers[end].address == number.address &&
                                         sites[plain.numbers[end].site].kind == TraceSite::Kind::stored))
    ++end;
  for (const Trace::Mark &mark : plain.marks)
    if (mark.position > index && mark.position <= end)
      return in_words(mark);
  return {};
}

FirstWrong NamesOfNumbers::first_wrong(std::size_t index, const Comparison &comparison) const {
  const Trace::Number &number = plain.numbers[index];
  const TraceSite &site = sites[number.site];
  const auto same_site = [&](const Trace::Number &other) { return other.site == number.site; };
  const auto here = plain.numbers.begin() + static_cast<std::ptrdiff_t>(index) + 1;
  FirstWrong first;
  first.what = fmt::format("the {} of {}", derivative_in(mode), site.what);
  first.place = site.place;
  first.derivative = comparison.ad;
  first.expected = comparison.expected;
  first.execution = static_cast<std::size_t>(std::count_if(plain.numbers.begin(), here, same_site));
  first.executions = static_cast<std::size_t>(std::count_if(plain.numbers.begin(), plain.numbers.end(), same_site));
  if (mode == Mode::forward && site.kind == TraceSite::Kind::loaded)
    if (const std::string call = call_that_wrote(index); !call.empty())
      first.what += ", written by " + call;
  if (mode == Mode::reverse && site.kind == TraceSite::Kind::stored)
    if (const std::string call = call_that_reads(index); !call.empty())
      first.what += ", read by " + call;
  return first;
}

std::optional<FirstWrong> NamesOfNumbers::behind_all_numbers() const {
  if (plain.marks.empty())
    return std::nullopt;
  const TraceSite &site = sites[mode == Mode::forward ? plain.marks.back().site : plain.marks.front().site];
  FirstWrong first;
  first.what = fmt::format("the {} of memory that {} uses", derivative_in(mode), site.what);
  first.place = site.place;
  first.derivative = first.expected = std::numeric_limits<double>::quiet_NaN();
  return first;
}

} // namespace assay::testutils
