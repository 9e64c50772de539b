#include "core/jit/argument_spec.hpp"
#include "core/jit/domain_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::jit {

namespace {

/// Around an x that may not become part of a name.
std::string extents_text(const ArgumentSpec &spec) {
  if (spec.formulas.empty())
    return fmt::format("[{}]", fmt::join(spec.extents, "x"));
  std::vector<std::string> texts;
  for (const IntegerFormula &formula : spec.formulas)
    texts.push_back(formula.text());
  return fmt::format("[{}]", fmt::join(texts, " x "));
}

std::string choices_text(const std::vector<IntegerFormula> &choices) {
  std::vector<std::string> texts;
  for (const IntegerFormula &choice : choices)
    texts.push_back(choice.text());
  return texts.empty() ? "" : fmt::format("={{{}}}", fmt::join(texts, ","));
}

std::string alias_text(const Alias &alias) {
  return fmt::format(" alias={}{}", alias.of,
                     alias.offset == IntegerFormula(0) ? "" : fmt::format("+{}", alias.offset.text()));
}

template <typename T>
std::string values_text(const std::vector<T> &first, const std::vector<std::vector<T>> &further) {
  if (first.empty())
    return "";
  std::string text = fmt::format("={}", fmt::join(first, ","));
  for (const std::vector<T> &values : further)
    text += fmt::format(";{}", fmt::join(values, ","));
  return text;
}

} // namespace

std::string to_string(const ArgumentSpec &spec) {
  if (!spec.object.empty())
    return spec.object;
  std::string text = spec.constant ? "const " : "";
  if (!spec.file.empty())
    return fmt::format("{}{}{}file={}", text, spec.has_type ? name_of(spec.type) : "", spec.has_type ? " " : "",
                       spec.file);
  text += name_of(spec.type);
  if (spec.is_pointer())
    text += extents_text(spec);
  text += values_text(spec.reals, spec.further_reals) + values_text(spec.integers, spec.further_integers);
  if (spec.range)
    text += fmt::format("={}..{}", spec.range->low.text(), spec.range->high.text());
  if (spec.computed)
    text += "=" + spec.computed->text();
  text += choices_text(spec.choices);
  if (spec.alias)
    text += alias_text(*spec.alias);
  return text + to_string(spec.domain);
}

} // namespace assay::jit
