#include "core/jit/spec_cursor.hpp"

#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace assay::jit {

void SpecCursor::fail(const std::string &problem) const {
  fail_at(position_, problem);
}

void SpecCursor::fail_at(std::size_t position, const std::string &problem) const {
  throw SpecError(text_, position, problem);
}

void SpecCursor::skip_spaces() {
  while (!is_at_end() && text_[position_] == ' ')
    ++position_;
}

bool SpecCursor::accept(char expected) {
  skip_spaces();
  if (is_at_end() || text_[position_] != expected)
    return false;
  ++position_;
  skip_spaces();
  return true;
}

void SpecCursor::expect(char expected) {
  if (!accept(expected))
    fail(fmt::format("expected '{}'", expected));
}

bool SpecCursor::accept(std::string_view expected) {
  if (!rest().starts_with(expected))
    return false;
  position_ += expected.size();
  return true;
}

std::string_view SpecCursor::read_word() {
  const std::size_t begin = position_;
  while (!is_at_end() && (std::isalnum(static_cast<unsigned char>(text_[position_])) || text_[position_] == '_'))
    ++position_;
  return text_.substr(begin, position_ - begin);
}

double SpecCursor::read_number() {
  const std::size_t begin = position_;
  const char *first = text_.data() + position_, *const end = text_.data() + text_.size();
  if (!is_at_end() && text_[position_] == '+')
    ++first;
  // Hexadecimal floats have their own form for from_chars, which takes no prefix.
  const std::string_view number(first, static_cast<std::size_t>(end - first));
  const bool negative = number.starts_with('-');
  const std::string_view magnitude = number.substr(negative ? 1 : 0);
  double value = 0;
  std::from_chars_result result{};
  if (magnitude.starts_with("0x") || magnitude.starts_with("0X")) {
    result = std::from_chars(magnitude.data() + 2, end, value, std::chars_format::hex);
    value = negative ? -value : value;
  } else {
    result = std::from_chars(first, end, value);
  }
  if (result.ec != std::errc())
    fail_at(begin, "expected a number");
  position_ = static_cast<std::size_t>(result.ptr - text_.data());
  return value;
}

IntegerFormula SpecCursor::read_formula(const std::vector<std::string> &names) {
  try {
    return jit::read_formula(text_, position_, names);
  } catch (const FormulaError &error) {
    fail_at(error.position, error.what());
  }
}

} // namespace assay::jit
