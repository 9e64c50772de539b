// A finding of AddressSanitizer is a block: a headline, `READ of size 8 at ...`, and a stack, whose first frame with a
// line of the program is the place. One of UndefinedBehaviorSanitizer is a line that begins with its place.

#include "cli/sanitizer_findings.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>

namespace assay::cli {

namespace {

/// The stack of one finding, and the lines before it.
class Block {
public:
  void begin(std::string what) {
    finding_.emplace();
    finding_->what = std::move(what);
  }

  void read(const std::string &line) {
    static const std::regex access("^(READ|WRITE) of size [0-9]+");
    static const std::regex frame("^ +#[0-9]+ 0x[0-9a-f]+ in (.+) (/[^ ]*:[0-9]+(:[0-9]+)?)$");
    std::smatch match;
    if (!finding_ || is_placed())
      return;
    if (std::regex_search(line, match, access))
      finding_->what += ", " + match.str();
    else if (std::regex_match(line, match, frame) && !is_of_runtime(match.str(2))) {
      finding_->function = match.str(1);
      finding_->place = match.str(2);
    }
  }

  /// The finding, when all of it has been read.
  std::optional<SanitizerFinding> take() { return std::exchange(finding_, std::nullopt); }

private:
  bool is_placed() const { return !finding_->place.empty(); }
  static bool is_of_runtime(const std::string &place) {
    return place.find("/compiler-rt/") != std::string::npos || place.find("/csu/") != std::string::npos;
  }

  std::optional<SanitizerFinding> finding_;
};

class Reader {
public:
  std::vector<SanitizerFinding> read(const std::string &output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
      read_line(line);
    end_block();
    return std::move(found_);
  }

private:
  void read_line(const std::string &line) {
    static const std::regex undefined("^(.+:[0-9]+:[0-9]+): runtime error: (.+)$");
    static const std::regex error("^==[0-9]+==ERROR: AddressSanitizer: ([^ ]+( on unknown address)?)");
    static const std::regex leak("^(Direct|Indirect) leak of [0-9]+ byte\\(s\\) in [0-9]+ object\\(s\\)");
    std::smatch match;
    if (std::regex_match(line, match, undefined)) {
      end_block();
      add({match.str(2), match.str(1), {}});
    } else if (std::regex_search(line, match, error)) {
      end_block();
      block_.begin(match.str(1));
    } else if (std::regex_search(line, match, leak)) {
      end_block();
      block_.begin(match.str());
    } else {
      block_.read(line);
    }
  }

  void end_block() {
    if (std::optional<SanitizerFinding> finding = block_.take())
      add(std::move(*finding));
  }

  /// A loop may come by many times.
  void add(SanitizerFinding finding) {
    if (std::ranges::find(found_, finding) == found_.end())
      found_.push_back(std::move(finding));
  }

  Block block_;
  std::vector<SanitizerFinding> found_;
};

} // namespace

std::vector<SanitizerFinding> sanitizer_findings(const std::string &output) {
  return Reader().read(output);
}

std::string without_shadow_map(const std::string &output) {
  std::istringstream lines(output);
  std::string kept;
  bool is_map = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Shadow bytes around"))
      is_map = true;
    else if (is_map && !line.starts_with("  ") && !line.starts_with("=>") && !line.starts_with("Shadow byte legend"))
      is_map = false;
    if (!is_map)
      kept += line + "\n";
  }
  return kept;
}

} // namespace assay::cli
