#include "cli/source_loader.hpp"

#include "cli/compile_flags.hpp"
#include "cli/installation.hpp"
#include <algorithm>

namespace assay::cli {

namespace fs = std::filesystem;

/// Files of both languages may be one request.
static bool is_standard_of_other(jit::Language language, const std::string &flag) {
  if (!flag.starts_with("-std="))
    return false;
  const bool is_cpp = flag.find("++") != std::string::npos;
  return is_cpp ? language == jit::Language::c : language == jit::Language::cpp || language == jit::Language::cuda;
}

SourceLoader::SourceLoader(const CheckSettings &settings, std::vector<fs::path> files)
    : settings_(settings), files_(std::move(files)) {
  if (settings_.sources.build)
    database_.emplace(*settings_.sources.build);
}

jit::CompileOptions SourceLoader::options_for(const fs::path &file) const {
  jit::CompileOptions options;
  options.level = settings_.level;
  options.include_directories.push_back(include_directory());
  options.flags = flags_of_user(settings_.sources.flags).flags;
  std::erase_if(options.flags,
                [&](const std::string &flag) { return is_standard_of_other(jit::language_of(file), flag); });
  if (!database_ || jit::language_of(file) == jit::Language::llvm)
    return options;
  const CompileCommand command = database_->command_for(file);
  std::vector<std::string> flags = flags_of_build(command.words).flags;
  std::ranges::copy(with_absolute_paths(options.flags), std::back_inserter(flags));
  options.flags = std::move(flags);
  options.directory = command.directory;
  options.defaults = jit::FlagDefaults::compiler;
  return options;
}

const std::shared_ptr<const std::string> &SourceLoader::bitcode_of(const fs::path &file) {
  std::shared_ptr<const std::string> &bitcode = compiled_[file];
  if (!bitcode)
    bitcode = std::make_shared<const std::string>(jit::bitcode_of(file, options_for(file)));
  return bitcode;
}

jit::LinkInputs SourceLoader::inputs_beside(const fs::path &file) {
  if (!with_) {
    with_.emplace();
    for (const fs::path &each : settings_.sources.with) {
      const bool is_source = jit::language_of(each) == jit::Language::c || jit::language_of(each) == jit::Language::cpp;
      jit::add_linked_file(*with_, each, is_source ? options_for(each) : jit::CompileOptions());
    }
  }
  jit::LinkInputs inputs = *with_;
  for (const fs::path &other : files_)
    if (other != file && jit::language_of(other) != jit::Language::cuda)
      inputs.code.push_back({other.string(), bitcode_of(other), jit::LinkedCode::Take::when_needed});
  if (files_.size() > 1 && jit::language_of(file) != jit::Language::cuda)
    static_cast<void>(bitcode_of(file)); // Others use it as well.
  return inputs;
}

jit::ModuleFile SourceLoader::load(const fs::path &file, jit::CompileOptions::Emit emit) {
  jit::CompileOptions options = options_for(file);
  options.emit = emit;
  jit::LinkInputs inputs = inputs_beside(file);
  if (const auto known = compiled_.find(file); known != compiled_.end() && emit == jit::CompileOptions::Emit::used)
    inputs.own = known->second;
  return {file, options, inputs};
}

SourceOptions SourceLoader::sources_of(const jit::ModuleFile &module, const SourceOptions &asked) {
  SourceOptions sources = asked;
  for (const std::string &name : module.linked())
    if (fs::path file = name;
        jit::language_of(file) != jit::Language::other && std::ranges::find(sources.with, file) == sources.with.end())
      sources.with.push_back(std::move(file));
  return sources;
}

} // namespace assay::cli
