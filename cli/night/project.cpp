#include "cli/night/project.hpp"

#include "cli/installation.hpp"
#include "cli/project_file.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// Of people's files: folders with a dot before their names, and build trees, are not sources.
bool is_passed_over(const fs::directory_entry &entry) {
  std::error_code ignored;
  return entry.path().filename().string().starts_with('.') || fs::exists(entry.path() / "CMakeCache.txt", ignored);
}

bool is_source(const fs::path &path) {
  const jit::Language language = jit::language_of(path);
  return language == jit::Language::c || language == jit::Language::cpp;
}

/// Without a look at the text every file of a large project would be compiled.
bool mentions_marks(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str().find("ASSAY_CHECK") != std::string::npos;
}

std::set<fs::path> marked_files(const fs::path &folder) {
  std::set<fs::path> files; // Sorted: the order of cases must not depend on the file system.
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    const bool is_folder = entries->is_directory(error);
    if (is_folder && is_passed_over(*entries))
      entries.disable_recursion_pending();
    else if (!is_folder && entries->is_regular_file(error) && is_source(entries->path()) &&
             mentions_marks(entries->path()))
      files.insert(entries->path());
  }
  return files;
}

} // namespace

WorkingFolder::WorkingFolder(const fs::path &folder) : before_(fs::current_path()) {
  fs::current_path(folder);
}

WorkingFolder::~WorkingFolder() {
  std::error_code ignored;
  fs::current_path(before_, ignored);
}

NightProject::NightProject(const fs::path &folder, const CheckSettings &settings, Console &console)
    : name_(fs::weakly_canonical(folder).filename().string()) {
  if (!fs::is_directory(folder))
    throw jit::BadRequest(
        fmt::format("{} is not a folder; PROJECT is the one with the project's sources", folder.string()));
  if (const auto file = project_in(folder)) {
    const fs::path whole = fs::absolute(*file);
    working_folder_ = std::make_unique<WorkingFolder>(folder);
    load_project_file(whole, settings, console);
    return;
  }
  for (const fs::path &file : marked_files(folder))
    load(file, file.lexically_relative(folder).generic_string(), settings, console);
  if (by_name_.empty())
    throw jit::BadRequest(
        fmt::format("no source in {} marks a function with ASSAY_CHECK, and it has no assay.toml", folder.string()));
}

NightProject::NightProject(const CheckSettings &settings, Console &console) {
  for (const fs::path &file : program_files(examples_directory()))
    load(file, file.filename().string(), settings, console);
}

void NightProject::load_project_file(const fs::path &file, const CheckSettings &settings, Console &console) {
  CheckArguments defaults;
  defaults.settings = settings;
  const Project project = read_project(file, defaults);
  known_failures_ = project.known_failures;
  for (const ProjectCheck &part : project.checks)
    add(
        part.name, [&] { static_cast<void>(load_functions(part.arguments, console, files_, functions_)); },
        [](const CheckRequest &request) { return request.file.generic_string(); });
  if (by_name_.empty())
    throw jit::BadRequest(fmt::format("{} names no function to check", file.string()));
}

void NightProject::load(const fs::path &file, const std::string &shown, const CheckSettings &settings,
                        Console &console) {
  add(
      shown, [&] { load_marked(file, settings, console, files_, functions_); },
      [&](const CheckRequest &) { return shown; });
}

void NightProject::add(const std::string &part, const std::function<void()> &load,
                       const std::function<std::string(const CheckRequest &)> &name_of_file) {
  const std::size_t before = functions_.size();
  try {
    load();
  } catch (const jit::BadRequest &error) {
    functions_.resize(before, FunctionToCheck{nullptr, {}});
    by_name_[fmt::format("{}:", part)].refusal = error.what();
    return;
  }
  for (std::size_t index = before; index < functions_.size(); ++index) {
    const CheckRequest &request = functions_[index].request;
    const std::string name = fmt::format("{}:{}", name_of_file(request), request.name);
    std::string free_name = name;
    for (unsigned mark = 2; by_name_.contains(free_name); ++mark)
      free_name = fmt::format("{}#{}", name, mark);
    by_name_[free_name].to_check = &functions_[index];
  }
}

} // namespace assay::cli
