#pragma once
// Places in source files as editors count them: lines and columns from 0, columns in UTF-16 units.

#include "core/jit/module_file.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

/// Part of one line.
struct SourceRange {
  std::filesystem::path file; ///< Absolute.
  std::size_t line = 0, begin = 0, end = 0;
  friend bool operator==(const SourceRange &, const SourceRange &) = default;
};

/// Line `line`, counted from 1, without the space around it; the beginning of the file where there is no such line.
SourceRange whole_line(const std::filesystem::path &file, std::size_t line);

/// The word that begins at a byte of a line, both counted from 1 as compilers count.
SourceRange word_at(const std::filesystem::path &file, std::size_t line, std::size_t byte);

/// `word` in a line, or the whole line.
SourceRange word_in(const std::filesystem::path &file, std::size_t line, std::string_view word);

/// The name of a function where it is defined, by its debug information.
std::optional<SourceRange> place_of_function(const jit::ModuleFile &file, std::string_view symbol);

/// The same by its qualified name.
std::optional<SourceRange> place_of_function_named(const jit::ModuleFile &file, std::string_view name);

} // namespace assay::cli
