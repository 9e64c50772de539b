#include "reports/html_page.hpp"

namespace assay::reports {
std::string to_html_page(const Run &run) {
  return closing_line(totals_of(run.records));
}
} // namespace assay::reports
