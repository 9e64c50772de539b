#pragma once
// Text for XML and HTML.

#include <string>
#include <string_view>

namespace assay::reports {

/// `<`, `>`, `&`, quotes as entities; control characters that XML does not allow as `?`.
std::string escape_markup(std::string_view text);

/// Replaces each `{{name}}` of `text` by `value(name)`.
template <typename Value>
std::string fill_template(std::string_view text, const Value &value) {
  std::string result;
  for (;;) {
    const std::size_t begin = text.find("{{"), end = text.find("}}", begin);
    if (begin == std::string_view::npos || end == std::string_view::npos)
      return result.append(text);
    result.append(text.substr(0, begin)).append(value(text.substr(begin + 2, end - begin - 2)));
    text.remove_prefix(end + 2);
  }
}

} // namespace assay::reports
