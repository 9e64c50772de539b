// clang runs with its own passes off: the JIT's pipeline does the optimisation, with the engine's passes inside it.

#include "core/jit/compile_source.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/cuda_flags.hpp"
#include "core/jit/scratch_folder.hpp"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>

namespace assay::jit {

namespace {

std::string contents_of(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string find_flang() {
  const std::string versioned = fmt::format("flang-{}", LLVM_VERSION_MAJOR);
  if (auto found = llvm::sys::findProgramByName(versioned))
    return *found;
  if (auto found = llvm::sys::findProgramByName("flang", {ASSAY_LLVM_TOOLS}))
    return *found;
  throw BadRequest(
      fmt::format("{0} was not found, which compiles Fortran; install it: apt-get install {0}", versioned));
}

std::string find_compiler(Language language) {
  if (language == Language::fortran)
    return find_flang();
  const std::string name = language == Language::c ? "clang" : "clang++";
  const std::string versioned = fmt::format("{}-{}", name, LLVM_VERSION_MAJOR);
  if (auto found = llvm::sys::findProgramByName(versioned))
    return *found;
  if (auto found = llvm::sys::findProgramByName(name, {ASSAY_LLVM_TOOLS}))
    return *found;
  throw BadRequest(fmt::format("{} was not found; install clang {}", versioned, LLVM_VERSION_MAJOR));
}

std::string find_program(const char *name) {
  if (auto found = llvm::sys::findProgramByName(name))
    return *found;
  throw BadRequest(fmt::format("{} was not found", name));
}

std::string first_error_line(const std::string &messages) {
  std::istringstream lines(messages);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t error = line.find("error:");
    if (error == std::string::npos)
      continue;
    if (error != 0 || line.find("Semantic errors in") == std::string::npos) // flang's heading, without a place.
      return line;
    first = line;
  }
  return first.empty() ? messages.substr(0, messages.find('\n')) : first;
}

bool is_one_of(std::string extension, std::initializer_list<std::string_view> known) {
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(known, extension) != known.end();
}

} // namespace

Language language_of(const std::filesystem::path &file) {
  const std::string extension = file.extension().string();
  if (extension == ".c")
    return Language::c;
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C")
    return Language::cpp;
  if (extension == ".cu")
    return Language::cuda;
  if (is_one_of(extension, {".f90", ".f", ".for", ".f77", ".ftn", ".fpp", ".f95", ".f03", ".f08", ".f18"}))
    return Language::fortran;
  if (extension == ".ll" || extension == ".bc")
    return Language::llvm;
  return Language::other;
}

namespace {

/// What the flags of the user and our own say of the meaning of the code, and the file.
std::vector<std::string> input_arguments(const std::filesystem::path &file, const CompileOptions &options) {
  std::vector<std::string> arguments;
  if (language_of(file) == Language::cpp && options.defaults == FlagDefaults::assay)
    arguments.push_back("-std=c++20");
  std::ranges::copy(options.flags, std::back_inserter(arguments));
  for (const auto &directory : options.include_directories)
    arguments.push_back("-I" + directory.string());
  arguments.push_back("-Qunused-arguments");
  arguments.push_back(options.directory.empty() ? file.string() : std::filesystem::absolute(file).string());
  return arguments;
}

/// What a precompiled header and the code behind it have to agree on.
void add_code_arguments(std::vector<std::string> &arguments, const CompileOptions &options) {
  // Full debug information tells the parameters' names and types; only its lines stay once those are read.
  arguments.emplace_back(options.debug_information == CompileOptions::DebugInformation::full ? "-g" : "-g0");
  arguments.push_back(fmt::format("-O{}", static_cast<unsigned>(options.level)));
  if (options.level != OptimizationLevel::none)
    arguments.insert(arguments.end(), {"-Xclang", "-disable-llvm-passes"});
  if (!options.frontend.empty())
    arguments.push_back("-fplugin=" + options.frontend.string());
  arguments.push_back("-fno-discard-value-names"); // What the engine writes is named after what it is made from.
}

/// Runs the compiler in the folder of the options; throws its messages.
void run_compiler(std::vector<std::string> arguments, const std::filesystem::path &file, const CompileOptions &options,
                  const std::string &messages) {
  const std::string compiler = arguments.front();
  std::string program = compiler;
  if (!options.directory.empty()) {
    program = find_program("env");
    arguments.insert(arguments.begin(), {program, "-C", options.directory.string()});
  }
  const llvm::SmallVector<llvm::StringRef, 16> views(arguments.begin(), arguments.end());
  const std::array<std::optional<llvm::StringRef>, 3> redirects{llvm::StringRef(), llvm::StringRef(messages),
                                                                llvm::StringRef(messages)};
  std::string failure;
  const int status = llvm::sys::ExecuteAndWait(program, views, std::nullopt, redirects, 0, 0, &failure);
  if (status < 0)
    throw BadRequest(fmt::format("{} could not run: {}", compiler, failure));
  if (status == 0)
    return;
  const std::string text = contents_of(messages);
  const bool misses_file =
      text.find("file not found") != std::string::npos || text.find("Cannot parse module file") != std::string::npos;
  const char *advice = misses_file && options.flags.empty()
                           ? "; compile flags stand behind --, such as -- -Iinclude, or in the "
                             "compile_commands.json of -p BUILD"
                           : "";
  throw BadRequest(fmt::format("{} does not compile: {}{}", file.string(), first_error_line(text), advice), text);
}

} // namespace

/// Loops are left as they are: the JIT's pipeline optimises what is derived from them.
static std::string compile_fortran(const std::filesystem::path &file, const CompileOptions &options) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("program.bc");
  std::vector<std::string> arguments{find_flang(), "-c", "-emit-llvm", "-g", "-o", output};
  arguments.push_back(fmt::format("-O{}", static_cast<unsigned>(options.level)));
  arguments.insert(arguments.end(), {"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"});
  // They are left behind only where the user says where.
  const bool has_module_folder = std::ranges::any_of(
      options.flags, [](const std::string &flag) { return flag.starts_with("-J") || flag.starts_with("-module-dir"); });
  const std::filesystem::path modules =
      options.modules.empty() ? std::filesystem::path(output).parent_path() : options.modules;
  if (!has_module_folder)
    arguments.insert(arguments.end(), {"-module-dir", modules.string()});
  arguments.push_back("-I" + modules.string());
  std::ranges::copy(options.flags, std::back_inserter(arguments));
  arguments.push_back(options.directory.empty() ? file.string() : std::filesystem::absolute(file).string());
  run_compiler(std::move(arguments), file, options, scratch.file("messages"));
  return contents_of(output);
}

std::string compile_to_bitcode(const std::filesystem::path &file, const CompileOptions &options) {
  const Language language = language_of(file);
  if (language == Language::fortran)
    return compile_fortran(file, options);
  const std::string compiler = find_compiler(language);
  const ScratchFolder scratch;
  const std::string output = scratch.file("program.bc");

  std::vector<std::string> arguments{compiler, "-c", "-emit-llvm", "-o", output};
  add_code_arguments(arguments, options);
  if (language == Language::cuda) {
    std::ranges::copy(cuda_flags(compiler, options.include_directories.front(), options.cuda_libraries),
                      std::back_inserter(arguments));
    if (options.kernels.empty()) // Without the second flag, -g means line tables in code of a device.
      arguments.insert(arguments.end(), {"--cuda-device-only", "--cuda-noopt-device-debug"});
    else
      arguments.insert(arguments.end(), {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                                         options.kernels.string()});
  }
  if (options.emit == CompileOptions::Emit::everything)
    arguments.push_back("-femit-all-decls");
  if (!options.precompiled.empty())
    arguments.insert(arguments.end(), {"-include-pch", options.precompiled.string()});
  std::ranges::copy(input_arguments(file, options),
                    std::back_inserter(arguments)); // The file is behind the flag for its language.
  run_compiler(std::move(arguments), file, options, scratch.file("messages"));
  return contents_of(output);
}

void precompile_header(const std::filesystem::path &file, const CompileOptions &options,
                       const std::filesystem::path &output) {
  const ScratchFolder scratch;
  std::vector<std::string> arguments{find_compiler(Language::cpp), "-o", output.string(), "-Xclang",
                                     "-fpch-instantiate-templates"};
  add_code_arguments(arguments, options);
  arguments.insert(arguments.end(), {"-x", "c++-header"});
  std::ranges::copy(input_arguments(file, options), std::back_inserter(arguments));
  run_compiler(std::move(arguments), file, options, scratch.file("messages"));
}

std::string output_of_program(const std::filesystem::path &file, const CompileOptions &options) {
  constexpr unsigned most_seconds = 60;
  const ScratchFolder scratch;
  const std::string program = scratch.file("program"), output = scratch.file("output");
  // Symbols that are left open have no entry in the table of procedures, which GNU ld writes wrongly where it is lazy.
  std::vector<std::string> arguments{find_compiler(Language::cpp), "-O0", "-o", program,
                                     "-Wl,--unresolved-symbols=ignore-all,-z,now"};
  std::ranges::copy(input_arguments(file, options), std::back_inserter(arguments));
  run_compiler(std::move(arguments), file, options, scratch.file("messages"));
  const std::array<std::optional<llvm::StringRef>, 3> redirects{llvm::StringRef(), llvm::StringRef(output),
                                                                llvm::StringRef()};
  const int status = llvm::sys::ExecuteAndWait(program, {program}, std::nullopt, redirects, most_seconds);
  if (status != 0)
    throw BadRequest(fmt::format("making the values of its parameters fails with status {}", status));
  return contents_of(output);
}

std::string printed_declarations(const std::filesystem::path &file, const CompileOptions &options,
                                 const std::string &name) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("declarations");
  std::vector<std::string> arguments{
      find_compiler(Language::cpp), "-fsyntax-only", "-w", "-Xclang", "-ast-print", "-Xclang",
      "-ast-dump-filter=" + name};
  std::ranges::copy(input_arguments(file, options), std::back_inserter(arguments));
  run_compiler(std::move(arguments), file, options, output);
  return contents_of(output);
}

} // namespace assay::jit
