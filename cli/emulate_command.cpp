// For each file clang writes the device code, differentiated by the plugin, which is retargeted to the host, and the
// host code with a fat binary that names it. All are linked to the emulation's runtime.

#include "cli/emulate_command.hpp"

#include "cli/compiler_run.hpp"
#include "cli/emulated_kernels.hpp"
#include "cli/external_process.hpp"
#include "cli/installation.hpp"
#include "cli/needed_libraries.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
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
  Words flags;
  for (const std::string &directory : arguments.include_directories)
    flags.push_back("-I" + directory);
  for (const std::string &definition : arguments.definitions)
    flags.push_back("-D" + definition);
  append(flags, arguments.flags);
  return cuda_compiler(arguments.level, flags);
}

void compile_host_code(const Words &flags, const fs::path &file, const Intermediate &intermediate,
                       const std::string &object) {
  Words words = flags;
  append(words, {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", intermediate.write_identity(),
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
    std::ranges::move(compile_kernels(flags, file, intermediate, log), std::back_inserter(objects));
    objects.emplace_back(intermediate.file(".host.o"));
    compile_host_code(flags, file, intermediate, objects.back().string());
  }
  Words link{compiler, "-o", program};
  std::ranges::transform(objects, std::back_inserter(link), [](const fs::path &object) { return object.string(); });
  append(link, needed_libraries(objects));
  run_compiler(link, "the program does not link: ");
  return arguments.output ? 0 : run_program(program, arguments.program_arguments, arguments.order);
}

} // namespace assay::cli
