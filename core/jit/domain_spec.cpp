#include "core/jit/domain_spec.hpp"

#include <assay/detail/half_numbers.hpp>

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <utility>

namespace assay::jit {

namespace {

class DomainReader {
public:
  explicit DomainReader(SpecCursor &cursor) : at_(cursor) {}

  Domain read() {
    Domain domain;
    do
      read_part(domain);
    while (at_.accept(','));
    if (at_.accept('*')) {
      const std::size_t begin = at_.position();
      domain.scale = at_.read_number();
      if (!(domain.scale > 0) || !std::isfinite(domain.scale))
        at_.fail_at(begin, "a scale is a number above 0");
    }
    return domain;
  }

private:
  void read_part(Domain &domain) {
    const std::size_t begin = at_.position();
    const std::string_view word = at_.read_word();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (word.empty() && at_.rest().starts_with('('))
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
      at_.fail_at(begin,
                  "a domain is any, positive, nonzero, unit, (lo,hi), log(lo,hi), quantised(step), spd, symmetric, "
                  "orthogonal, lower, upper, simplex, stochastic, sorted or unit_vector");
    if (domain.structure != gen::Structure::none)
      at_.fail_at(begin, "there is a structure already");
    domain.structure = *structure;
    check_parts(domain, begin);
  }

  std::pair<double, double> read_interval() {
    at_.expect('(');
    const std::size_t begin = at_.position();
    const double low = at_.read_number();
    at_.expect(',');
    const double high = at_.read_number();
    at_.expect(')');
    if (!(low < high))
      at_.fail_at(begin, "an interval (lo,hi) needs lo below hi");
    return {low, high};
  }

  void read_step(Domain &domain, std::size_t begin) {
    at_.expect('(');
    domain.step = at_.read_number();
    at_.expect(')');
    if (!(domain.step > 0) || !std::isfinite(domain.step))
      at_.fail_at(begin, "quantised(step) needs a step above 0");
    check_parts(domain, begin);
  }

  void set_range(Domain &domain, Domain::Kind kind, std::pair<double, double> limits, std::size_t begin) const {
    if (domain.kind != Domain::Kind::any)
      at_.fail_at(begin, "there is a range already");
    if (kind == Domain::Kind::logarithmic && !(limits.first > 0 && std::isfinite(limits.second)))
      at_.fail_at(begin, "log(lo,hi) needs lo above 0 and a finite hi");
    domain.kind = kind;
    domain.low = limits.first;
    domain.high = limits.second;
    check_parts(domain, begin);
  }

  void check_parts(const Domain &domain, std::size_t begin) const {
    if (!gen::has_free_elements(domain.structure) && (domain.kind != Domain::Kind::any || domain.step != 0))
      at_.fail_at(begin, fmt::format("the elements of {} follow from it; only a scale may be given",
                                     gen::name_of(domain.structure)));
    if (domain.step != 0 && domain.high - domain.low < 2 * domain.step)
      at_.fail_at(begin, "the range is too narrow for the step");
  }

  SpecCursor &at_;
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

} // namespace

Domain read_domain(SpecCursor &cursor) {
  return DomainReader(cursor).read();
}

bool holds_a_number(const Domain &domain, Scalar type) {
  if (!std::isfinite(domain.low) || !std::isfinite(domain.high))
    return true;
  const auto holds_half = [&]<class Half>(Half /*of this type*/) {
    const Half least(domain.low * domain.scale);
    const bool is_inside = static_cast<double>(least) > domain.low * domain.scale;
    return static_cast<double>(is_inside ? least : least.next(true)) < domain.high * domain.scale;
  };
  if (type == Scalar::real16)
    return holds_half(detail::Binary16());
  if (type == Scalar::brain16)
    return holds_half(detail::BrainFloat());
  const auto holds = [&]<class Number>(Number /*of this type*/) {
    const Number least = static_cast<Number>(domain.low * domain.scale);
    const Number next =
        least > domain.low * domain.scale ? least : std::nextafter(least, std::numeric_limits<Number>::infinity());
    return next < domain.high * domain.scale;
  };
  return type == Scalar::real32 ? holds(0.0F) : holds(0.0);
}

std::string to_string(const Domain &domain) {
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

} // namespace assay::jit
