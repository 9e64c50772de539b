#pragma once
// One record of `assay check` again: its combination, with the options of that check.

#include "cli/console.hpp"
#include "cli/load_functions.hpp"

#include <filesystem>
#include <optional>

namespace assay::cli {

class RecordReplay {
public:
  /// `number` counts from 1; `project` is where the record's files are now, without it where they were or here. Throws
  /// jit::BadRequest where `folder` has no such record.
  RecordReplay(const std::filesystem::path &folder, std::size_t number, const std::string &program,
               std::optional<std::filesystem::path> project);

  /// Compiles and checks, shows the outcome, and says whether it is as recorded; nothing more after an interruption.
  void run(Console &console);
  bool is_as_recorded() const { return is_as_recorded_; }
  const reports::Record &recorded() const { return recorded_; }
  /// The outcome; nothing where there is no such combination any more.
  const std::vector<reports::Record> &records() const { return records_; }
  const FunctionToCheck &function() const { return functions_.front(); }

private:
  void enter_directory() const;
  void check(Console &console);
  void compare(Console &console);

  reports::Record recorded_;
  std::string program_;
  std::optional<std::filesystem::path> project_;
  std::deque<jit::ModuleFile> files_;
  std::deque<FunctionToCheck> functions_;
  std::vector<reports::Record> records_;
  bool is_as_recorded_ = false;
};

} // namespace assay::cli
