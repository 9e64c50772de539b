#include "core/engine/prepare/ptx_statements.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t lanes_of_a_warp = 32;

/// Compilers write a dollar of a name twice.
bool is_name_letter(char letter) {
  return isAlnum(letter) || letter == '_' || letter == '$' || letter == '%';
}

/// `cp.async.commit_group`, `ld.global.L1::no_allocate.f32`.
bool is_instruction_letter(char letter) {
  return isAlnum(letter) || letter == '.' || letter == '_' || letter == ':';
}

class PtxParser {
public:
  explicit PtxParser(StringRef text) : text_(text), scopes_(1) {}

  std::optional<PtxBlock> parse() {
    while (!at_end())
      if (!parse_item())
        return std::nullopt;
    return scopes_.size() == 1 ? std::optional(std::move(block_)) : std::nullopt;
  }

private:
  void skip_space() {
    text_ = text_.ltrim();
    while (text_.consume_front("//"))
      text_ = text_.drop_until([](char letter) { return letter == '\n'; }).ltrim();
  }
  bool at_end() {
    skip_space();
    return text_.empty();
  }
  bool take(StringRef token) {
    skip_space();
    return text_.consume_front(token);
  }
  StringRef take_name() {
    skip_space();
    const StringRef name = text_.take_while(is_name_letter);
    text_ = text_.drop_front(name.size());
    return name;
  }

  /// `%laneid`, `%tid.x`; a register that the text declares may begin so, too.
  StringRef take_special_name() {
    StringRef name = text_.take_while([](char letter) { return is_name_letter(letter) || letter == '.'; });
    text_ = text_.drop_front(name.size());
    return name;
  }

  bool parse_item() {
    if (take("{")) {
      scopes_.emplace_back();
      return true;
    }
    if (take("}")) {
      scopes_.pop_back();
      return !scopes_.empty();
    }
    if (take(";"))
      return true;
    return take(".reg") ? parse_declaration() : parse_statement();
  }

  /// `.f16 low,high;`
  bool parse_declaration() {
    if (!take("."))
      return false;
    const StringRef type = take_name();
    do {
      const StringRef name = take_name();
      if (name.empty())
        return false;
      scopes_.back()[name] = block_.register_types.size();
      block_.register_types.push_back(type);
    } while (take(","));
    return take(";");
  }

  bool parse_statement() {
    PtxStatement statement;
    if (take("@")) {
      statement.is_guard_negated = take("!");
      statement.guard = parse_operand();
      if (!statement.guard)
        return false;
    }
    skip_space();
    const StringRef name = text_.take_while(is_instruction_letter);
    text_ = text_.drop_front(name.size());
    name.split(statement.words, '.');
    if (name.empty() || !(is_lone(statement) || parse_destination(statement)) || !take(";"))
      return false;
    block_.statements.push_back(std::move(statement));
    return true;
  }
  /// Without operands: `cp.async.wait_all;`, but not `exit;` and the like, which leave.
  bool is_lone(const PtxStatement &statement) {
    skip_space();
    return text_.starts_with(";") && statement.words.size() > 1;
  }

  /// The destination, a predicate beside it, and the sources.
  bool parse_destination(PtxStatement &statement) {
    std::optional<PtxOperand> destination = parse_operand();
    if (!destination)
      return false;
    statement.operands.push_back(std::move(*destination));
    if (take("|")) {
      statement.predicate = parse_operand();
      if (!statement.predicate)
        return false;
    }
    return !take(",") || parse_operands(statement.operands);
  }

  bool parse_operands(std::vector<PtxOperand> &operands) {
    do {
      std::optional<PtxOperand> operand = parse_operand();
      if (!operand)
        return false;
      operands.push_back(std::move(*operand));
    } while (take(","));
    return true;
  }

  std::optional<PtxOperand> parse_operand() {
    if (take("{"))
      return parse_parts(PtxOperand::Kind::tuple, "}");
    if (take("["))
      return parse_address();
    skip_space();
    if (text_.starts_with("$") && text_.size() > 1 && isDigit(text_[1]))
      return parse_number(PtxOperand::Kind::assembly, text_.drop_front());
    if (text_.starts_with("-") || (!text_.empty() && isDigit(text_.front())))
      return parse_immediate();
    const StringRef name = text_.starts_with("%") ? take_special_name() : take_name();
    std::optional<PtxOperand> declared = resolved(name);
    if (!declared && name.starts_with("%"))
      return PtxOperand{.kind = PtxOperand::Kind::special, .parts = {}, .name = name.drop_front()};
    return declared;
  }

  std::optional<PtxOperand> parse_parts(PtxOperand::Kind kind, StringRef end) {
    PtxOperand operand{.kind = kind, .parts = {}};
    if (!parse_operands(operand.parts) || !take(end))
      return std::nullopt;
    return operand;
  }

  /// `[$1]`, `[$1+16]`.
  std::optional<PtxOperand> parse_address() {
    PtxOperand operand{.kind = PtxOperand::Kind::address, .parts = {}};
    std::optional<PtxOperand> base = parse_operand();
    if (!base)
      return std::nullopt;
    operand.parts.push_back(std::move(*base));
    if (take("+")) {
      std::optional<PtxOperand> offset = parse_operand();
      if (!offset)
        return std::nullopt;
      operand.parts.push_back(std::move(*offset));
    }
    return take("]") ? std::optional(std::move(operand)) : std::nullopt;
  }

  std::optional<PtxOperand> parse_number(PtxOperand::Kind kind, StringRef digits) {
    PtxOperand operand{.kind = kind, .parts = {}};
    if (digits.consumeInteger(10, operand.number))
      return std::nullopt;
    text_ = digits;
    return operand;
  }

  /// `0x3fb8aa3bU`, `0f3F800000`, `16`, `-1`.
  std::optional<PtxOperand> parse_immediate() {
    const bool is_negative = take("-");
    StringRef digits = text_.take_while(isAlnum);
    text_ = text_.drop_front(digits.size());
    const bool is_hexadecimal = any_of(ArrayRef<StringRef>{"0x", "0f", "0d"},
                                       [&](StringRef prefix) { return digits.consume_front_insensitive(prefix); });
    digits.consume_back("U");
    PtxOperand operand{.parts = {}};
    if (digits.getAsInteger(is_hexadecimal ? 16 : 10, operand.number))
      return std::nullopt;
    if (is_negative)
      operand.number = -operand.number;
    return operand;
  }

  /// A register of the innermost block that declares the name.
  std::optional<PtxOperand> resolved(StringRef name) const {
    if (name == "WARP_SZ")
      return PtxOperand{.number = lanes_of_a_warp, .parts = {}};
    for (const StringMap<std::uint64_t> &scope : reverse(scopes_))
      if (const auto found = scope.find(name); found != scope.end())
        return PtxOperand{.kind = PtxOperand::Kind::reg, .number = found->second, .parts = {}};
    return std::nullopt;
  }

  StringRef text_;
  PtxBlock block_;
  std::vector<StringMap<std::uint64_t>> scopes_;
};

} // namespace

std::optional<PtxBlock> parse_ptx(StringRef text) {
  return PtxParser(text).parse();
}

} // namespace assay::engine
