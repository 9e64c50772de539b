#pragma once
// One table of an assay.toml: values by their keys, each of the type that is asked for. An error is one line with
// file and line, a key that nobody asked for included.

#include "cli/check_command.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class ProjectTable {
public:
  struct Content; ///< Of the TOML library.
  ProjectTable(const std::filesystem::path &file, std::string title, const Content &content);
  ~ProjectTable();
  ProjectTable(ProjectTable &&) noexcept;

  std::optional<std::string> string(std::string_view key);
  std::string required_string(std::string_view key, std::string_view meaning);
  /// A list, or the one string of `files` under `file`.
  std::vector<std::string> strings(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<double> number(std::string_view key);
  std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t least, std::uint64_t most);
  /// YYYY-MM-DD, as a date or as a string.
  std::optional<std::string> day(std::string_view key);
  std::vector<ProjectTable> tables(std::string_view key);

  /// `assay.toml:12`.
  std::string place() const;
  [[noreturn]] void reject(std::string_view key, const std::string &problem) const;
  [[noreturn]] void reject(const std::string &problem) const;
  /// Keys that were not asked for.
  void reject_unread() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A parsed file. Throws jit::BadRequest.
class ProjectDocument {
public:
  explicit ProjectDocument(const std::filesystem::path &file);
  ~ProjectDocument();
  ProjectTable root() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The options of `assay check` that have a value, under their names: seed, samples, rtol, flags, with, ...
void read_options(ProjectTable &table, CheckArguments &arguments);

} // namespace assay::cli
