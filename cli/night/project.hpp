#pragma once
// The functions of a project that a night checks: those that its sources mark with ASSAY_CHECK.

#include "cli/load_functions.hpp"

#include <deque>
#include <map>
#include <string>

namespace assay::cli {

/// A function, or a file that could not be read: that is a case as well, and it fails.
struct ProjectFunction {
  const FunctionToCheck *to_check = nullptr;
  std::string refusal; ///< Why there is no function.
};

class NightProject {
public:
  /// Compiles what there is in `folder` and below. Throws jit::BadRequest where nothing is marked.
  NightProject(const std::filesystem::path &folder, const CheckSettings &settings, Console &console);
  /// Without functions.
  NightProject() = default;
  /// The shipped examples.
  NightProject(const CheckSettings &settings, Console &console);

  /// By names as ProjectCase has them.
  const std::map<std::string, ProjectFunction> &functions() const { return by_name_; }
  /// Of the folder, for people and for the history; empty for the shipped examples.
  const std::string &name() const { return name_; }

private:
  void load(const std::filesystem::path &file, const std::string &shown, const CheckSettings &settings,
            Console &console);

  std::string name_;
  std::deque<jit::ModuleFile> files_;
  std::deque<FunctionToCheck> functions_;
  std::map<std::string, ProjectFunction> by_name_;
};

} // namespace assay::cli
