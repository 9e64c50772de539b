#include "cli/program_build.hpp"

#include "cli/compiler_run.hpp"
#include "cli/installation.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The plugin is to see code that no sanitizer has touched but for the checks that clang itself writes, so no pass runs
/// before it at any level. The check of a function's type puts data before functions, and `vptr` needs type information
/// that a program may be built without.
Words flags_of_sources(Instrumentation instrumentation) {
  Words flags{"-Xclang", "-disable-llvm-passes"};
  const auto add = [&](std::initializer_list<const char *> more) {
    flags.insert(flags.end(), more.begin(), more.end());
  };
  if (instrumentation == Instrumentation::debugger)
    add({"-fno-inline", "-fno-omit-frame-pointer"});
  if (instrumentation == Instrumentation::sanitizers)
    add({"-fsanitize=address,undefined", "-fno-sanitize=function,vptr", "-fsanitize-recover=address,undefined",
         "-fno-omit-frame-pointer"});
  return flags;
}

Words flags_of_linking(Instrumentation instrumentation) {
  if (instrumentation == Instrumentation::debugger) // Also in code that the plugin writes.
    return {"-mllvm", "-inline-threshold=-1000000"};
  if (instrumentation == Instrumentation::sanitizers)
    return {"-fsanitize=address,undefined", "-fno-sanitize=function,vptr", "-fsanitize-recover=address,undefined"};
  return {};
}

/// The linker flags among the flags of a source.
Words flags_for_linker(const Words &flags) {
  constexpr std::array<std::string_view, 6> beginnings{"-stdlib=",  "--sysroot=", "-pthread",
                                                       "--target=", "-march=",    "-rtlib="};
  Words kept;
  std::ranges::copy_if(flags, std::back_inserter(kept), [&](const std::string &flag) {
    return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return flag.starts_with(beginning); });
  });
  return kept;
}

} // namespace

ProgramBuild::ProgramBuild(const CheckSettings &settings, const fs::path &file, fs::path program,
                           Instrumentation instrumentation)
    : program_(std::move(program)), level_(static_cast<unsigned>(settings.level)), instrumentation_(instrumentation),
      is_c_(jit::language_of(file) == jit::Language::c),
      linked_(SourceLoader(settings, {file}, flags_of_sources(instrumentation)).link_program(file, program_)) {}

void ProgramBuild::write_bitcode(const fs::path &output) const {
  std::ofstream stream(output, std::ios::binary);
  stream << linked_.bitcode;
  if (!stream.flush())
    throw jit::BadRequest(fmt::format("cannot write {}", output.string()));
}

void ProgramBuild::compile(const Words &more) const {
  const jit::ScratchFolder scratch;
  const std::string bitcode = scratch.file("program.bc");
  write_bitcode(bitcode);
  Words words{is_c_ ? std::string(ASSAY_CLANG) : compiler,
              fmt::format("-O{}", level_),
              "-w",
              "-Qunused-arguments",
              "-ffp-contract=off",
              "-fpass-plugin=" + plugin_file().string()};
  for (const Words &each : {flags_for_linker(linked_.flags), flags_of_linking(instrumentation_), Words{bitcode}, more})
    words.insert(words.end(), each.begin(), each.end());
  try {
    run_compiler(words, fmt::format("{} cannot be built: ", program_.string()));
  } catch (const jit::BadRequest &error) {
    if (error.details.find("libclang_rt") == std::string::npos)
      throw;
    throw jit::BadRequest("the run-time libraries of the sanitizers are not there; install libclang-rt-22-dev",
                          error.details);
  }
}

void ProgramBuild::write_ir(const fs::path &output) const {
  compile({"-S", "-emit-llvm", "-o", output.string()});
}
void ProgramBuild::write_assembly(const fs::path &output) const {
  compile({"-S", "-o", output.string()});
}
void ProgramBuild::write_executable(const fs::path &output) const {
  Words more;
  for (const fs::path &file : linked_.machine_code)
    more.push_back(file.string());
  more.insert(more.end(), {"-lm", "-o", output.string()});
  compile(more);
}

} // namespace assay::cli
