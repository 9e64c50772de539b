#include "core/jit/integer_formula.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace assay::jit {

namespace {

using Kind = FormulaStep::Kind;

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

class FormulaReader {
public:
  FormulaReader(std::string_view text, std::size_t position, const std::vector<std::string> &known)
      : text_(text), position_(position), known_(known) {}

  IntegerFormula read() {
    const std::size_t begin = position_;
    sum();
    std::string text(text_.substr(begin, end_ - begin));
    std::erase(text, ' ');
    position_ = end_;
    return {std::move(steps_), std::move(text)};
  }

  std::size_t position() const { return position_; }

private:
  [[noreturn]] void fail(std::size_t position, const std::string &problem) const {
    throw FormulaError(position, problem);
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ')
      ++position_;
  }

  /// What was read so far belongs to the formula.
  void keep() { end_ = position_; }

  bool accept(char expected) {
    skip_spaces();
    if (position_ == text_.size() || text_[position_] != expected)
      return false;
    ++position_;
    keep();
    return true;
  }

  void expect(char expected) {
    if (!accept(expected))
      fail(position_, fmt::format("expected '{}'", expected));
  }

  void push(Kind kind) { steps_.push_back({kind}); }

  void sum() {
    product();
    while (true)
      if (accept('+')) {
        product();
        push(Kind::add);
      } else if (accept('-')) {
        product();
        push(Kind::subtract);
      } else {
        return;
      }
  }

  void product() {
    factor();
    while (true)
      if (accept('*')) {
        factor();
        push(Kind::multiply);
      } else if (accept('/')) {
        factor();
        push(Kind::divide);
      } else {
        return;
      }
  }

  void factor() {
    if (accept('-')) {
      factor();
      return push(Kind::negate);
    }
    if (accept('(')) {
      sum();
      return expect(')');
    }
    skip_spaces();
    if (position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_])))
      return number();
    name();
  }

  void number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
    if (error != std::errc())
      fail(position_, "does not fit 64 bits");
    position_ = static_cast<std::size_t>(end - text_.data());
    keep();
    steps_.push_back({Kind::number, value});
  }

  /// The dot of `grid.n`, a member of a struct that a kernel takes by value.
  bool is_before_member() const {
    return text_[position_] == '.' && position_ + 1 < text_.size() && is_letter(text_[position_ + 1]);
  }

  void name() {
    const std::size_t begin = position_;
    const bool is_position = position_ < text_.size() && text_[position_] == '$';
    if (is_position)
      ++position_;
    else if (position_ == text_.size() || !is_letter(text_[position_]))
      fail(begin, "expected a whole number or the name of an integer parameter");
    while (position_ < text_.size() && (is_position ? std::isdigit(static_cast<unsigned char>(text_[position_])) != 0
                                                    : is_word_part(text_[position_]) || is_before_member()))
      ++position_;
    std::string word(text_.substr(begin, position_ - begin));
    if (position_ < text_.size() && text_[position_] == '(')
      return call(word, begin);
    word = shortened(word);
    position_ = begin + word.size();
    keep();
    steps_.push_back({Kind::name, 0, word});
  }

  void call(const std::string &word, std::size_t begin) {
    expect('(');
    sum();
    if (word == "abs") {
      expect(')');
      return push(Kind::magnitude);
    }
    if (word != "min" && word != "max")
      fail(begin, "the functions are abs, min and max");
    expect(',');
    sum();
    expect(')');
    push(word == "min" ? Kind::least : Kind::greatest);
  }

  /// `nxn` is n where there is an n and no nxn; so is `nx4`.
  std::string shortened(const std::string &word) const {
    if (known_.empty() || std::ranges::find(known_, word) != known_.end())
      return word;
    for (std::size_t end = word.rfind('x'); end != std::string::npos && end > 0; end = word.rfind('x', end - 1))
      if (const std::string front = word.substr(0, end); std::ranges::find(known_, front) != known_.end())
        return front;
    return word;
  }

  std::string_view text_;
  std::size_t position_, end_ = 0;
  const std::vector<std::string> &known_;
  std::vector<FormulaStep> steps_;
};

std::int64_t checked(bool overflow, std::int64_t value) {
  if (overflow)
    throw std::range_error("a number leaves 64 bits");
  return value;
}

std::int64_t applied(Kind kind, std::int64_t left, std::int64_t right) {
  std::int64_t value = 0;
  switch (kind) {
  case Kind::add:
    return checked(__builtin_add_overflow(left, right, &value), value);
  case Kind::subtract:
    return checked(__builtin_sub_overflow(left, right, &value), value);
  case Kind::multiply:
    return checked(__builtin_mul_overflow(left, right, &value), value);
  case Kind::divide:
    if (right == 0)
      throw std::range_error("division by 0");
    return right == -1 ? checked(__builtin_sub_overflow(std::int64_t{0}, left, &value), value) : left / right;
  case Kind::least:
    return std::min(left, right);
  default:
    return std::max(left, right);
  }
}

std::int64_t popped(std::vector<std::int64_t> &stack) {
  const std::int64_t value = stack.back();
  stack.pop_back();
  return value;
}

} // namespace

bool IntegerFormula::is_constant() const {
  return std::ranges::none_of(steps_, [](const FormulaStep &step) { return step.kind == Kind::name; });
}

std::vector<std::string> IntegerFormula::names() const {
  std::vector<std::string> names;
  for (const FormulaStep &step : steps_)
    if (step.kind == Kind::name)
      names.push_back(step.name);
  return names;
}

std::int64_t IntegerFormula::value(const std::function<std::int64_t(const std::string &)> &value_of) const {
  std::vector<std::int64_t> stack;
  for (const FormulaStep &step : steps_) {
    if (step.kind == Kind::number) {
      stack.push_back(step.number);
    } else if (step.kind == Kind::name) {
      stack.push_back(value_of(step.name));
    } else if (step.kind == Kind::negate || step.kind == Kind::magnitude) {
      const std::int64_t operand = popped(stack);
      const bool keeps = step.kind == Kind::magnitude && operand >= 0;
      stack.push_back(keeps ? operand : applied(Kind::subtract, 0, operand));
    } else {
      const std::int64_t right = popped(stack), left = popped(stack);
      stack.push_back(applied(step.kind, left, right));
    }
  }
  return stack.back();
}

IntegerFormula read_formula(std::string_view text, std::size_t &position, const std::vector<std::string> &known) {
  FormulaReader reader(text, position, known);
  IntegerFormula formula = reader.read();
  position = reader.position();
  return formula;
}

} // namespace assay::jit
