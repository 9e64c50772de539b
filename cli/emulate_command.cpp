// For each file clang writes the device code, differentiated by the plugin, which is retargeted to the host, and the
// host code with a fat binary that names it. All are linked to the emulation's runtime.

#include "cli/emulate_command.hpp"

#include "cli/compiler_run.hpp"
#include "cli/cuda_machine.hpp"
#include "cli/external_process.hpp"
#include "cli/installation.hpp"
#include "cli/needed_libraries.hpp"
#include "cli/tested_code.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/compile_source.hpp"
#include "core/jit/cuda_flags.hpp"
#include "core/jit/scratch_folder.hpp"
#include "gpu/emulate/host_code.hpp"
#include "gpu/emulate/retarget.hpp"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words &words, const Words &more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// The compiler with its flags of both sides.
Words compile_words(const EmulateArguments &arguments) {
  Words words{compiler};
  append(words, jit::cuda_flags(compiler, include_directory(), find_cuda_libraries()));
  append(words, {"-g", "-O" + arguments.level});
  for (const std::string &directory : arguments.include_directories)
    words.push_back("-I" + directory);
  for (const std::string &definition : arguments.definitions)
    words.push_back("-D" + definition);
  append(words, arguments.flags);
  return words;
}

/// The differentiated device code of one file.
std::unique_ptr<llvm::Module> read_device_code(const Words &flags, const fs::path &file, const std::string &bitcode,
                                               llvm::LLVMContext &context) {
  Words words = flags;
  append(words, {"--cuda-device-only", "-fpass-plugin=" + plugin_file().string(), "-emit-llvm", "-c", file.string(),
                 "-o", bitcode});
  run_compiler(words, file.string() + " does not compile: ");
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(bitcode, problem, context);
  if (!module)
    throw jit::BadRequest(
        fmt::format("{}: the device code cannot be read: {}", file.string(), problem.getMessage().str()));
  return module;
}

/// Files of one source between its compilation and its linking.
class Intermediate {
public:
  Intermediate(const jit::ScratchFolder &scratch, const fs::path &source, std::size_t number)
      : scratch_(scratch), stem_(fmt::format("{}{}", source.stem().string(), number)) {}
  std::string file(const std::string &suffix) const { return scratch_.file((stem_ + suffix).c_str()); }
  std::string identity() const { return "assay-emulated-" + stem_; }

private:
  const jit::ScratchFolder &scratch_;
  std::string stem_;
};

/// The device code of one file becomes object files of the host, whose names are returned.
std::vector<fs::path> compile_device_code(const Words &flags, const fs::path &file, const Intermediate &intermediate,
                                          gpu::AccessLog log) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = read_device_code(flags, file, intermediate.file(".bc"), context);
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

void compile_host_code(const Words &flags, const fs::path &file, const std::string &identity, const std::string &binary,
                       const std::string &object) {
  std::ofstream(binary) << identity << '\n';
  Words words = flags;
  append(words, {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", binary,
                 "-fpass-plugin=" + plugin_file().string(), "-fPIC", "-c", file.string(), "-o", object});
  run_compiler(words, file.string() + " does not compile: ");
}

int run_program(const std::string &program, const Words &arguments, const std::string &order) {
  Words words{program};
  append(words, arguments);
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setenv("ASSAY_THREAD_ORDER", order.c_str(), 1);
    ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

int run_emulate(const EmulateArguments &arguments) {
  const jit::ScratchFolder scratch;
  const Words flags = compile_words(arguments);
  const std::string program = arguments.output ? arguments.output->string() : scratch.file("program");
  const gpu::AccessLog log = arguments.watches ? gpu::AccessLog::present : gpu::AccessLog::absent;
  std::vector<fs::path> objects;
  std::size_t number = 0;
  for (const fs::path &file : arguments.files) {
    if (!fs::is_regular_file(file))
      throw jit::BadRequest(fmt::format("{}: no such file", file.string()));
    const Intermediate intermediate(scratch, file, number++);
    std::ranges::move(compile_device_code(flags, file, intermediate, log), std::back_inserter(objects));
    objects.emplace_back(intermediate.file(".host.o"));
    compile_host_code(flags, file, intermediate.identity(), intermediate.file(".fatbin"), objects.back().string());
  }
  Words link{compiler, "-o", program};
  std::ranges::transform(objects, std::back_inserter(link), [](const fs::path &object) { return object.string(); });
  append(link, needed_libraries(objects));
  run_compiler(link, "the program does not link: ");
  return arguments.output ? 0 : run_program(program, arguments.program_arguments, arguments.order);
}

} // namespace assay::cli
