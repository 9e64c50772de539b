#pragma once
// A place in the text of a spec. Each step consumes the characters that it understands and leaves the cursor behind
// them; a character that does not fit throws SpecError.

#include "core/jit/argument_spec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::jit {

class SpecCursor {
public:
  explicit SpecCursor(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  std::size_t position() const { return position_; }
  std::string_view rest() const { return text_.substr(position_); }
  bool is_at_end() const { return position_ == text_.size(); }
  void go_back_to(std::size_t position) { position_ = position; }

  [[noreturn]] void fail(const std::string &problem) const;
  [[noreturn]] void fail_at(std::size_t position, const std::string &problem) const;

  void skip_spaces();
  /// With the spaces around it.
  bool accept(char expected);
  void expect(char expected);
  /// Exactly these characters.
  bool accept(std::string_view expected);
  /// Letters, digits and underscores; may be empty.
  std::string_view read_word();
  /// Also a hexadecimal one, as reports print them.
  double read_number();
  IntegerFormula read_formula(const std::vector<std::string> &names);

private:
  std::string_view text_;
  std::size_t position_ = 0;
};

} // namespace assay::jit
