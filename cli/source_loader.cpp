#include "cli/source_loader.hpp"

#include "cli/compile_flags.hpp"
#include "cli/cuda_machine.hpp"
#include "cli/installation.hpp"
#include "cli/interruption.hpp"
#include "cli/known_flags.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace fs = std::filesystem;

/// Between two runs of the compiler, of which C++ values take several.
static void stop_where_interrupted() {
  if (interruption())
    throw jit::BadRequest("interrupted");
}

static std::string write_source(const jit::ScratchFolder &folder, const char *name, const std::string &text) {
  std::string path = folder.file(name);
  std::ofstream(path) << text;
  return path;
}

/// Files of both languages may be one request.
static bool is_standard_of_other(jit::Language language, const std::string &flag) {
  if (!flag.starts_with("-std="))
    return false;
  const bool is_cpp = flag.find("++") != std::string::npos;
  return is_cpp ? language == jit::Language::c : language == jit::Language::cpp || language == jit::Language::cuda;
}

SourceLoader::SourceLoader(const CheckSettings &settings, std::vector<fs::path> files,
                           std::vector<std::string> instrumentation)
    : settings_(settings), files_(std::move(files)), instrumentation_(std::move(instrumentation)) {
  if (settings_.sources.build)
    database_.emplace(*settings_.sources.build);
}

jit::CompileOptions SourceLoader::options_for(const fs::path &file) const {
  stop_where_interrupted();
  jit::CompileOptions options;
  options.level = settings_.level;
  options.include_directories.push_back(include_directory());
  options.cuda_libraries = find_cuda_libraries();
  options.modules = fs::path(modules_.file("x")).parent_path();
  options.frontend = frontend_file().value_or(fs::path());
  options.flags = flags_of_user(settings_.sources.flags).flags;
  std::erase_if(options.flags,
                [&](const std::string &flag) { return is_standard_of_other(jit::language_of(file), flag); });
  if (!database_ || jit::language_of(file) == jit::Language::llvm) {
    std::ranges::copy(instrumentation_, std::back_inserter(options.flags));
    return options;
  }
  const CompileCommand command = database_->command_for(file);
  std::vector<std::string> flags = known_flags(flags_of_build(command.words).flags);
  flags.emplace_back("-Wno-unknown-warning-option"); // The build may be another compiler's.
  std::ranges::copy(with_absolute_paths(options.flags), std::back_inserter(flags));
  std::ranges::copy(instrumentation_, std::back_inserter(flags));
  options.flags = std::move(flags);
  options.directory = command.directory;
  options.defaults = jit::FlagDefaults::compiler;
  return options;
}

const std::shared_ptr<const std::string> &SourceLoader::bitcode_of(const fs::path &file) {
  std::shared_ptr<const std::string> &bitcode = compiled_[file];
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw jit::BadRequest(fmt::format("no such file: {}", file.string()));
  if (!bitcode && jit::language_of(file) == jit::Language::other)
    static_cast<void>(jit::ModuleFile(file, options_for(file))); // Says what it should be.
  if (!bitcode)
    bitcode = std::make_shared<const std::string>(jit::bitcode_of(file, options_for(file)));
  return bitcode;
}

jit::LinkInputs SourceLoader::inputs_beside(const fs::path &file) {
  if (files_.size() > 1) // One may use the modules of those before it.
    for (const fs::path &each : files_)
      if (jit::language_of(each) == jit::Language::fortran)
        static_cast<void>(bitcode_of(each));
  if (!with_) {
    with_.emplace();
    for (const fs::path &each : settings_.sources.with) {
      const jit::Language language = jit::language_of(each);
      const bool is_source =
          language == jit::Language::c || language == jit::Language::cpp || language == jit::Language::fortran;
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

static std::string code_of_kernels(const fs::path &source, const jit::CompileOptions &options,
                                   const Intermediate &intermediate) {
  const std::vector<std::string> device_compiler =
      cuda_compiler(fmt::format("{}", static_cast<unsigned>(options.level)), options.flags, options.directory);
  return device_code(device_compiler, options.directory.empty() ? source : fs::absolute(source), intermediate);
}

/// What a compiler's messages say of the first error.
static std::string first_error(const std::string &messages) {
  constexpr std::string_view label = "error: ";
  const std::size_t begin = messages.find(label);
  const std::string text = begin == std::string::npos ? messages : messages.substr(begin + label.size());
  return text.substr(0, text.find('\n'));
}

std::optional<SourceLoader::CodeOfBoth> SourceLoader::compile_with_rules(PlainProgram &plain,
                                                                         const jit::CompileOptions &options,
                                                                         const Intermediate &intermediate,
                                                                         const jit::ScratchFolder &folder) {
  for (;;) {
    const std::string source = write_source(folder, "with_rules.cu", plain.with_rules());
    try {
      std::string device = code_of_kernels(source, options, intermediate);
      return CodeOfBoth{jit::bitcode_of(source, options), std::move(device)};
    } catch (const jit::BadRequest &error) { // The others may have derivatives.
      const std::string messages = fmt::format("{}\n{}", error.what(), error.details);
      const std::optional<std::string> kernel = plain.kernel_of_error(messages);
      if (!kernel)
        return std::nullopt;
      warnings_.push_back(
          fmt::format("{}: the kernel {} has no derivative: {}", plain.file.string(), *kernel, first_error(messages)));
      std::erase(plain.kernels, *kernel);
    }
  }
}

jit::ModuleFile SourceLoader::load_with_kernels(const fs::path &file) {
  jit::CompileOptions options = options_for(file);
  auto folder = std::make_shared<const jit::ScratchFolder>();
  const Intermediate intermediate(*folder, file, 0);
  options.kernels = intermediate.write_identity();
  jit::LinkInputs inputs = inputs_beside(file);
  std::string host = jit::bitcode_of(file, options);
  std::optional<CodeOfBoth> code;
  if (std::optional<PlainProgram> plain = plain_program(file, host)) {
    jit::CompileOptions beside_file = options;
    beside_file.flags.insert(beside_file.flags.end(), {"-iquote", fs::absolute(file).parent_path().string()});
    code = compile_with_rules(*plain, beside_file, intermediate, *folder);
  }
  if (!code)
    code = CodeOfBoth{std::move(host), code_of_kernels(file, options, intermediate)};
  inputs.own = std::make_shared<const std::string>(std::move(code->host));
  inputs.kernels = std::make_shared<const jit::KernelCode>(intermediate.identity(), std::move(code->device));
  inputs.folder = std::move(folder);
  return {file, options, inputs};
}

/// Generated code is C++20; the user's file has to bear that.
static jit::CompileOptions with_standard(jit::CompileOptions options) {
  const auto is_new = [](const std::string &flag) {
    constexpr std::string_view standard = "++2";
    return flag.starts_with("-std=") && flag.find(standard) != std::string::npos;
  };
  const bool is_default =
      options.defaults == jit::FlagDefaults::assay &&
      std::ranges::none_of(options.flags, [](const std::string &flag) { return flag.starts_with("-std="); });
  if (!is_default && std::ranges::none_of(options.flags, is_new))
    options.flags.emplace_back("-std=gnu++20");
  return options;
}

const fs::path &SourceLoader::precompiled_prelude(const std::string &prelude, const jit::CompileOptions &options) {
  const auto [place, is_new] = preludes_.try_emplace(prelude);
  if (!is_new || prelude.empty())
    return place->second;
  const jit::ScratchFolder &folder = prelude_folders_.emplace_back();
  const fs::path header = folder.file("prelude.pch");
  jit::CompileOptions of_header = options; // It serves code that is read as well.
  of_header.debug_information = jit::CompileOptions::DebugInformation::full;
  try {
    jit::precompile_header(write_source(folder, "prelude.cpp", prelude), of_header, header);
    place->second = header;
  } catch (const jit::BadRequest &) { // Told where the whole source is compiled.
  }
  return place->second;
}

std::string SourceLoader::compile_generated(const GeneratedSource &source, const jit::CompileOptions &options) {
  stop_where_interrupted();
  const jit::ScratchFolder folder;
  if (const fs::path &prelude = precompiled_prelude(source.prelude, options); !prelude.empty()) {
    jit::CompileOptions behind_prelude = options;
    behind_prelude.precompiled = prelude;
    try {
      return jit::compile_to_bitcode(write_source(folder, "adapter.cpp", source.body), behind_prelude);
    } catch (const jit::BadRequest &) { // A header of the user's flags that may not be included twice, perhaps.
    }
  }
  return jit::compile_to_bitcode(write_source(folder, "adapter.cpp", source.text()), options);
}

jit::ModuleFile SourceLoader::load_generated(const fs::path &file, const GeneratedSource &source) {
  const jit::CompileOptions options = with_standard(options_for(file));
  jit::LinkInputs inputs = inputs_beside(file);
  inputs.own = std::make_shared<const std::string>(compile_generated(source, options));
  return {file, options, inputs};
}

LinkedProgram SourceLoader::link_program(const fs::path &file, const fs::path &program) {
  const bool is_cpp = jit::language_of(file) == jit::Language::cpp;
  jit::CompileOptions options = is_cpp ? with_standard(options_for(file)) : options_for(file);
  options.include_directories.push_back(fs::absolute(file).parent_path()); // For a copy of the file elsewhere.
  return link_bitcode(file, jit::compile_to_bitcode(program, options), options);
}

LinkedProgram SourceLoader::link_bitcode(const fs::path &file, std::string own, const jit::CompileOptions &options) {
  jit::LinkInputs inputs = inputs_beside(file);
  inputs.own = std::make_shared<const std::string>(std::move(own));
  const jit::ModuleFile linked(file, options, inputs);
  LinkedProgram result{{}, linked.machine_code(), options.flags};
  llvm::raw_string_ostream stream(result.bitcode);
  llvm::WriteBitcodeToFile(linked.module(), stream);
  return result;
}

std::string SourceLoader::output_of(const fs::path &file, const GeneratedSource &source) {
  jit::CompileOptions options = with_standard(options_for(file));
  const bool is_alone = files_.size() == 1 && settings_.sources.with.empty();
  if (is_alone)
    options.debug_information = jit::CompileOptions::DebugInformation::none;
  std::string code = compile_generated(source, options);
  if (!is_alone) {
    LinkedProgram linked = link_bitcode(file, std::move(code), options);
    code = std::move(linked.bitcode);
    for (const fs::path &machine_code : linked.machine_code)
      options.flags.push_back(machine_code.string());
  }
  const jit::ScratchFolder folder;
  const std::string bitcode = folder.file("program.bc");
  std::ofstream(bitcode, std::ios::binary) << code;
  return jit::output_of_program(bitcode, options);
}

std::string SourceLoader::printed_declarations(const fs::path &file, const std::string &name) const {
  return jit::printed_declarations(file, options_for(file), name);
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
