#include "cli/doctor_command.hpp"

#include "cli/compiler_run.hpp"
#include "cli/cuda_machine.hpp"
#include "cli/external_process.hpp"
#include "cli/installation.hpp"
#include "core/jit/scratch_folder.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// One line of the output.
struct Finding {
  enum class State { there, missing, not_there }; ///< The last: an optional requirement.
  State state;
  std::string name, detail;
};

std::string first_line(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

bool succeeds(const std::vector<std::string> &words, std::string &output) {
  const ProgramEnd end = run_external(words, std::chrono::minutes(1));
  output = end.output;
  return end.kind == ProgramEnd::Kind::exited && end.code == 0;
}

Finding find_compiler() {
  std::string output;
  if (!succeeds({compiler, "--version"}, output))
    return {Finding::State::missing, "clang 22",
            fmt::format("{} cannot be run; install the package clang-22", compiler)};
  return {Finding::State::there, "clang 22", fmt::format("{}, {}", compiler, first_line(output))};
}

Finding find_file(const std::string &name, const fs::path &file, const std::string &remedy) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return {Finding::State::missing, name, fmt::format("{} does not exist; {}", file.string(), remedy)};
  return {Finding::State::there, name, file.string()};
}

/// A gradient from source to number: compiler, plugin and linker.
Finding try_gradient(const jit::ScratchFolder &scratch) {
  const std::string source = scratch.file("square.c"), program = scratch.file("square");
  std::ofstream(source) << "double square(double x) { return x * x; }\n"
                           "double __enzyme_autodiff(void *, ...);\n"
                           "int main(void) { return __enzyme_autodiff((void *)square, 1.5) == 3.0 ? 0 : 1; }\n";
  std::string output;
  if (!succeeds({std::string(ASSAY_CLANG), "-O1", "-fpass-plugin=" + plugin_file().string(), source, "-o", program},
                output))
    return {Finding::State::missing, "a gradient",
            fmt::format("a small program does not compile: {}", first_line(output))};
  if (!succeeds({program}, output))
    return {Finding::State::missing, "a gradient", "the derivative of x * x at 1.5 is not 3"};
  return {Finding::State::there, "a gradient", "the derivative of x * x at 1.5 is 3"};
}

Finding try_sanitizers(const jit::ScratchFolder &scratch) {
  const std::string source = scratch.file("nothing.c");
  std::ofstream(source) << "int main(void) { return 0; }\n";
  std::string output;
  const bool is_there = succeeds(
      {std::string(ASSAY_CLANG), "-fsanitize=address,undefined", source, "-o", scratch.file("nothing")}, output);
  return {is_there ? Finding::State::there : Finding::State::not_there, "sanitizers",
          is_there ? "of clang's run-time library" : "are not there; assay replay --asan needs libclang-rt-22-dev"};
}

/// An optional header.
Finding find_header(const jit::ScratchFolder &scratch, const std::string &header, const std::string &package,
                    const std::string &purpose) {
  const std::string source = scratch.file("header.cpp");
  std::ofstream(source) << "#include <" << header << ">\n";
  std::string output;
  const bool is_there =
      succeeds({compiler, "-std=c++20", "-fsyntax-only", "-isystem", "/usr/include/eigen3", source}, output);
  return {is_there ? Finding::State::there : Finding::State::not_there, package,
          is_there ? fmt::format("<{}>", header) : fmt::format("<{}> was not found; {} needs it", header, purpose)};
}

bool is_in_path(const std::string &program) {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0)
      return true;
  return false;
}

Finding find_program(const std::string &program, const std::string &purpose) {
  const bool is_there = is_in_path(program);
  return {is_there ? Finding::State::there : Finding::State::not_there, program,
          is_there ? "in PATH" : fmt::format("is not in PATH; {} needs it", purpose)};
}

Finding describe_toolkit() {
  if (const std::optional<fs::path> toolkit = find_cuda_toolkit())
    return {Finding::State::there, "CUDA toolkit", toolkit->string()};
  return {Finding::State::not_there, "CUDA toolkit",
          "was not found; --backend device needs it, emulation does not; ./assay setup --cuda"};
}

Finding describe_device() {
  const std::string trouble = why_no_device();
  return trouble.empty()
             ? Finding{Finding::State::there, "CUDA device", "the driver lists one"}
             : Finding{Finding::State::not_there, "CUDA device", trouble + "; kernels are checked by emulation"};
}

Finding find_room(const jit::ScratchFolder &scratch) {
  constexpr double gibibyte = 0x1p30, least = 0.5;
  const fs::path folder = fs::path(scratch.file("x")).parent_path().parent_path();
  std::error_code problem;
  const double free = static_cast<double>(fs::space(folder, problem).available) / gibibyte;
  if (problem || free < least)
    return {Finding::State::missing, "scratch space",
            fmt::format("{} has {:.1f} GiB left; set TMPDIR to a folder with more", folder.string(), free)};
  return {Finding::State::there, "scratch space", fmt::format("{}, {:.0f} GiB left", folder.string(), free)};
}

std::vector<Finding> examine() {
  const jit::ScratchFolder scratch;
  const std::string rebuild = "build it with ./assay setup --command, or install the package again";
  std::vector<Finding> findings{
      find_compiler(),
      find_file("plugin", plugin_file(), rebuild),
      find_file("headers", include_directory() / "assay/check.h", rebuild),
      find_file("emulation", library("emulation"), rebuild),
      find_room(scratch),
  };
  const bool can_compile = std::all_of(findings.begin(), findings.end(),
                                       [](const Finding &finding) { return finding.state == Finding::State::there; });
  if (can_compile) {
    findings.push_back(try_gradient(scratch));
    findings.push_back(try_sanitizers(scratch));
  }
  for (const auto &[header, package, purpose] :
       {std::array{"gtest/gtest.h", "GoogleTest", "a program of gradient tests"},
        std::array{"rapidcheck.h", "RapidCheck", "a program of gradient tests"},
        std::array{"Eigen/Dense", "Eigen", "a function of Eigen's matrices"}})
    findings.push_back(find_header(scratch, header, package, purpose));
  for (const auto &[program, purpose] :
       {std::array{"ctest", "assay test"}, std::array{"git", "assay bisect"},
        std::array{"gdb", "assay replay --debug, unless there is lldb,"}, std::array{"sbatch", "nights under Slurm"}})
    findings.push_back(find_program(program, purpose));
  findings.push_back(describe_toolkit());
  findings.push_back(describe_device());
  return findings;
}

std::string_view word_for(Finding::State state) {
  switch (state) {
  case Finding::State::there:
    return "ok";
  case Finding::State::missing:
    return "missing";
  case Finding::State::not_there:
    return "absent";
  }
  return {};
}

} // namespace

ExitCode run_doctor() {
  std::array<std::size_t, 3> counts{};
  fmt::print("Assay {}, {} cores\n", ASSAY_VERSION, std::max(1U, std::thread::hardware_concurrency()));
  for (const Finding &finding : examine()) {
    ++counts[static_cast<std::size_t>(finding.state)];
    fmt::print("{:<8} {:<14} {}\n", word_for(finding.state), finding.name, finding.detail);
  }
  fmt::print("{} ok, {} missing, {} absent\n", counts[0], counts[1], counts[2]);
  return counts[1] == 0 ? ExitCode::all_passed : ExitCode::set_up_failed;
}

} // namespace assay::cli
