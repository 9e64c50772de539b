// Integers are found on demand, so the order of the parameters does not matter: what one names is found first.

#include "core/jit/resolve_arguments.hpp"

#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::jit {

namespace {

/// A range from which nothing can be drawn.
struct EmptyRange {};

template <typename T>
void take_point(std::vector<T> &values, std::vector<std::vector<T>> &further, std::size_t point) {
  if (point > 0 && !further.empty())
    values = further[std::min(point, further.size()) - 1];
  further.clear();
}

class Resolution {
public:
  Resolution(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs, std::size_t point,
             const ChooseInteger &choose)
      : function_(function), specs_(specs), choose_(choose), states_(specs.size(), State::unknown) {
    for (ArgumentSpec &spec : specs_) {
      take_point(spec.reals, spec.further_reals, point);
      take_point(spec.integers, spec.further_integers, point);
    }
  }

  std::vector<ArgumentSpec> run() {
    for (std::size_t index = 0; index < specs_.size(); ++index)
      if (is_scalar_integer(index))
        integer_at(index);
    for (std::size_t index = 0; index < specs_.size(); ++index) {
      fix_extents(index);
      fix_elements(index);
      fix_alias(index);
    }
    return std::move(specs_);
  }

private:
  enum class State : std::uint8_t { unknown, in_work, known };

  bool is_scalar_integer(std::size_t index) const {
    return !specs_[index].is_pointer() && !is_real(specs_[index].type) && !function_.parameters[index].is_callable;
  }

  [[noreturn]] void fail(std::size_t index, const std::string &problem) const {
    throw BadRequest(fmt::format("--arg '{}' of parameter {} of {} ('{}'): {}", to_string(specs_[index]), index + 1,
                                 function_.name, function_.parameters[index].name, problem));
  }

  std::size_t index_of(const std::string &name, std::size_t user) const {
    for (std::size_t index = 0; index < specs_.size(); ++index) {
      const bool is_named = name == function_.parameters[index].name || name == fmt::format("${}", index + 1);
      if (is_named && is_scalar_integer(index))
        return index;
    }
    const std::vector<std::string> names = integer_names(function_);
    fail(user,
         fmt::format("there is no integer parameter '{}'; {}", name,
                     names.empty() ? "the function has none" : fmt::format("there are {}", fmt::join(names, ", "))));
  }

  std::int64_t value(const IntegerFormula &formula, std::size_t user) {
    try {
      return formula.value([&](const std::string &name) { return integer_at(index_of(name, user)); });
    } catch (const std::range_error &error) {
      fail(user, fmt::format("'{}': {}{}", formula.text(), error.what(), drawn()));
    }
  }

  /// ` where n = 3, lda = 4`
  std::string drawn() const {
    std::vector<std::string> texts;
    for (std::size_t index = 0; index < specs_.size(); ++index)
      if (is_scalar_integer(index) && states_[index] == State::known)
        texts.push_back(fmt::format("{} = {}", function_.parameters[index].name, specs_[index].integers.front()));
    return texts.empty() ? "" : fmt::format(" where {}", fmt::join(texts, ", "));
  }

  std::int64_t integer_at(std::size_t index) {
    ArgumentSpec &spec = specs_[index];
    if (states_[index] == State::in_work)
      fail(index, "its value depends on itself");
    if (states_[index] == State::known)
      return spec.integers.front();
    states_[index] = State::in_work;
    if (spec.range) {
      const std::int64_t low = value(spec.range->low, index), high = value(spec.range->high, index);
      if (low > high)
        throw EmptyRange();
      spec.integers = {choose_(index, low, high)};
      spec.range.reset();
    } else if (!spec.choices.empty()) {
      spec.integers = {chosen(index)};
      spec.choices.clear();
    } else if (spec.computed) {
      spec.integers = {value(*spec.computed, index)};
      spec.computed.reset();
    }
    if (!has_value(spec.type, spec.integers.front()))
      fail(index, misfit(spec.type, spec.integers.front()));
    states_[index] = State::known;
    return spec.integers.front();
  }

  /// Of a set, the number next to one that is drawn between its ends.
  std::int64_t chosen(std::size_t index) {
    const std::vector<IntegerFormula> choices = specs_[index].choices;
    std::vector<std::int64_t> values;
    for (const IntegerFormula &choice : choices)
      values.push_back(value(choice, index));
    const auto [least, greatest] = std::ranges::minmax(values);
    const std::int64_t drawn = choose_(index, least, greatest);
    const auto distance = [drawn](std::int64_t value) {
      return value < drawn ? static_cast<std::uint64_t>(drawn) - static_cast<std::uint64_t>(value)
                           : static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(drawn);
    };
    return *std::ranges::min_element(values, {}, distance);
  }

  void fix_alias(std::size_t index) {
    if (!specs_[index].alias)
      return;
    const std::int64_t offset = value(specs_[index].alias->offset, index);
    if (offset < 0)
      fail(index, fmt::format("the offset '{}' is {}{}", specs_[index].alias->offset.text(), offset, drawn()));
    specs_[index].alias->offset = IntegerFormula(offset);
  }

  void fix_extents(std::size_t index) {
    if (specs_[index].formulas.empty())
      return;
    std::vector<std::size_t> extents;
    std::size_t elements = 1;
    for (const IntegerFormula &formula : specs_[index].formulas) {
      const std::int64_t extent = value(formula, index);
      if (extent < 0)
        fail(index, fmt::format("the extent '{}' is {}{}; begin the range of an integer higher, or write max(0, {})",
                                formula.text(), extent, drawn(), formula.text()));
      extents.push_back(static_cast<std::size_t>(extent));
      if (extents.back() != 0 && elements > most_elements / extents.back())
        fail(index, fmt::format("more than {} elements{}", most_elements, drawn()));
      elements *= extents.back();
    }
    specs_[index].extents = std::move(extents);
    specs_[index].formulas.clear();
  }

  void fix_elements(std::size_t index) {
    ArgumentSpec &spec = specs_[index];
    if (!spec.is_pointer())
      return;
    if (spec.computed) {
      spec.integers = {value(*spec.computed, index)};
      spec.computed.reset();
    }
    if (spec.range) {
      const std::int64_t low = value(spec.range->low, index), high = value(spec.range->high, index);
      if (low > high && spec.elements() > 0)
        throw EmptyRange();
      spec.range = IntegerRange{IntegerFormula(low), IntegerFormula(std::max(low, high))};
    }
    const std::size_t given = spec.reals.size(), elements = spec.elements();
    if (given > 1 && given != elements)
      fail(index, fmt::format("{} values for {} elements{}", given, elements, drawn()));
  }

  const FunctionSignature &function_;
  std::vector<ArgumentSpec> specs_;
  const ChooseInteger &choose_;
  std::vector<State> states_;
};

} // namespace

bool is_open(const ArgumentSpec &spec) {
  const auto names_something = [](const IntegerRange &range) {
    return !range.low.is_constant() || !range.high.is_constant();
  };
  const bool is_drawn = spec.range && (!spec.is_pointer() || names_something(*spec.range));
  const bool has_open_place = spec.alias && !spec.alias->offset.is_constant();
  return is_drawn || has_open_place || !spec.choices.empty() || spec.computed || !spec.formulas.empty() ||
         spec.points() > 1;
}

std::vector<std::string> integer_names(const FunctionSignature &function) {
  std::vector<std::string> names;
  for (const ParameterType &parameter : function.parameters)
    if (parameter.kind == ParameterType::Kind::integer && !parameter.is_callable)
      names.push_back(parameter.name);
  return names;
}

std::optional<std::vector<ArgumentSpec>> resolve_arguments(const FunctionSignature &function,
                                                           const std::vector<ArgumentSpec> &specs, std::size_t point,
                                                           const ChooseInteger &choose) {
  try {
    return Resolution(function, specs, point, choose).run();
  } catch (const EmptyRange &) {
    return std::nullopt;
  }
}

} // namespace assay::jit
