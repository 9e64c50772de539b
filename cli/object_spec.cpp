#include "cli/object_spec.hpp"

#include "core/jit/argument_spec.hpp"
#include "core/jit/bad_request.hpp"

#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <numeric>
#include <string_view>

namespace assay::cli {

namespace {

class Parser {
public:
  explicit Parser(const std::string &text) : text_(text), rest_(text) {}

  ObjectSpec parse() {
    ObjectSpec spec;
    spec.constant = take("const ");
    if (!word().empty() && take("=") && begins_expression()) {
      spec.expression = std::exchange(rest_, {});
      return spec;
    }
    if (take("["))
      do
        spec.extents.push_back(static_cast<std::size_t>(number()));
      while (take("x"));
    const auto multiplied = [](std::size_t product, std::size_t extent) {
      return extent != 0 && product > jit::most_elements / extent ? jit::most_elements + 1 : product * extent;
    };
    if (std::accumulate(spec.extents.begin(), spec.extents.end(), std::size_t{1}, multiplied) > jit::most_elements)
      throw jit::BadRequest(fmt::format("--arg '{}' has more than {} elements", text_, jit::most_elements));
    if (!spec.extents.empty() && !take("]"))
      reject("']'");
    if (take("{"))
      spec.settings = settings();
    if (rest_.starts_with(':'))
      spec.domain = std::exchange(rest_, {});
    if (!rest_.empty())
      reject("nothing more");
    return spec;
  }

private:
  /// Extents are numbers; a lambda begins with a bracket as well.
  bool begins_expression() const {
    const auto is_digit = [&](std::size_t at) {
      return at < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[at]));
    };
    return !rest_.empty() && !rest_.starts_with('{') && !rest_.starts_with(':') &&
           !(rest_.starts_with('[') && is_digit(1));
  }

  std::vector<std::pair<std::string, long>> settings() {
    std::vector<std::pair<std::string, long>> found;
    do {
      std::string name = word();
      if (name.empty() || !take("="))
        reject("FIELD=NUMBER");
      found.emplace_back(std::move(name), number());
    } while (take(","));
    if (!take("}"))
      reject("'}'");
    return found;
  }

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected))
      return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  std::string word() {
    std::size_t size = 0;
    while (size < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[size])) || rest_[size] == '_'))
      ++size;
    std::string found(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return found;
  }

  long number() {
    long value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0)
      reject("a whole number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  [[noreturn]] void reject(std::string_view expected) const {
    throw jit::BadRequest(fmt::format("--arg '{}' at character {}: {} is expected here; objects are described as in "
                                      "'vector[8]', 'net={{layers=2,width=3}}' or 'net=make_net(3)'",
                                      text_, text_.size() - rest_.size() + 1, expected));
  }

  const std::string &text_;
  std::string_view rest_;
};

} // namespace

ObjectSpec parse_object_spec(const std::string &text) {
  return Parser(text).parse();
}

} // namespace assay::cli
