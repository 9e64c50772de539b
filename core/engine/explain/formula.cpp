#include "core/engine/explain/formula.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace assay::engine {

Formula Formula::symbol(std::string name) {
  Formula result(Kind::symbol, {});
  result.symbol_ = std::move(name);
  return result;
}

Formula Formula::quotient(Formula dividend, Formula divisor) {
  const std::optional<std::int64_t> one = dividend.constant(), other = divisor.constant();
  if (one && other && *other > 0)
    return {*one / *other};
  if (dividend.kind_ == Kind::sum && other && *other > 0) // (a - 32) / 32 is a / 32 - 1
    if (const std::optional<std::int64_t> last = dividend.parts_.back().constant(); last && *last % *other == 0)
      return quotient(dividend + Formula(-*last), std::move(divisor)) + Formula(*last / *other);
  return {Kind::quotient, {std::move(dividend), std::move(divisor)}};
}

Formula Formula::largest(std::vector<Formula> parts) {
  return {Kind::largest, std::move(parts)};
}

Formula Formula::smallest(std::vector<Formula> parts) {
  return {Kind::smallest, std::move(parts)};
}

Formula Formula::series(Formula term, const std::string &name, Formula end) {
  if (!term.mentions(name))
    return end * term;
  Formula result(Kind::series, {std::move(term), std::move(end)});
  result.symbol_ = name;
  return result;
}

std::optional<std::int64_t> Formula::constant() const {
  return kind_ == Kind::number ? std::optional(number_) : std::nullopt;
}

bool Formula::mentions(StringRef name) const {
  return (kind_ == Kind::symbol && symbol_ == name) ||
         any_of(parts_, [&](const Formula &part) { return part.mentions(name); });
}

std::pair<std::int64_t, Formula> Formula::split_factor() const {
  if (kind_ == Kind::number)
    return {number_, Formula(1)};
  const std::optional<std::int64_t> front = kind_ == Kind::product ? parts_.front().constant() : std::nullopt;
  if (!front)
    return {1, *this};
  std::vector<Formula> rest(std::next(parts_.begin()), parts_.end());
  return {*front, rest.size() == 1 ? rest.front() : Formula(Kind::product, std::move(rest))};
}

Formula operator+(const Formula &one, const Formula &other) {
  std::vector<std::pair<std::int64_t, Formula>> terms; // numbers last
  std::int64_t number = 0;
  const auto add = [&](const Formula &term) {
    const auto [factor, rest] = term.split_factor();
    if (rest.constant()) {
      number += factor;
      return;
    }
    const auto found = find_if(terms, [&rest = rest](const auto &known) { return known.second == rest; });
    if (found == terms.end())
      terms.emplace_back(factor, rest);
    else
      found->first += factor;
  };
  for (const Formula *side : {&one, &other})
    if (side->kind_ == Formula::Kind::sum)
      for (const Formula &part : side->parts_)
        add(part);
    else
      add(*side);
  std::vector<Formula> parts;
  for (const bool negative : {false, true})
    for (const auto &[factor, rest] : terms)
      if (factor != 0 && (factor < 0) == negative)
        parts.push_back(Formula(factor) * rest);
  if (number != 0 || parts.empty())
    parts.emplace_back(number);
  return parts.size() == 1 ? parts.front() : Formula(Formula::Kind::sum, std::move(parts));
}

Formula operator*(const Formula &one, const Formula &other) {
  const auto [left_factor, left] = one.split_factor();
  const auto [right_factor, right] = other.split_factor();
  const std::int64_t factor = left_factor * right_factor;
  if (factor == 0)
    return {0};
  std::vector<Formula> parts;
  if (factor != 1)
    parts.emplace_back(factor);
  for (const Formula *side : {&left, &right}) {
    if (side->kind_ == Formula::Kind::product)
      parts.insert(parts.end(), side->parts_.begin(), side->parts_.end());
    else if (side->constant() != 1)
      parts.push_back(*side);
  }
  if (parts.empty())
    return {1};
  return parts.size() == 1 ? parts.front() : Formula(Formula::Kind::product, std::move(parts));
}

std::optional<std::int64_t> Formula::evaluate(function_ref<std::optional<std::int64_t>(StringRef)> value_of) const {
  constexpr std::int64_t longest_series = 1 << 20;
  if (kind_ == Kind::number)
    return number_;
  if (kind_ == Kind::symbol)
    return value_of(symbol_);
  if (kind_ == Kind::series) {
    const std::optional<std::int64_t> end = parts_[1].evaluate(value_of);
    if (!end || *end > longest_series)
      return std::nullopt;
    std::int64_t total = 0;
    for (std::int64_t index = 0; index < *end; ++index) {
      const std::optional<std::int64_t> term =
          parts_[0].evaluate([&](StringRef name) { return name == symbol_ ? std::optional(index) : value_of(name); });
      if (!term || AddOverflow(total, *term, total))
        return std::nullopt;
    }
    return total;
  }
  std::optional<std::int64_t> result;
  for (const Formula &part : parts_) {
    const std::optional<std::int64_t> value = part.evaluate(value_of);
    if (!value)
      return std::nullopt;
    if (!result) {
      result = value;
      continue;
    }
    if (kind_ == Kind::quotient && *value <= 0)
      return std::nullopt;
    std::int64_t combined = 0;
    if (kind_ == Kind::sum ? AddOverflow(*result, *value, combined)
                           : kind_ == Kind::product && MulOverflow(*result, *value, combined))
      return std::nullopt;
    if (kind_ == Kind::quotient)
      combined = *result / *value;
    else if (kind_ == Kind::largest)
      combined = std::max(*result, *value);
    else if (kind_ == Kind::smallest)
      combined = std::min(*result, *value);
    result = combined;
  }
  return result;
}

std::string Formula::text_within_product() const {
  const bool needs_brackets = kind_ == Kind::sum || kind_ == Kind::quotient || kind_ == Kind::series;
  return needs_brackets ? "(" + text() + ")" : text();
}

std::string Formula::text() const {
  const auto list = [&](const char *name) {
    return name + ("(" + join(map_range(parts_, [](const Formula &part) { return part.text(); }), ", ") + ")");
  };
  switch (kind_) {
  case Kind::number:
    return std::to_string(number_);
  case Kind::symbol:
    return symbol_;
  case Kind::product:
    return join(map_range(parts_, [](const Formula &part) { return part.text_within_product(); }), " * ");
  case Kind::quotient:
    return parts_[0].text_within_product() + " / " + parts_[1].text_within_product();
  case Kind::largest:
    return list("max");
  case Kind::smallest:
    return list("min");
  case Kind::series:
    return "sum of " + parts_[0].text_within_product() + " over " + symbol_ + " < " + parts_[1].text();
  case Kind::sum:
    break;
  }
  std::string text;
  for (const Formula &part : parts_) {
    const auto [factor, rest] = part.split_factor();
    if (text.empty())
      text = part.kind_ == Kind::series ? part.text_within_product() : part.text();
    else if (factor < 0)
      text += " - " + (Formula(-factor) * rest).text_within_product();
    else
      text += " + " + part.text_within_product();
  }
  return text;
}

} // namespace assay::engine
