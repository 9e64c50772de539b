// A recursive-descent reader over a cursor; each step consumes what it understands and points to where it stopped.

#include "core/jit/argument_spec.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace assay::jit {

namespace {

struct ScalarName {
  std::string_view name;
  Scalar type;
  std::size_t size;
};
constexpr std::array<ScalarName, 4> scalar_names{{{"double", Scalar::real64, 8},
                                                  {"float", Scalar::real32, 4},
                                                  {"int", Scalar::integer32, 4},
                                                  {"long", Scalar::integer64, 8}}};

const ScalarName &entry(Scalar type) {
  return scalar_names[static_cast<std::size_t>(type)];
}

class Reader {
public:
  Reader(std::string_view text, const std::vector<std::string> &names) : text_(text), names_(names) {}

  ArgumentSpec read() {
    ArgumentSpec spec;
    skip_spaces();
    spec.constant = read_const();
    if (text_.substr(position_).starts_with("file=")) {
      spec.has_type = false;
      return with_file(std::move(spec));
    }
    spec.type = read_type();
    if (position_ < text_.size() && text_[position_] == ' ') {
      skip_spaces();
      if (text_.substr(position_).starts_with("file="))
        return with_file(std::move(spec));
    }
    if (accept('['))
      read_extents(spec);
    if (accept_alias())
      return with_alias(std::move(spec));
    if (accept('='))
      read_values(spec);
    if (accept(':'))
      spec.domain = read_domain();
    if (position_ != text_.size())
      fail("expected '[', '=', ':', 'alias=' or the end");
    check(spec);
    return spec;
  }

private:
  [[noreturn]] void fail(const std::string &problem) const { throw SpecError(text_, position_, problem); }
  [[noreturn]] void fail_at(std::size_t position, const std::string &problem) const {
    throw SpecError(text_, position, problem);
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ')
      ++position_;
  }

  bool accept(char expected) {
    skip_spaces();
    if (position_ == text_.size() || text_[position_] != expected)
      return false;
    ++position_;
    skip_spaces();
    return true;
  }

  void expect(char expected) {
    if (!accept(expected))
      fail(fmt::format("expected '{}'", expected));
  }

  std::string_view read_word() {
    const std::size_t begin = position_;
    while (position_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[position_])) || text_[position_] == '_'))
      ++position_;
    return text_.substr(begin, position_ - begin);
  }

  bool read_const() {
    const std::size_t begin = position_;
    if (read_word() == "const") {
      skip_spaces();
      return true;
    }
    position_ = begin;
    return false;
  }

  Scalar read_type() {
    const std::size_t begin = position_;
    const std::string_view word = read_word();
    for (const ScalarName &candidate : scalar_names)
      if (candidate.name == word)
        return candidate.type;
    fail_at(begin, "the type is one of double, float, int, long");
  }

  ArgumentSpec with_file(ArgumentSpec spec) const {
    constexpr std::string_view key = "file=";
    spec.file = text_.substr(position_ + key.size());
    if (spec.file.empty())
      fail_at(text_.size(), "file= needs the path of a .npy or .csv file");
    return spec;
  }

  bool accept_alias() {
    constexpr std::string_view key = "alias";
    skip_spaces();
    const std::size_t begin = position_;
    if (read_word() == key && accept('='))
      return true;
    position_ = begin;
    return false;
  }

  ArgumentSpec with_alias(ArgumentSpec spec) {
    if (!spec.is_pointer())
      fail_at(text_.find("alias"), "memory that is shared needs extents, for example double[8] alias=x");
    Alias alias{read_parameter()};
    if (accept('+'))
      alias.offset = read_integer_formula();
    skip_spaces();
    if (position_ != text_.size())
      fail(
          "behind alias=PARAMETER may stand + and an offset in elements; values and domain are those of the parameter");
    spec.alias = std::move(alias);
    return spec;
  }

  /// A name, or `$2`.
  std::string read_parameter() {
    const std::size_t begin = position_;
    const bool is_position = position_ < text_.size() && text_[position_] == '$';
    position_ += is_position ? 1 : 0;
    const std::string_view word = read_word();
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (word.empty() || is_digit(word.front()) != is_position || (is_position && !std::ranges::all_of(word, is_digit)))
      fail_at(begin, "alias= needs the name of a parameter, or $2 for the second one");
    return std::string(text_.substr(begin, position_ - begin));
  }

  IntegerFormula read_integer_formula() {
    try {
      return read_formula(text_, position_, names_);
    } catch (const FormulaError &error) {
      fail_at(error.position, error.what());
    }
  }

  void read_extents(ArgumentSpec &spec) {
    std::size_t elements = 1;
    bool is_constant = true;
    do {
      skip_spaces();
      const std::size_t begin = position_;
      spec.formulas.push_back(read_integer_formula());
      is_constant = is_constant && spec.formulas.back().is_constant();
      spec.extents.push_back(spec.formulas.back().is_constant() ? constant_extent(spec.formulas.back(), begin) : 1);
      if (spec.extents.back() != 0 && elements > most_elements / spec.extents.back())
        fail_at(begin, fmt::format("more than {} elements", most_elements));
      elements *= spec.extents.back();
    } while (accept('x'));
    expect(']');
    if (is_constant)
      spec.formulas.clear();
    else
      spec.extents.assign(spec.extents.size(), 0);
  }

  std::size_t constant_extent(const IntegerFormula &formula, std::size_t begin) const {
    try {
      const std::int64_t extent = formula.value([](const std::string &) { return 0; });
      if (extent >= 0)
        return static_cast<std::size_t>(extent);
    } catch (const std::range_error &error) {
      fail_at(begin, error.what());
    }
    fail_at(begin, "an extent is a whole number of at least 0, or a formula of integer parameters");
  }

  double read_number() {
    const std::size_t begin = position_;
    const char *first = text_.data() + position_;
    if (position_ < text_.size() && text_[position_] == '+')
      ++first;
    // Hexadecimal floats, as reports print them, have their own form for from_chars.
    const std::string_view rest(first, static_cast<std::size_t>(text_.data() + text_.size() - first));
    const bool negative = rest.starts_with('-');
    const std::string_view magnitude = rest.substr(negative ? 1 : 0);
    double value = 0;
    std::from_chars_result result{};
    if (magnitude.starts_with("0x") || magnitude.starts_with("0X")) {
      const char *digits = magnitude.data() + 2;
      result = std::from_chars(digits, text_.data() + text_.size(), value, std::chars_format::hex);
      value = negative ? -value : value;
    } else {
      result = std::from_chars(first, text_.data() + text_.size(), value);
    }
    if (result.ec != std::errc())
      fail_at(begin, "expected a number");
    position_ = static_cast<std::size_t>(result.ptr - text_.data());
    return value;
  }

  std::int64_t fitting(const ArgumentSpec &spec, std::int64_t value, std::size_t start) const {
    if (spec.type == Scalar::integer32 && value != static_cast<std::int32_t>(value))
      fail_at(start, "does not fit an int; use long");
    return value;
  }

  /// Where the formula is a number, that number.
  std::int64_t constant_integer(const ArgumentSpec &spec, const IntegerFormula &formula, std::size_t start) const {
    try {
      return fitting(spec, formula.value([](const std::string &) { return 0; }), start);
    } catch (const std::range_error &error) {
      fail_at(start, error.what());
    }
  }

  void read_values(ArgumentSpec &spec) {
    const std::size_t begin = position_;
    if (is_real(spec.type)) {
      spec.reals = read_list<double>(spec, [&] { return read_number(); });
      while (accept(';'))
        spec.further_reals.push_back(read_list<double>(spec, [&] { return read_number(); }));
      return;
    }
    if (accept('{'))
      return read_choices(spec, begin);
    IntegerFormula first = read_integer_formula();
    if (text_.substr(position_).starts_with("..")) {
      position_ += 2;
      const std::size_t second = position_;
      IntegerFormula high = read_integer_formula();
      if (first.is_constant() && high.is_constant() &&
          constant_integer(spec, first, begin) > constant_integer(spec, high, second))
        fail_at(begin, "a range lo..hi needs lo of at most hi");
      spec.range = IntegerRange{std::move(first), std::move(high)};
      return;
    }
    if (!first.is_constant()) {
      spec.computed = std::move(first);
      return;
    }
    position_ = begin;
    const auto integer = [&] {
      const std::size_t start = position_;
      return constant_integer(spec, read_integer_formula(), start);
    };
    spec.integers = read_list<std::int64_t>(spec, integer);
    while (accept(';'))
      spec.further_integers.push_back(read_list<std::int64_t>(spec, integer));
  }

  void read_choices(ArgumentSpec &spec, std::size_t begin) {
    do {
      skip_spaces();
      const std::size_t start = position_;
      spec.choices.push_back(read_integer_formula());
      if (spec.choices.back().is_constant())
        static_cast<void>(constant_integer(spec, spec.choices.back(), start));
    } while (accept(','));
    expect('}');
    if (spec.is_pointer())
      fail_at(begin, "a set {1,2} is for a single integer; the elements of an array have a range, 0..3");
  }

  /// How many there may be is known here if the extents are.
  template <typename T, typename ReadOne>
  std::vector<T> read_list(const ArgumentSpec &spec, ReadOne read_one) {
    const std::size_t begin = position_;
    std::vector<T> values;
    do
      values.push_back(read_one());
    while (accept(','));
    const std::size_t count = values.size(), elements = spec.elements();
    const bool fits =
        !spec.formulas.empty() || count == 1 || count == elements || (!is_real(spec.type) && count < elements);
    if (!fits)
      fail_at(begin, fmt::format("{} values for {} element{}", count, elements, elements == 1 ? "" : "s"));
    return values;
  }

  Domain read_domain() {
    Domain domain;
    do
      read_domain_part(domain);
    while (accept(','));
    if (accept('*')) {
      const std::size_t begin = position_;
      domain.scale = read_number();
      if (!(domain.scale > 0) || !std::isfinite(domain.scale))
        fail_at(begin, "a scale is a number above 0");
    }
    return domain;
  }

  void read_domain_part(Domain &domain) {
    const std::size_t begin = position_;
    const std::string_view word = read_word();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (word.empty() && text_.substr(position_).starts_with('('))
      return set_range(domain, Domain::Kind::interval, read_interval(), begin);
    if (word == "any")
      return;
    if (word == "log")
      return set_range(domain, Domain::Kind::logarithmic, read_interval(), begin);
    if (word == "positive")
      return set_range(domain, Domain::Kind::positive, {0, infinity}, begin);
    if (word == "nonzero")
      return set_range(domain, Domain::Kind::nonzero, {-infinity, infinity}, begin);
    if (word == "unit")
      return set_range(domain, Domain::Kind::unit, {0, 1}, begin);
    if (word == "quantised")
      return read_step(domain, begin);
    const std::optional<gen::Structure> structure = gen::structure_named(word);
    if (!structure)
      fail_at(begin, "a domain is any, positive, nonzero, unit, (lo,hi), log(lo,hi), quantised(step), spd, symmetric, "
                     "orthogonal, lower, upper, simplex, stochastic, sorted or unit_vector");
    if (domain.structure != gen::Structure::none)
      fail_at(begin, "there is a structure already");
    domain.structure = *structure;
    check_parts(domain, begin);
  }

  std::pair<double, double> read_interval() {
    expect('(');
    const std::size_t begin = position_;
    const double low = read_number();
    expect(',');
    const double high = read_number();
    expect(')');
    if (!(low < high))
      fail_at(begin, "an interval (lo,hi) needs lo below hi");
    return {low, high};
  }

  void read_step(Domain &domain, std::size_t begin) {
    expect('(');
    domain.step = read_number();
    expect(')');
    if (!(domain.step > 0) || !std::isfinite(domain.step))
      fail_at(begin, "quantised(step) needs a step above 0");
    check_parts(domain, begin);
  }

  void set_range(Domain &domain, Domain::Kind kind, std::pair<double, double> limits, std::size_t begin) const {
    if (domain.kind != Domain::Kind::any)
      fail_at(begin, "there is a range already");
    if (kind == Domain::Kind::logarithmic && !(limits.first > 0 && std::isfinite(limits.second)))
      fail_at(begin, "log(lo,hi) needs lo above 0 and a finite hi");
    domain.kind = kind;
    domain.low = limits.first;
    domain.high = limits.second;
    check_parts(domain, begin);
  }

  void check_parts(const Domain &domain, std::size_t begin) const {
    if (!gen::has_free_elements(domain.structure) && (domain.kind != Domain::Kind::any || domain.step != 0))
      fail_at(begin, fmt::format("the elements of {} follow from it; only a scale may be given",
                                 gen::name_of(domain.structure)));
    if (domain.step != 0 && domain.high - domain.low < 2 * domain.step)
      fail_at(begin, "the range is too narrow for the step");
  }

  bool has_value(const ArgumentSpec &spec) const {
    return spec.is_fixed() || spec.range || spec.computed || !spec.choices.empty();
  }

  /// Whether a number of the type lies between the limits of the domain, and is none of them.
  static bool holds_a_number(const ArgumentSpec &spec) {
    const Domain &domain = spec.domain;
    const auto holds = [&]<class Number>(Number /*of this type*/) {
      const Number least = static_cast<Number>(domain.low * domain.scale);
      const Number next =
          least > domain.low * domain.scale ? least : std::nextafter(least, std::numeric_limits<Number>::infinity());
      return next < domain.high * domain.scale;
    };
    if (!std::isfinite(domain.low) || !std::isfinite(domain.high))
      return true;
    return spec.type == Scalar::real32 ? holds(0.0F) : holds(0.0);
  }

  void check(const ArgumentSpec &spec) const {
    if (spec.domain.structure != gen::Structure::none && !spec.is_pointer())
      fail_at(text_.find(':') + 1, fmt::format("{} needs extents, for example {}", gen::name_of(spec.domain.structure),
                                               gen::needs_square(spec.domain.structure) ? "double[4x4]" : "double[4]"));
    if (is_real(spec.type)) {
      if (!holds_a_number(spec))
        fail_at(text_.find(':') + 1,
                fmt::format("there is no {} in the range", spec.type == Scalar::real32 ? "float" : "double"));
      return;
    }
    if (!has_value(spec))
      fail_at(
          text_.size(),
          fmt::format("an integer needs a value, for example {0}=8, a range, {0}=1..40, or a set, {0}={{1,4}}", text_));
    if (spec.domain != Domain())
      fail_at(text_.find(':') + 1, "a domain is for double and float only; an integer has a range: int=1..40");
  }

  std::string_view text_;
  const std::vector<std::string> &names_;
  std::size_t position_ = 0;
};

std::string range_text(const Domain &domain) {
  switch (domain.kind) {
  case Domain::Kind::any:
    return "";
  case Domain::Kind::positive:
    return "positive";
  case Domain::Kind::nonzero:
    return "nonzero";
  case Domain::Kind::unit:
    return "unit";
  case Domain::Kind::interval:
    return fmt::format("({},{})", domain.low, domain.high);
  case Domain::Kind::logarithmic:
    return fmt::format("log({},{})", domain.low, domain.high);
  }
  return "";
}

std::string domain_text(const Domain &domain) {
  std::vector<std::string> parts;
  if (domain.kind != Domain::Kind::any)
    parts.push_back(range_text(domain));
  if (domain.structure != gen::Structure::none)
    parts.emplace_back(gen::name_of(domain.structure));
  if (domain.step != 0)
    parts.push_back(fmt::format("quantised({})", domain.step));
  if (parts.empty() && domain.scale != 1)
    parts.emplace_back("any");
  return fmt::format("{}{}{}", parts.empty() ? "" : ":", fmt::join(parts, ","),
                     domain.scale == 1 ? "" : fmt::format("*{}", domain.scale));
}

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

bool is_real(Scalar type) {
  return type == Scalar::real64 || type == Scalar::real32;
}
std::size_t size_of(Scalar type) {
  return entry(type).size;
}
std::string_view name_of(Scalar type) {
  return entry(type).name;
}

std::size_t ArgumentSpec::elements() const {
  std::size_t product = 1;
  for (const std::size_t extent : extents)
    product *= extent;
  return product;
}

SpecError::SpecError(std::string_view spec, std::size_t position, const std::string &problem)
    : std::runtime_error(
          fmt::format("bad --arg '{}<here>{}': {}", spec.substr(0, position), spec.substr(position), problem)),
      position(position) {}

ArgumentSpec parse_argument_spec(std::string_view text, const std::vector<std::string> &integer_names) {
  return Reader(text, integer_names).read();
}

std::string to_string(const ArgumentSpec &spec) {
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
  return text + domain_text(spec.domain);
}

} // namespace assay::jit
