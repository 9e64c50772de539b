// A recursive-descent reader: each function reads one part of the grammar in argument_spec.hpp.

#include "core/jit/argument_spec.hpp"
#include "core/jit/domain_spec.hpp"
#include "core/jit/spec_cursor.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace assay::jit {

namespace {

std::int64_t value_of_constant(const IntegerFormula &formula) {
  return formula.value([](const std::string &) { return 0; });
}

class ArgumentSpecReader {
public:
  ArgumentSpecReader(std::string_view text, const std::vector<std::string> &names) : at_(text), names_(names) {}

  ArgumentSpec read() {
    ArgumentSpec spec;
    at_.skip_spaces();
    spec.constant = read_const();
    if (at_.accept("file=")) {
      spec.has_type = false;
      return with_file(std::move(spec));
    }
    spec.type = read_type();
    if (at_.rest().starts_with(' ')) {
      at_.skip_spaces();
      if (at_.accept("file="))
        return with_file(std::move(spec));
    }
    if (at_.accept('['))
      read_extents(spec);
    if (accept_alias())
      return with_alias(std::move(spec));
    if (at_.accept('='))
      read_values(spec);
    if (at_.accept(':'))
      spec.domain = read_domain(at_);
    if (!at_.is_at_end())
      at_.fail("expected '[', '=', ':', 'alias=' or the end");
    check(spec);
    return spec;
  }

private:
  bool read_const() {
    const std::size_t begin = at_.position();
    if (at_.read_word() == "const") {
      at_.skip_spaces();
      return true;
    }
    at_.go_back_to(begin);
    return false;
  }

  Scalar read_type() {
    const std::size_t begin = at_.position();
    std::string name(at_.read_word());
    for (std::size_t end = at_.position(); at_.accept(" "); end = at_.position()) {
      const std::string_view word = at_.read_word();
      if (!is_part_of_type(word)) {
        at_.go_back_to(end);
        break;
      }
      name.append(" ").append(word);
    }
    const std::optional<Scalar> type = scalar_named(name);
    if (!type)
      at_.fail_at(
          begin,
          fmt::format(
              "the type is one of {}; arrays of structs are given by their numbers, as float[32x2] for 32 of float2",
              scalar_menu));
    return *type;
  }
  /// `unsigned char`, `long long`, `unsigned long int`
  static bool is_part_of_type(std::string_view word) {
    constexpr std::array<std::string_view, 5> words{"char", "short", "int", "long", "double"};
    return std::ranges::find(words, word) != words.end();
  }

  ArgumentSpec with_file(ArgumentSpec spec) const {
    spec.file = at_.rest();
    if (spec.file.empty())
      at_.fail("file= needs the path of a .npy or .csv file");
    return spec;
  }

  bool accept_alias() {
    at_.skip_spaces();
    const std::size_t begin = at_.position();
    if (at_.read_word() == "alias" && at_.accept('='))
      return true;
    at_.go_back_to(begin);
    return false;
  }

  ArgumentSpec with_alias(ArgumentSpec spec) {
    if (!spec.is_pointer())
      at_.fail_at(at_.text().find("alias"), "memory that is shared needs extents, for example double[8] alias=x");
    Alias alias{read_parameter()};
    if (at_.accept('+'))
      alias.offset = read_formula();
    at_.skip_spaces();
    if (!at_.is_at_end())
      at_.fail(
          "behind alias=PARAMETER may stand + and an offset in elements; values and domain are those of the parameter");
    spec.alias = std::move(alias);
    return spec;
  }

  /// A name, or `$2`.
  std::string read_parameter() {
    const std::size_t begin = at_.position();
    const bool is_position = at_.accept("$");
    const std::string_view word = at_.read_word();
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (word.empty() || is_digit(word.front()) != is_position || (is_position && !std::ranges::all_of(word, is_digit)))
      at_.fail_at(begin, "alias= needs the name of a parameter, or $2 for the second one");
    return std::string(at_.text().substr(begin, at_.position() - begin));
  }

  IntegerFormula read_formula() { return at_.read_formula(names_); }

  void read_extents(ArgumentSpec &spec) {
    std::size_t elements = 1;
    bool is_constant = true;
    do {
      at_.skip_spaces();
      const std::size_t begin = at_.position();
      spec.formulas.push_back(read_formula());
      is_constant = is_constant && spec.formulas.back().is_constant();
      spec.extents.push_back(spec.formulas.back().is_constant() ? constant_extent(spec.formulas.back(), begin) : 1);
      if (spec.extents.back() != 0 && elements > most_elements / spec.extents.back())
        at_.fail_at(begin, fmt::format("more than {} elements", most_elements));
      elements *= spec.extents.back();
    } while (at_.accept('x'));
    at_.expect(']');
    if (is_constant)
      spec.formulas.clear();
    else
      spec.extents.assign(spec.extents.size(), 0);
  }

  std::size_t constant_extent(const IntegerFormula &formula, std::size_t begin) const {
    try {
      const std::int64_t extent = value_of_constant(formula);
      if (extent >= 0)
        return static_cast<std::size_t>(extent);
    } catch (const std::range_error &error) {
      at_.fail_at(begin, error.what());
    }
    at_.fail_at(begin, "an extent is a whole number of at least 0, or a formula of integer parameters");
  }

  /// The value of a formula that names no parameter.
  std::int64_t constant_integer(const ArgumentSpec &spec, const IntegerFormula &formula, std::size_t begin) const {
    try {
      const std::int64_t value = value_of_constant(formula);
      if (!has_value(spec.type, value))
        at_.fail_at(begin, misfit(spec.type, value));
      return value;
    } catch (const std::range_error &error) {
      at_.fail_at(begin, error.what());
    }
  }

  void read_values(ArgumentSpec &spec) {
    if (!is_real(spec.type))
      return read_integers(spec);
    const auto number = [&] { return at_.read_number(); };
    spec.reals = read_list<double>(spec, number);
    while (at_.accept(';'))
      spec.further_reals.push_back(read_list<double>(spec, number));
  }

  void read_integers(ArgumentSpec &spec) {
    const std::size_t begin = at_.position();
    if (at_.accept('{'))
      return read_choices(spec, begin);
    IntegerFormula first = read_formula();
    if (at_.accept(".."))
      return read_range(spec, std::move(first), begin);
    if (!first.is_constant()) {
      spec.computed = std::move(first);
      return;
    }
    at_.go_back_to(begin);
    const auto integer = [&] {
      const std::size_t start = at_.position();
      return constant_integer(spec, read_formula(), start);
    };
    spec.integers = read_list<std::int64_t>(spec, integer);
    while (at_.accept(';'))
      spec.further_integers.push_back(read_list<std::int64_t>(spec, integer));
  }

  /// `low` began at `begin`.
  void read_range(ArgumentSpec &spec, IntegerFormula low, std::size_t begin) {
    const std::size_t second = at_.position();
    IntegerFormula high = read_formula();
    if (low.is_constant() && high.is_constant() &&
        constant_integer(spec, low, begin) > constant_integer(spec, high, second))
      at_.fail_at(begin, "a range lo..hi needs lo of at most hi");
    spec.range = IntegerRange{std::move(low), std::move(high)};
  }

  void read_choices(ArgumentSpec &spec, std::size_t begin) {
    do {
      at_.skip_spaces();
      const std::size_t start = at_.position();
      spec.choices.push_back(read_formula());
      if (spec.choices.back().is_constant())
        static_cast<void>(constant_integer(spec, spec.choices.back(), start));
    } while (at_.accept(','));
    at_.expect('}');
    if (spec.is_pointer())
      at_.fail_at(begin, "a set {1,2} is for a single integer; the elements of an array have a range, 0..3");
  }

  /// Its length is known to be right only where the extents are constants.
  template <typename T, typename ReadOne>
  std::vector<T> read_list(const ArgumentSpec &spec, ReadOne read_one) {
    const std::size_t begin = at_.position();
    std::vector<T> values;
    do
      values.push_back(read_one());
    while (at_.accept(','));
    const std::size_t count = values.size(), elements = spec.elements();
    const bool fits =
        !spec.formulas.empty() || count == 1 || count == elements || (!is_real(spec.type) && count < elements);
    if (!fits)
      at_.fail_at(begin, fmt::format("{} values for {} element{}", count, elements, elements == 1 ? "" : "s"));
    return values;
  }

  void check(const ArgumentSpec &spec) const {
    const std::size_t domain = at_.text().find(':') + 1;
    if (spec.domain.structure != gen::Structure::none && !spec.is_pointer())
      at_.fail_at(domain, fmt::format("{} needs extents, for example {}", gen::name_of(spec.domain.structure),
                                      gen::needs_square(spec.domain.structure) ? "double[4x4]" : "double[4]"));
    if (is_real(spec.type)) {
      if (!holds_a_number(spec.domain, spec.type))
        at_.fail_at(domain, fmt::format("there is no {} in the range", name_of(spec.type)));
      return;
    }
    const bool has_value = spec.is_fixed() || spec.range || spec.computed || !spec.choices.empty();
    if (!has_value)
      at_.fail_at(at_.text().size(),
                  fmt::format("an integer needs a value, for example {0}=8, a range, {0}=1..40, or a set, {0}={{1,4}}",
                              at_.text()));
    if (spec.domain != Domain())
      at_.fail_at(domain, "a domain is for double and float only; an integer has a range: int=1..40");
  }

  SpecCursor at_;
  const std::vector<std::string> &names_;
};

} // namespace

ArgumentSpec parse_argument_spec(std::string_view text, const std::vector<std::string> &integer_names) {
  return ArgumentSpecReader(text, integer_names).read();
}

} // namespace assay::jit
