// The words of a command are split, and response files are read, by LLVM's own functions, which clang's driver uses.

#include "cli/compilation_database.hpp"

#include "core/jit/bad_request.hpp"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string &command) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 32> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  return {words.begin(), words.end()};
}

/// LLVM leaves the words of files as they are that are not there. Apple's linker has words of its own with an @.
bool names_response_file(const std::string &word) {
  constexpr std::array<std::string_view, 3> of_linker{"@rpath", "@loader_path", "@executable_path"};
  return word.starts_with('@') &&
         std::ranges::none_of(of_linker, [&](std::string_view prefix) { return word.starts_with(prefix); });
}

std::vector<std::string> with_response_files(const std::vector<std::string> &words, const fs::path &directory) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 32> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  const std::string folder = directory.string();
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  context.setCurrentDir(folder);
  if (llvm::Error error = context.expandResponseFiles(pointers))
    throw jit::BadRequest(llvm::toString(std::move(error)));
  std::vector<std::string> expanded(pointers.begin(), pointers.end());
  if (const auto missing = std::ranges::find_if(expanded, names_response_file); missing != expanded.end())
    throw jit::BadRequest(fmt::format("there is no response file {} in {}; build the project, which writes it",
                                      missing->substr(1), folder));
  return expanded;
}

/// Programs that start the compiler, and the compiler.
std::vector<std::string> without_compiler(std::vector<std::string> words) {
  constexpr std::array<std::string_view, 6> launchers{"ccache", "sccache", "distcc", "icecc", "env", "time"};
  while (words.size() > 1 &&
         std::ranges::find(launchers, fs::path(words.front()).filename().string()) != launchers.end()) {
    words.erase(words.begin());
    while (words.size() > 1 && !words.front().starts_with('-') && words.front().find('=') != std::string::npos)
      words.erase(words.begin()); // Of env.
  }
  if (!words.empty())
    words.erase(words.begin());
  return words;
}

fs::path canonical_path(const fs::path &path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : result;
}

} // namespace

CompilationDatabase::CompilationDatabase(const fs::path &build)
    : path_(fs::is_directory(build) ? build / "compile_commands.json" : build) {
  std::ifstream stream(path_, std::ios::binary);
  if (!stream)
    throw jit::BadRequest(
        fmt::format("-p: there is no {}; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", path_.string()));
  try {
    const nlohmann::json json = nlohmann::json::parse(stream);
    for (const nlohmann::json &each : json) {
      const fs::path directory = fs::absolute(path_).parent_path() / fs::path(each.at("directory").get<std::string>());
      entries_.push_back({canonical_path(directory / each.at("file").get<std::string>()), directory,
                          each.contains("arguments") ? each.at("arguments").get<std::vector<std::string>>()
                                                     : split(each.at("command").get<std::string>())});
    }
  } catch (const nlohmann::json::exception &error) {
    throw jit::BadRequest(fmt::format("-p: {} is no compilation database: {}", path_.string(), error.what()));
  }
}

CompileCommand CompilationDatabase::command_for(const fs::path &file) const {
  const fs::path wanted = canonical_path(fs::absolute(file));
  const auto entry = std::ranges::find(entries_, wanted, &Entry::file);
  if (entry == entries_.end())
    throw jit::BadRequest(fmt::format("{} is not in {}, which has {} files; give its flags behind -- in place of -p",
                                      file.string(), path_.string(), entries_.size()));
  try {
    return {entry->directory, without_compiler(with_response_files(entry->words, entry->directory))};
  } catch (const jit::BadRequest &error) {
    throw jit::BadRequest(fmt::format("-p: the command of {} in {}: {}", file.string(), path_.string(), error.what()));
  }
}

} // namespace assay::cli
