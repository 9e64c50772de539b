#include "reports/page_parts.hpp"

#include <string_view>

namespace assay::reports {

namespace {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
constexpr char page[] = {
#embed "page/page.html"
};
constexpr char style[] = {
#embed "page/page.css"
};
constexpr char library[] = {
#embed ASSAY_CHART_LIBRARY
};
constexpr char model[] = {
#embed "page/model.js"
};
constexpr char charts[] = {
#embed "page/charts.js"
};
constexpr char matrix[] = {
#embed "page/matrix.js"
};
constexpr char details[] = {
#embed "page/details.js"
};
constexpr char browse[] = {
#embed "page/browse.js"
};
#pragma clang diagnostic pop

template <std::size_t size>
std::string text_of(const char (&bytes)[size]) {
  return {bytes, size};
}

} // namespace

std::vector<PagePart> page_parts() {
  return {{"style", text_of(style)},   {"library", text_of(library)}, {"model", text_of(model)},
          {"charts", text_of(charts)}, {"matrix", text_of(matrix)},   {"details", text_of(details)},
          {"browse", text_of(browse)}};
}

std::string page_text() {
  return text_of(page);
}

} // namespace assay::reports
