#include "testutils/not_seen.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

static std::string fixed_integers(const Signature &signature) {
  std::vector<std::string> fixed;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.element == ElementType::integer && !parameter.fixed.empty() && parameter.element_paths.empty())
      fixed.push_back(parameter.extents.empty() ? fmt::format("{} = {}", parameter.name, parameter.fixed.front())
                                                : parameter.name);
  return fixed.empty() ? "" : fmt::format("integers are fixed: {}", fmt::join(fixed, ", "));
}

/// The place of an object without numbers is an integer that has a name of its own, which says how it is made.
static std::string objects_of_one_value(const Signature &signature) {
  std::vector<std::string> made;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.element == ElementType::integer && !parameter.element_paths.empty())
      made.push_back(parameter.element_paths.front());
  return made.empty() ? "" : fmt::format("one value alone of {}", fmt::join(made, ", "));
}

/// Memory of one type that the function does not promise to keep apart.
static std::string separate_memory(const Signature &signature) {
  std::vector<std::string> apart;
  for (const Parameter &parameter : signature.parameters) {
    const auto is_alike = [&](const Parameter &other) {
      return &other != &parameter && other.passing == Passing::buffer && other.may_be_shared &&
             other.element == parameter.element;
    };
    if (parameter.passing == Passing::buffer && parameter.may_be_shared &&
        std::any_of(signature.parameters.begin(), signature.parameters.end(), is_alike))
      apart.push_back(parameter.name);
  }
  return apart.empty() ? "" : fmt::format("{} share no memory", fmt::join(apart, ", "));
}

std::vector<std::string> not_seen(const Subject &subject) {
  const Signature &signature = subject.signature();
  std::vector<std::string> phrases;
  for (std::string phrase : {fixed_integers(signature), objects_of_one_value(signature), separate_memory(signature)})
    if (!phrase.empty())
      phrases.push_back(std::move(phrase));
  for (std::string &phrase : subject.not_seen())
    phrases.push_back(std::move(phrase));
  if (!subject.has_derivatives_as_functions())
    phrases.emplace_back("no second order");
  return phrases;
}

} // namespace assay::testutils
