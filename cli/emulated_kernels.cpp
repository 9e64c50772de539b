#include "cli/emulated_kernels.hpp"

#include "cli/compiler_run.hpp"
#include "cli/cuda_machine.hpp"
#include "cli/installation.hpp"
#include "cli/tested_code.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/cuda_flags.hpp"
#include "gpu/emulate/host_code.hpp"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Intermediate::Intermediate(const jit::ScratchFolder &scratch, const fs::path &source, std::size_t number)
    : scratch_(scratch), stem_(fmt::format("{}{}", source.stem().string(), number)) {}

std::string Intermediate::file(const std::string &suffix) const {
  return scratch_.file((stem_ + suffix).c_str());
}

std::string Intermediate::identity() const {
  return "assay-emulated-" + stem_;
}

std::string Intermediate::write_identity() const {
  std::string binary = file(".fatbin");
  std::ofstream(binary) << identity() << '\n';
  return binary;
}

static void add_words(Words &words, const Words &more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string device_code(const Words &compiler, const fs::path &file, const Intermediate &intermediate) {
  const std::string bitcode = intermediate.file(".bc");
  Words words = compiler;
  add_words(words, {"--cuda-device-only", "-fpass-plugin=" + plugin_file().string(), "-emit-llvm", "-c", file.string(),
                    "-o", bitcode});
  run_compiler(words, file.string() + " does not compile: ");
  std::ifstream stream(bitcode, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

namespace {

std::unique_ptr<llvm::Module> read_device_code(const Words &compiler, const fs::path &file,
                                               const Intermediate &intermediate, llvm::LLVMContext &context) {
  const std::string code = device_code(compiler, file, intermediate);
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIR(llvm::MemoryBufferRef(code, file.string()), problem, context);
  if (!module)
    throw jit::BadRequest(
        fmt::format("{}: the device code cannot be read: {}", file.string(), problem.getMessage().str()));
  return module;
}

} // namespace

Words cuda_compiler(const std::string &level, const Words &flags, const fs::path &directory) {
  Words words;
  if (!directory.empty())
    add_words(words, {"env", "-C", directory.string()});
  words.push_back(compiler);
  add_words(words, jit::cuda_flags(compiler, include_directory(), find_cuda_libraries()));
  add_words(words, {"-g", "-O" + level});
  add_words(words, flags);
  return words;
}

std::vector<fs::path> compile_kernels(const Words &compiler, const fs::path &file, const Intermediate &intermediate,
                                      gpu::AccessLog log) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = read_device_code(compiler, file, intermediate, context);
  std::vector<std::string> objects;
  try {
    if (has_tested_kernels(*module))
      objects = tested_code_of(*module, intermediate.identity());
    gpu::retarget(*module, {intermediate.identity(), log});
    objects.push_back(gpu::object_of(*module));
  } catch (const gpu::NotEmulated &refusal) {
    throw jit::BadRequest(fmt::format("{}: {}", file.string(), refusal.what()));
  }
  std::vector<fs::path> files;
  for (const std::string &object : objects) {
    files.emplace_back(intermediate.file(fmt::format(".device{}.o", files.size())));
    std::ofstream(files.back(), std::ios::binary) << object;
  }
  return files;
}

} // namespace assay::cli
