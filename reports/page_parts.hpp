#pragma once
// The files of page/ and the plotting library, built in.

#include <string>
#include <vector>

namespace assay::reports {

struct PagePart {
  std::string name; ///< Of its place in the page: `style`, `charts`, ...
  std::string text;
};

std::vector<PagePart> page_parts();

/// page.html.
std::string page_text();

} // namespace assay::reports
