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

std::string find_compiler(Language language) {
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
  for (std::string line; std::getline(lines, line);)
    if (line.find("error:") != std::string::npos)
      return line;
  return messages.substr(0, messages.find('\n'));
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
  if (extension == ".ll" || extension == ".bc")
    return Language::llvm;
  return Language::other;
}

std::string compile_to_bitcode(const std::filesystem::path &file, const CompileOptions &options) {
  const Language language = language_of(file);
  const std::string compiler = find_compiler(language);
  const ScratchFolder scratch;
  const std::string output = scratch.file("program.bc"), messages = scratch.file("messages");

  // Full debug information tells the parameters' names and types; only its lines stay once those are read.
  std::vector<std::string> arguments{compiler, "-c", "-emit-llvm", "-g", "-o", output};
  arguments.push_back(fmt::format("-O{}", static_cast<unsigned>(options.level)));
  if (options.level != OptimizationLevel::none)
    arguments.insert(arguments.end(), {"-Xclang", "-disable-llvm-passes"});
  if (language == Language::cpp && options.defaults == FlagDefaults::assay)
    arguments.push_back("-std=c++20");
  if (language == Language::cuda) {
    std::ranges::copy(cuda_flags(compiler, options.include_directories.front()), std::back_inserter(arguments));
    arguments.push_back("--cuda-device-only");
  }
  arguments.push_back("-fno-discard-value-names"); // What the engine writes is named after what it is made from.
  if (options.emit == CompileOptions::Emit::everything)
    arguments.push_back("-femit-all-decls");
  std::ranges::copy(options.flags, std::back_inserter(arguments));
  for (const auto &directory : options.include_directories)
    arguments.push_back("-I" + directory.string());
  arguments.push_back("-Qunused-arguments");
  arguments.push_back(options.directory.empty() ? file.string() : std::filesystem::absolute(file).string());
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
  if (status != 0) {
    const std::string text = contents_of(messages);
    const char *advice = text.find("file not found") != std::string::npos && options.flags.empty()
                             ? "; compile flags stand behind --, such as -- -Iinclude, or in the "
                               "compile_commands.json of -p BUILD"
                             : "";
    throw BadRequest(fmt::format("{} does not compile: {}{}", file.string(), first_error_line(text), advice), text);
  }
  return contents_of(output);
}

} // namespace assay::jit
