#include "cli/project_file.hpp"

#include "cli/project_table.hpp"
#include "core/jit/bad_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// Patterns are replaced by the files that they fit.
std::vector<fs::path> files_of(ProjectTable &table, const fs::path &folder) {
  std::vector<fs::path> files;
  for (const std::string &pattern : table.strings("files")) {
    glob_t found{};
    const int status = ::glob((folder / pattern).c_str(), 0, nullptr, &found);
    for (std::size_t index = 0; status == 0 && index < found.gl_pathc; ++index)
      files.push_back(fs::path(found.gl_pathv[index]).lexically_relative(folder).lexically_normal());
    ::globfree(&found);
    if (status != 0)
      table.reject("files",
                   fmt::format("no file fits '{}' in {}", pattern, fs::absolute(folder).lexically_normal().string()));
  }
  return files;
}

ProjectCheck check_of(ProjectTable &table, const fs::path &folder, const CheckArguments &defaults) {
  ProjectCheck check{{}, defaults};
  CheckArguments &arguments = check.arguments;
  read_options(table, arguments);
  arguments.files = files_of(table, folder);
  if (arguments.files.empty())
    table.reject("[[check]] needs files = [\"...\"]");
  check.name = table.string("name").value_or(arguments.files.front().string());
  for (std::string &name : table.strings("functions"))
    arguments.functions.push_back({std::move(name), {}});
  const std::vector<std::string> specs = table.strings("args");
  if (!specs.empty() && arguments.functions.size() != 1)
    table.reject("args", "it describes the parameters of one function: name that with function = \"...\"");
  if (!specs.empty())
    arguments.functions.front().arguments = specs;
  if (table.boolean("all").value_or(false)) {
    if (!arguments.functions.empty())
      table.reject("all", "it stands for every function: leave out function and functions");
    arguments.choice = FunctionChoice::every_describable;
  }
  table.reject_unread();
  return check;
}

KnownFailure known_failure_of(ProjectTable &table) {
  KnownFailure known;
  known.place = table.place();
  known.function = table.required_string("function", "the function that fails");
  known.file = table.string("file").value_or("");
  known.mode = table.string("mode").value_or("");
  if (!known.mode.empty() && known.mode != "forward" && known.mode != "reverse")
    table.reject("mode", fmt::format("'{}' is neither \"forward\" nor \"reverse\"", known.mode));
  known.reason = table.required_string("reason", "why it fails");
  known.expires = table.day("expires").value_or("");
  if (known.expires.empty())
    table.reject("[[known-failure]] needs expires = YYYY-MM-DD, the last day on which it counts");
  table.reject_unread();
  return known;
}

} // namespace

std::optional<fs::path> project_in(const fs::path &folder) {
  std::error_code error;
  const fs::path file = folder / "assay.toml";
  if (fs::is_regular_file(file, error))
    return file;
  const fs::file_status status = fs::symlink_status(file, error);
  if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
    return std::nullopt;
  throw jit::BadRequest(
      fmt::format("{} is {}; make it a file that says what is checked, or remove it", file.lexically_normal().string(),
                  fs::is_symlink(status) && !fs::exists(file, error) ? "a link to nothing" : "no file"));
}

Project read_project(const fs::path &file, const CheckArguments &defaults) {
  const ProjectDocument document(file);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  ProjectTable root = document.root();
  Project project{file, {}, {}};
  CheckArguments common = defaults;
  read_options(root, common);
  for (ProjectTable &table : root.tables("check"))
    project.checks.push_back(check_of(table, folder, common));
  for (ProjectTable &table : root.tables("known-failure"))
    project.known_failures.push_back(known_failure_of(table));
  root.reject_unread();
  if (project.checks.empty())
    throw jit::BadRequest(fmt::format("{} has no [[check]]: it says what is checked, for example [[check]] "
                                      "files = [\"src/*.cpp\"]",
                                      file.string()));
  return project;
}

} // namespace assay::cli
