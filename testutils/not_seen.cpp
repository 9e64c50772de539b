#include "testutils/not_seen.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

static std::string fixed_integers(const Signature &signature) {
  std::vector<std::string> fixed;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.element == ElementType::integer && !parameter.fixed.empty())
      fixed.push_back(parameter.extents.empty() ? fmt::format("{} = {}", parameter.name, parameter.fixed.front())
                                                : parameter.name);
  return fixed.empty() ? "" : fmt::format("integers are fixed: {}", fmt::join(fixed, ", "));
}

std::vector<std::string> not_seen(const Subject &subject) {
  const Signature &signature = subject.signature();
  std::vector<std::string> phrases;
  if (std::string integers = fixed_integers(signature); !integers.empty())
    phrases.push_back(std::move(integers));
  const auto is_buffer = [](const Parameter &parameter) { return parameter.passing == Passing::buffer; };
  if (std::count_if(signature.parameters.begin(), signature.parameters.end(), is_buffer) > 1)
    phrases.emplace_back("no two arguments share memory");
  for (std::string &phrase : subject.not_seen())
    phrases.push_back(std::move(phrase));
  if (!subject.has_derivatives_as_functions())
    phrases.emplace_back("no second order");
  return phrases;
}

} // namespace assay::testutils
