#include "cli/source_place.hpp"

#include "core/jit/function_names.hpp"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Absent where the file has no such line.
std::optional<std::string> text_of_line(const fs::path &file, std::size_t line) {
  std::ifstream stream(file);
  std::string text;
  for (std::size_t number = 0; number < line; ++number)
    if (!std::getline(stream, text))
      return std::nullopt;
  return line == 0 ? std::nullopt : std::optional(text);
}

/// UTF-16 units of the first bytes of UTF-8 text: what needs four bytes here needs two units there.
std::size_t utf16_units(std::string_view text) {
  constexpr unsigned char continuation_mask = 0xc0, continuation = 0x80, four_bytes = 0xf0;
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & continuation_mask) == continuation ? 0 : byte >= four_bytes ? 2 : 1;
  }
  return units;
}

SourceRange range_of(const fs::path &file, std::size_t line, std::string_view text, std::size_t begin,
                     std::size_t end) {
  return {fs::absolute(file).lexically_normal(), line - 1, utf16_units(text.substr(0, begin)),
          utf16_units(text.substr(0, end))};
}

SourceRange beginning_of(const fs::path &file) {
  return {fs::absolute(file).lexically_normal(), 0, 0, 0};
}

} // namespace

SourceRange whole_line(const fs::path &file, std::size_t line) {
  const std::optional<std::string> text = text_of_line(file, line);
  if (!text)
    return beginning_of(file);
  const std::size_t begin = text->find_first_not_of(" \t\r");
  if (begin == std::string::npos)
    return range_of(file, line, *text, 0, 0);
  return range_of(file, line, *text, begin, text->find_last_not_of(" \t\r") + 1);
}

SourceRange word_at(const fs::path &file, std::size_t line, std::size_t byte) {
  const std::optional<std::string> text = text_of_line(file, line);
  if (!text)
    return beginning_of(file);
  const std::size_t begin = std::min(std::max<std::size_t>(byte, 1) - 1, text->size());
  std::size_t end = begin;
  while (end < text->size() && is_of_word((*text)[end]))
    ++end;
  if (end == begin && end < text->size())
    ++end;
  return range_of(file, line, *text, begin, end);
}

SourceRange word_in(const fs::path &file, std::size_t line, std::string_view word) {
  const std::string text = text_of_line(file, line).value_or("");
  for (std::size_t at = text.find(word); !word.empty() && at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end])))
      return range_of(file, line, text, at, end);
  }
  return whole_line(file, line);
}

std::optional<SourceRange> place_of_function(const jit::ModuleFile &file, std::string_view symbol) {
  const llvm::Function *function = file.module().getFunction(symbol);
  const llvm::DISubprogram *subprogram = function ? function->getSubprogram() : nullptr;
  if (!subprogram || subprogram->getLine() == 0)
    return std::nullopt;
  const fs::path path = fs::path(subprogram->getDirectory().str()) / subprogram->getFilename().str();
  return word_in(path, subprogram->getLine(), subprogram->getName().str());
}

std::optional<SourceRange> place_of_function_named(const jit::ModuleFile &file, std::string_view name) {
  for (const llvm::Function &function : file.module())
    if (function.getSubprogram() && jit::qualified_name(function.getName().str()) == name)
      if (auto place = place_of_function(file, function.getName().str()))
        return place;
  return std::nullopt;
}

} // namespace assay::cli
