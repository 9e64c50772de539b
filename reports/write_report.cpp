#include "reports/write_report.hpp"

#include "reports/json_lines.hpp"
#include "reports/junit.hpp"
#include "reports/markdown.hpp"
#include "reports/report_page.hpp"
#include "reports/sarif.hpp"
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace assay::reports {

void write_whole_file(const std::filesystem::path &file, std::string_view text) {
  std::filesystem::path beside = file;
  beside += fmt::format(".{}.part", getpid());
  errno = 0; // Streams leave the reason there.
  std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  std::error_code error(stream ? 0 : errno, std::generic_category());
  if (stream)
    std::filesystem::rename(beside, file, error);
  if (!stream || error) {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    throw std::runtime_error(
        fmt::format("cannot write {}{}", file.string(), error ? fmt::format(": {}", error.message()) : ""));
  }
}

bool holds_records_of_night(const std::filesystem::path &folder) {
  std::ifstream stream(folder / "records.jsonl", std::ios::binary);
  std::string line;
  std::getline(stream, line);
  return is_head_of_night(line);
}

void write_report(const std::filesystem::path &folder, const Run &run, const Run *baseline) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  write_whole_file(folder / "records.jsonl", to_json_lines(run));
  write_whole_file(folder / "junit.xml", to_junit_xml(run));
  const auto changes = baseline ? std::optional(changes_since(*baseline, run)) : std::nullopt;
  write_whole_file(folder / "index.html", report_page(run, changes));
  write_whole_file(folder / "report.md", to_markdown(run, changes));
  write_whole_file(folder / "report.sarif", to_sarif(run, changes));
}

Run read_report(const std::filesystem::path &folder) {
  const std::filesystem::path file = folder / "records.jsonl";
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw std::runtime_error(fmt::format("no report in {}: {} is not there", folder.string(), file.string()));
  std::ostringstream text;
  text << stream.rdbuf();
  return run_from_json_lines(text.str());
}

} // namespace assay::reports
