#pragma once
// compile_commands.json, as clang's tools read it: https://clang.llvm.org/docs/JSONCompilationDatabase.html

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

struct CompileCommand {
  std::filesystem::path directory; ///< Where the compiler runs.
  std::vector<std::string> words;  ///< Its arguments, without the compiler; response files are read.
};

class CompilationDatabase {
public:
  /// `build` is the folder that has it, or the file itself. Throws jit::BadRequest.
  explicit CompilationDatabase(const std::filesystem::path &build);

  /// The first command for `file`. Throws jit::BadRequest where there is none.
  CompileCommand command_for(const std::filesystem::path &file) const;

private:
  struct Entry {
    std::filesystem::path file, directory;
    std::vector<std::string> words;
  };
  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

} // namespace assay::cli
