#include "reports/markup.hpp"

#include "reports/printable.hpp"

namespace assay::reports {

std::string escape_markup(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

} // namespace assay::reports
