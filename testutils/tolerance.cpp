#include "testutils/tolerance.hpp"

#include "testutils/numbers.hpp"
#include "testutils/point.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

static bool ends_a_step(char letter) {
  return std::string_view(".[]()-").find(letter) != std::string_view::npos;
}

bool names(std::string_view pattern, std::string_view path) {
  if (pattern.empty())
    return path.empty() || (ends_a_step(path.front()) && path.front() != ']' && path.front() != ')');
  if (pattern.front() != '*')
    return !path.empty() && path.front() == pattern.front() && names(pattern.substr(1), path.substr(1));
  for (std::size_t length = 0;; ++length) {
    if (names(pattern.substr(1), path.substr(length)))
      return true;
    if (length == path.size() || ends_a_step(path[length]))
      return false;
  }
}

/// An element as rules see it. Its path is only written where a rule asks for it.
class RuledElement {
public:
  RuledElement(const Parameter &parameter, std::size_t element) : parameter_(parameter), element_(element) {}

  bool fits(const ToleranceRule &rule) {
    if (rule.where == name_of(parameter_.element_type(element_)))
      return true;
    if (!path_)
      path_ = parameter_.element_path(element_);
    return names(rule.where, *path_);
  }

private:
  const Parameter &parameter_;
  std::size_t element_;
  std::optional<std::string> path_;
};

Tolerance tolerance_at(const Tolerance &tolerance, const Signature &signature, const Place &place) {
  Tolerance at;
  at.absolute = tolerance.absolute;
  at.relative = tolerance.relative;
  RuledElement element(parameter_at(signature, place), place.element);
  for (const ToleranceRule &rule : tolerance.rules) {
    if (!element.fits(rule))
      continue;
    at.absolute = rule.absolute ? rule.absolute : at.absolute;
    at.relative = rule.relative ? rule.relative : at.relative;
  }
  return at;
}

double scaled_absolute_tolerance(const Tolerance &own, ElementType type, double scale) {
  const double whole = absolute_tolerance(own, type);
  return own.absolute ? whole : whole * std::min(1.0, scale);
}

Tolerance loosest(const Tolerance &tolerance, const Signature &signature) {
  if (tolerance.rules.empty())
    return tolerance;
  const ElementType coarsest = coarsest_element(signature);
  double absolute = absolute_tolerance(tolerance, coarsest), relative = relative_tolerance(tolerance, coarsest);
  for (const ToleranceRule &rule : tolerance.rules) {
    absolute = std::max(absolute, rule.absolute.value_or(0));
    relative = std::max(relative, rule.relative.value_or(0));
  }
  Tolerance all = tolerance;
  all.absolute = absolute;
  all.relative = relative;
  all.rules.clear();
  return all;
}

/// The first few names that a rule could have meant.
static std::vector<std::string> element_names(const Signature &signature) {
  constexpr std::size_t most = 8;
  std::vector<std::string> all;
  const auto add = [&](const Parameter &parameter) {
    for (std::size_t element = 0; element < parameter.size() && all.size() <= most; ++element)
      all.push_back(all.size() == most ? "..." : parameter.element_path(element));
  };
  for (const Parameter &parameter : signature.parameters)
    add(parameter);
  if (signature.result)
    add(*signature.result);
  return all;
}

void require_fitting_rules(const Tolerance &tolerance, const Signature &signature) {
  const auto fits_any = [&](const ToleranceRule &rule, const Parameter &parameter) {
    for (std::size_t element = 0; element < parameter.size(); ++element)
      if (RuledElement(parameter, element).fits(rule))
        return true;
    return false;
  };
  for (const ToleranceRule &rule : tolerance.rules) {
    const bool is_known = std::any_of(signature.parameters.begin(), signature.parameters.end(),
                                      [&](const Parameter &parameter) { return fits_any(rule, parameter); }) ||
                          (signature.result && fits_any(rule, *signature.result));
    if (!is_known)
      throw std::invalid_argument(
          fmt::format("tolerances: no element of {} is called '{}' or has that type; there are {}", signature.function,
                      rule.where, fmt::join(element_names(signature), ", ")));
  }
}

} // namespace assay::testutils
