#include "core/jit/fortran_marks.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/function_names.hpp"
#include "llvm/ADT/StringRef.h"
#include <fmt/format.h>
#include <fstream>

namespace assay::jit {

namespace {

class MarkReader {
public:
  MarkReader(const std::filesystem::path &file, const std::vector<std::string> &functions)
      : file_(file), functions_(functions) {}

  std::vector<CheckMark> read() {
    std::ifstream stream(file_);
    for (std::string line; std::getline(stream, line);) {
      ++number_;
      llvm::StringRef text = llvm::StringRef(line).trim();
      const bool is_comment = text.consume_front("!") || text.consume_front_insensitive("c") || text.consume_front("*");
      text = text.ltrim();
      if (!is_comment || !text.consume_front("ASSAY_CHECK"))
        continue;
      const bool fails = text.consume_front("_FAILS");
      if (!text.consume_front("(") || !text.consume_back(")"))
        continue; // Prose.
      marks_.push_back(mark(text));
      marks_.back().expectation = fails ? CheckMark::Expectation::fails : CheckMark::Expectation::passes;
    }
    return std::move(marks_);
  }

private:
  [[noreturn]] void reject(const std::string &problem) const {
    throw BadRequest(fmt::format("{}:{}: ASSAY_CHECK: {}; a mark is one line, such as ! ASSAY_CHECK(dot, "
                                 "\"double[n]\", \"double[n]\", \"int=8\")",
                                 file_.string(), number_, problem));
  }

  CheckMark mark(llvm::StringRef text) const {
    CheckMark mark;
    const auto [name, specs] = text.split(',');
    mark.name = name.trim().str();
    for (llvm::StringRef rest = specs.trim(); !rest.empty();) {
      if (!rest.consume_front("\""))
        reject(fmt::format("'{}' is not in quotation marks", rest.str()));
      const std::size_t end = rest.find('"');
      if (end == llvm::StringRef::npos)
        reject("a quotation mark is missing");
      mark.arguments.push_back(rest.take_front(end).str());
      rest = rest.drop_front(end + 1).ltrim();
      rest.consume_front(",");
      rest = rest.ltrim();
    }
    const std::vector<std::string> found = functions_named(mark.name, functions_);
    if (found.size() != 1)
      reject(fmt::format("there is {} procedure '{}'", found.empty() ? "no" : "more than one", mark.name));
    mark.linkage_name = found.front();
    return mark;
  }

  const std::filesystem::path &file_;
  const std::vector<std::string> &functions_;
  std::vector<CheckMark> marks_;
  unsigned number_ = 0;
};

} // namespace

std::vector<CheckMark> fortran_marks(const std::filesystem::path &file, const std::vector<std::string> &functions) {
  return MarkReader(file, functions).read();
}

} // namespace assay::jit
