#include "cli/night/log.hpp"

#include "cli/digest.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/grouping.hpp"
#include "reports/json_lines.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using jit::BadRequest;

template <typename T>
Json json_of(const std::optional<T> &value) {
  return value ? Json(*value) : Json(nullptr);
}

template <typename T>
std::optional<T> optional_from(const Json &json) {
  return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

Json json_of(const NightHead &head) {
  const reports::Provenance &here = head.provenance;
  return {{"kind", "night"},
          {"schema_version", reports::schema_version},
          {"night", head.id},
          {"command", head.command},
          {"seed", head.plan.seed},
          {"shard", head.plan.shard.number},
          {"shards", head.plan.shard.count},
          {"cases", json_of(head.plan.cases)},
          {"budget_seconds", json_of(head.plan.budget_seconds)},
          {"project", head.project},
          {"folder", head.folder},
          {"functions", head.plan.functions},
          {"known", head.plan.known},
          {"listed", head.plan.listed},
          {"checks", Json::parse(head.checks)},
          {"sources", head.sources},
          {"assay", here.assay},
          {"llvm", here.llvm},
          {"flags", here.flags},
          {"cpu", here.cpu},
          {"libm", head.libm}};
}

NightHead head_from(const Json &json) {
  NightHead head;
  head.id = json.at("night");
  head.command = json.at("command");
  head.plan.seed = json.at("seed");
  head.plan.shard = {json.at("shard"), json.at("shards")};
  head.plan.cases = optional_from<std::size_t>(json.at("cases"));
  head.plan.budget_seconds = optional_from<double>(json.at("budget_seconds"));
  head.project = json.at("project");
  head.folder = json.at("folder");
  head.plan.functions = json.at("functions").get<std::vector<std::string>>();
  head.plan.known = json.at("known").get<std::vector<std::string>>();
  head.plan.listed = json.at("listed").get<std::vector<std::string>>();
  head.checks = json.at("checks").dump();
  head.sources = json.value("sources", head.sources); // Absent in nights of earlier versions.
  head.provenance.assay = json.at("assay");
  head.provenance.llvm = json.at("llvm");
  head.provenance.flags = json.at("flags");
  head.provenance.cpu = json.at("cpu");
  head.libm = json.at("libm").get<std::map<std::string, std::string>>();
  return head;
}

Json json_of(const LoggedCase &logged) {
  return {{"kind", "case"},
          {"schema_version", reports::schema_version},
          {"index", logged.index},
          {"case", logged.id},
          {"outcome", name_of(outcome_of(logged))},
          {"verdict", verdict_of(logged)},
          {"records", logged.records.size()},
          {"elapsed", logged.elapsed}};
}

fs::path records_file(const fs::path &folder) {
  return folder / "records.jsonl";
}

std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string text_of(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw BadRequest(fmt::format("no night in {}: {} is not there", file.parent_path().string(), file.string()));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Takes lines one by one; only those of whole cases count.
class NightReader {
public:
  explicit NightReader(const fs::path &file) : file_(file) {}

  NightRecords read(std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
      ++line_;
      const Json json = Json::parse(text.substr(begin, end - begin), nullptr, false);
      const bool is_last = text.find('\n', end + 1) == std::string_view::npos;
      if (!json.is_object() || !json.contains("kind")) {
        if (is_last)
          break; // Torn, and something came behind it.
        refuse("is no line of a report");
      }
      take(json, text.substr(begin, end - begin), end + 1);
    }
    return std::move(night_);
  }

private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw BadRequest(fmt::format("{}:{} {}; is it the folder of a night?", file_.string(), line_, why));
  }

  void take(const Json &json, std::string_view line, std::size_t end) {
    try {
      const std::string kind = json.at("kind");
      if (line_ == 1 && kind != "night")
        refuse("does not begin a night");
      if (kind == "night")
        night_.head = head_from(json);
      else if (kind == "record")
        pending_.push_back(reports::record_from_json_line(line));
      else if (kind == "case")
        finish_case(json);
      else if (kind == "totals")
        night_.is_complete = true;
      if (kind != "record")
        night_.whole_bytes = end;
    } catch (const nlohmann::json::exception &) {
      refuse(fmt::format("is no line of schema version {}", reports::schema_version));
    }
  }

  void finish_case(const Json &json) {
    LoggedCase logged{json.at("index"), json.at("case"), json.at("elapsed"), std::move(pending_)};
    pending_.clear();
    if (logged.records.size() != json.at("records"))
      refuse("has another number of records before it than it says");
    night_.cases.push_back(std::move(logged));
  }

  fs::path file_;
  NightRecords night_;
  std::vector<reports::Record> pending_;
  std::size_t line_ = 0;
};

std::string reason() {
  return std::strerror(errno);
}

/// Released with the process, however that ends; a child does not inherit it.
int lock(const fs::path &file) {
  constexpr mode_t for_all = 0666;
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, for_all);
  if (descriptor < 0)
    throw BadRequest(fmt::format("--report: cannot write into {}: {}", file.parent_path().string(), reason()));
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_SETLK, &whole) == 0)
    return descriptor;
  ::close(descriptor);
  throw BadRequest(
      fmt::format("another process writes into {}; wait for it or name another folder", file.parent_path().string()));
}

} // namespace

bool holds_night(const fs::path &folder) {
  std::ifstream stream(records_file(folder), std::ios::binary);
  std::string line;
  return stream && std::getline(stream, line) && !stream.eof();
}

bool is_night(const fs::path &folder) {
  return reports::holds_records_of_night(folder);
}

NightRecords read_night(const fs::path &folder) {
  const fs::path file = records_file(folder);
  return NightReader(file).read(text_of(file));
}

reports::Outcome outcome_of(const LoggedCase &logged) {
  const auto any = [&](reports::Outcome outcome) {
    return std::ranges::any_of(logged.records, [&](const auto &record) { return record.outcome == outcome; });
  };
  if (any(reports::Outcome::failed))
    return reports::Outcome::failed;
  return any(reports::Outcome::undecided) ? reports::Outcome::undecided : reports::Outcome::passed;
}

std::string changed_sources(const NightHead &first, const NightHead &second) {
  constexpr std::size_t most_named = 5;
  std::vector<std::string> changed;
  for (const auto &[name, digest] : first.sources)
    if (const auto other = second.sources.find(name); other != second.sources.end() && other->second != digest)
      changed.push_back(name);
  const std::size_t named = std::min(changed.size(), most_named);
  return fmt::format("{}{}", fmt::join(changed.begin(), changed.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                     changed.size() > named ? fmt::format(" and {} more", changed.size() - named) : "");
}

std::string verdict_of(const LoggedCase &logged) {
  const auto decisive = std::ranges::find(logged.records, outcome_of(logged), &reports::Record::outcome);
  return decisive == logged.records.end() ? "nothing to check" : decisive->verdict;
}

std::string digest_of(std::vector<LoggedCase> cases) {
  std::ranges::sort(cases, {}, &LoggedCase::id);
  Digest digest;
  for (const LoggedCase &logged : cases) {
    digest.add(logged.id);
    for (const reports::Record &record : logged.records)
      digest.add(reports::combination_text(record))
          .add(record.provenance.inputs)
          .add(record.provenance.ir)
          .add(record.provenance.gradients)
          .add(record.verdict);
  }
  return digest.text();
}

NightLog::NightLog(const fs::path &folder) : file_(records_file(folder)) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw BadRequest(fmt::format("--report: cannot make the folder {}: {}", folder.string(), error.message()));
  lock_ = lock(folder / ".lock");
}

NightLog::~NightLog() {
  if (output_ >= 0)
    ::close(output_);
  if (lock_ >= 0)
    ::close(lock_);
}

void NightLog::open(std::uintmax_t size) {
  constexpr mode_t for_all = 0666;
  output_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, for_all);
  if (output_ < 0 || ::ftruncate(output_, static_cast<off_t>(size)) != 0)
    throw BadRequest(fmt::format("--report: cannot write {}: {}", file_.string(), reason()));
}

void NightLog::append(const std::string &text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const ssize_t written = ::write(output_, text.data() + begin, text.size() - begin);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      throw BadRequest(
          fmt::format("cannot write {}: {}; the same command goes on when there is room", file_.string(), reason()));
    begin += static_cast<std::size_t>(written);
  }
  if (::fdatasync(output_) != 0)
    throw BadRequest(fmt::format("cannot write {} to the disk: {}", file_.string(), reason()));
}

void NightLog::begin(const NightHead &head) {
  open(0);
  append(dump(json_of(head)));
}

void NightLog::go_on(const NightRecords &before) {
  open(before.whole_bytes);
}

void NightLog::add(std::span<const LoggedCase> cases) {
  std::string text;
  for (const LoggedCase &logged : cases) {
    for (const reports::Record &record : logged.records)
      text += reports::to_json_line(record) + "\n";
    text += dump(json_of(logged));
  }
  append(text);
}

void NightLog::end(const reports::Totals &totals, std::size_t cases) {
  append(dump({{"kind", "totals"},
               {"schema_version", reports::schema_version},
               {"cases", cases},
               {"checked", totals.checked},
               {"passed", totals.passed},
               {"failed", totals.failed},
               {"undecided", totals.undecided}}));
}

} // namespace assay::cli
