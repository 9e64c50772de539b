// A recursive-descent reader over a cursor; each step consumes what it understands and points to where it stopped.

#include "core/jit/argument_spec.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

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

constexpr std::size_t most_elements = std::size_t{1} << 24;

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  ArgumentSpec read() {
    ArgumentSpec spec;
    skip_spaces();
    spec.constant = read_const();
    spec.type = read_type();
    if (accept('['))
      spec.extents = read_extents();
    if (accept('='))
      read_values(spec);
    if (accept(':'))
      spec.domain = read_domain();
    if (position_ != text_.size())
      fail("expected '[', '=' or ':' or the end");
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

  std::vector<std::size_t> read_extents() {
    std::vector<std::size_t> extents;
    std::size_t elements = 1;
    do {
      const std::size_t begin = position_;
      std::size_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data() + position_, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent == 0)
        fail_at(begin, "an extent is a whole number above 0");
      if (extent > most_elements || elements * extent > most_elements)
        fail_at(begin, fmt::format("more than {} elements", most_elements));
      elements *= extent;
      extents.push_back(extent);
      position_ = static_cast<std::size_t>(end - text_.data());
    } while (accept('x'));
    expect(']');
    return extents;
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

  std::int64_t read_integer() {
    const std::size_t begin = position_;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
    if (error != std::errc())
      fail_at(begin, "expected a whole number");
    position_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  void read_values(ArgumentSpec &spec) {
    const std::size_t begin = position_;
    do {
      if (is_real(spec.type)) {
        spec.reals.push_back(read_number());
        continue;
      }
      const std::size_t start = position_;
      const std::int64_t value = read_integer();
      if (spec.type == Scalar::integer32 && value != static_cast<std::int32_t>(value))
        fail_at(start, "does not fit an int; use long");
      spec.integers.push_back(value);
    } while (accept(','));
    const std::size_t values = spec.reals.size() + spec.integers.size();
    if (values != 1 && values != spec.elements())
      fail_at(begin,
              fmt::format("{} values for {} element{}", values, spec.elements(), spec.elements() == 1 ? "" : "s"));
  }

  Domain read_domain() {
    if (accept('(')) {
      const std::size_t begin = position_;
      Domain domain{Domain::Kind::interval, read_number(), 0};
      expect(',');
      domain.high = read_number();
      expect(')');
      if (!(domain.low < domain.high))
        fail_at(begin, "an interval (lo,hi) needs lo below hi");
      return domain;
    }
    const std::size_t begin = position_;
    const std::string_view word = read_word();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (word == "positive")
      return {Domain::Kind::positive, 0, infinity};
    if (word == "nonzero")
      return {Domain::Kind::nonzero, -infinity, infinity};
    if (word == "unit")
      return {Domain::Kind::unit, 0, 1};
    fail_at(begin, "a domain is positive, nonzero, unit or (lo,hi)");
  }

  void check(const ArgumentSpec &spec) const {
    if (is_real(spec.type))
      return;
    if (!spec.is_fixed())
      fail_at(text_.size(), fmt::format("an integer needs a value, for example {}=8", text_));
    if (spec.domain.kind != Domain::Kind::any)
      fail_at(text_.find(':') + 1, "a domain is for double and float only");
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

std::string domain_text(const Domain &domain) {
  switch (domain.kind) {
  case Domain::Kind::any:
    return "";
  case Domain::Kind::positive:
    return ":positive";
  case Domain::Kind::nonzero:
    return ":nonzero";
  case Domain::Kind::unit:
    return ":unit";
  case Domain::Kind::interval:
    return fmt::format(":({},{})", domain.low, domain.high);
  }
  return "";
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

ArgumentSpec parse_argument_spec(std::string_view text) {
  return Reader(text).read();
}

std::string to_string(const ArgumentSpec &spec) {
  std::string text = spec.constant ? "const " : "";
  text += name_of(spec.type);
  if (spec.is_pointer())
    text += fmt::format("[{}]", fmt::join(spec.extents, "x"));
  if (!spec.reals.empty())
    text += fmt::format("={}", fmt::join(spec.reals, ","));
  if (!spec.integers.empty())
    text += fmt::format("={}", fmt::join(spec.integers, ","));
  return text + domain_text(spec.domain);
}

} // namespace assay::jit
