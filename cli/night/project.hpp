#pragma once
// The functions of a project that a night checks: those that its assay.toml names, or without one those that its
// sources mark with ASSAY_CHECK.

#include "cli/known_failures.hpp"
#include "cli/load_functions.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace assay::cli {

/// A function, or a file that could not be read: that is a case as well, and it fails.
struct ProjectFunction {
  const FunctionToCheck *to_check = nullptr;
  std::string refusal; ///< Why there is no function.
};

/// The working folder of the process as long as the object lives: paths of an assay.toml are meant from its own.
class WorkingFolder {
public:
  explicit WorkingFolder(const std::filesystem::path &folder);
  ~WorkingFolder();
  WorkingFolder(const WorkingFolder &) = delete;
  WorkingFolder &operator=(const WorkingFolder &) = delete;

private:
  std::filesystem::path before_;
};

class NightProject {
public:
  /// Compiles the files in `folder` and below. Where it has an assay.toml, the process works there as long as the
  /// object lives. Throws jit::BadRequest where there is no function.
  NightProject(const std::filesystem::path &folder, const CheckSettings &settings, Console &console);
  /// Without functions.
  NightProject() = default;
  /// The shipped examples.
  NightProject(const CheckSettings &settings, Console &console);

  /// By names as ProjectCase has them.
  const std::map<std::string, ProjectFunction> &functions() const { return by_name_; }
  /// Of the folder, for people and for the history; empty for the shipped examples.
  const std::string &name() const { return name_; }

  /// Failures that the assay.toml knows of.
  const std::vector<KnownFailure> &known_failures() const { return known_failures_; }

private:
  void load_project_file(const std::filesystem::path &file, const CheckSettings &settings, Console &console);
  /// The functions that `load` adds, by names that begin with the file; `part` stands for a file that cannot be loaded.
  void add(const std::string &part, const std::function<void()> &load,
           const std::function<std::string(const CheckRequest &)> &name_of_file);
  void load(const std::filesystem::path &file, const std::string &shown, const CheckSettings &settings,
            Console &console);

  std::unique_ptr<WorkingFolder> working_folder_;
  std::string name_;
  std::vector<KnownFailure> known_failures_;
  std::deque<jit::ModuleFile> files_;
  std::deque<FunctionToCheck> functions_;
  std::map<std::string, ProjectFunction> by_name_;
};

} // namespace assay::cli
