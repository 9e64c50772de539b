#include "reports/printable.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace assay::reports {

namespace {

std::uint8_t byte_at(std::string_view text, std::size_t index) {
  return static_cast<std::uint8_t>(text[index]);
}

/// Bytes that a character has which begins so; 0 where none does.
std::size_t size_of_character(std::uint8_t first) {
  if (first < 0x80)
    return 1;
  if (first >= 0xc2 && first < 0xe0)
    return 2;
  if (first >= 0xe0 && first < 0xf0)
    return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// Neither shortest forms alone nor surrogates are seen from the number of bytes.
bool is_character(std::uint32_t code, std::size_t size) {
  const std::uint32_t least = size == 1 ? 0 : size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
  const bool is_surrogate = code >= 0xd800 && code < 0xe000, is_in_xml = code != 0xfffe && code != 0xffff;
  return code >= least && code <= 0x10ffff && !is_surrogate && is_in_xml;
}

bool is_control(std::uint32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
}

/// Bytes of the printable character that `text` begins with; 0: there is none.
std::size_t printable_size(std::string_view text) {
  constexpr unsigned bits = 6, mask = 0x3f;
  const std::size_t size = size_of_character(byte_at(text, 0));
  if (size == 0 || size > text.size())
    return 0;
  std::uint32_t code = size == 1 ? byte_at(text, 0) : byte_at(text, 0) & (0x7fU >> size);
  for (std::size_t index = 1; index < size; ++index) {
    if (byte_at(text, index) >> bits != 2)
      return 0;
    code = code << bits | (byte_at(text, index) & mask);
  }
  return is_character(code, size) && !is_control(code) ? size : 0;
}

} // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = printable_size(text);
    if (size == 0)
      result += fmt::format("\\x{:02x}", byte_at(text, 0));
    else
      result += text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

} // namespace assay::reports
