#include "cli/device_check.hpp"

#include "cli/compiler_run.hpp"
#include "cli/cuda_machine.hpp"
#include "cli/external_process.hpp"
#include "cli/installation.hpp"
#include "cli/needed_libraries.hpp"
#include "core/jit/argument_spec.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *elsewhere = "leave --backend out, or give --backend emulated, to check by emulation";

fs::path toolkit_or_error() {
  if (const std::optional<fs::path> toolkit = find_cuda_toolkit())
    return *toolkit;
  throw jit::BadRequest(fmt::format("--backend device: no CUDA toolkit was found in CUDA_PATH, build/cuda or "
                                    "/usr/local/cuda; `./assay setup --cuda` puts one into build/cuda, or {}",
                                    elsewhere));
}

const char *type_name(jit::Scalar type) {
  switch (type) {
  case jit::Scalar::real64:
    return "double";
  case jit::Scalar::real32:
    return "float";
  case jit::Scalar::integer32:
    return "int";
  default:
    return "long";
  }
}

/// Of an argument without values: between the limits of its domain, and the same on every run.
double drawn(const jit::ArgumentSpec &spec, std::size_t argument, std::size_t element) {
  const double low = std::isfinite(spec.domain.low) ? spec.domain.low : 0.25;
  const double high = std::isfinite(spec.domain.high) ? spec.domain.high : low + 2;
  const double part = std::fmod(0.5 + 0.6180339887498949 * static_cast<double>(element + 17 * argument + 1), 1.0);
  return low + (0.05 + 0.9 * part) * (high - low);
}

std::string value_of(const jit::ArgumentSpec &spec, std::size_t argument, std::size_t element) {
  if (!spec.integers.empty())
    return std::to_string(spec.integers[element % spec.integers.size()]);
  if (!spec.reals.empty())
    return fmt::format("{:a}", spec.reals[element % spec.reals.size()]);
  return fmt::format("{:a}", drawn(spec, argument, element));
}

jit::ArgumentSpec read_spec(const std::string &text) {
  try {
    jit::ArgumentSpec spec = jit::parse_argument_spec(text);
    const bool is_integer = spec.type != jit::Scalar::real64 && spec.type != jit::Scalar::real32;
    if (spec.alias || !spec.file.empty() || !spec.formulas.empty() || (is_integer && spec.integers.empty()))
      throw jit::BadRequest(
          fmt::format("--arg '{}': with --backend device integers have values and buffers have fixed extents and "
                      "memory of their own; {}",
                      text, elsewhere));
    return spec;
  } catch (const jit::SpecError &error) {
    throw jit::BadRequest(error.what());
  }
}

std::string declaration(const jit::ArgumentSpec &spec, std::size_t argument) {
  if (!spec.is_pointer())
    return fmt::format("static const {} x{} = {};\n", type_name(spec.type), argument + 1, value_of(spec, argument, 0));
  std::string values;
  for (std::size_t element = 0; element < spec.elements(); ++element)
    values +=
        fmt::format("{}{}({})", element == 0 ? "" : ", ", type_name(spec.type), value_of(spec, argument, element));
  return fmt::format("static const std::vector<{}> x{}{{{}}};\n", type_name(spec.type), argument + 1, values);
}

std::string extent(const std::array<std::uint32_t, 3> &extent) {
  return fmt::format("dim3({}, {}, {})", extent[0], extent[1], extent[2]);
}

/// The toolkit's compiler is clang with its headers; the program stands alone but for the driver.
void build(const fs::path &source, const fs::path &program, const fs::path &toolkit) {
  const std::string object = program.string() + ".o";
  run_compiler({compiler, "-x", "cuda", "--cuda-path=" + toolkit.string(), "--cuda-gpu-arch=sm_75",
                "--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version", "-std=c++20", "-O2",
                "-I" + include_directory().string(), "-fpass-plugin=" + plugin_file().string(), "-c", source.string(),
                "-o", object},
               "--backend device: the test of the kernel does not compile: ");
  std::vector<std::string> link{compiler, object, "-o", program.string()};
  const std::vector<std::string> libraries = harness_libraries();
  link.insert(link.end(), libraries.begin(), libraries.end());
  link.insert(link.end(), {"-L" + (toolkit / "lib").string(), "-L" + (toolkit / "lib64").string(), "-lcudart_static",
                           "-ldl", "-lrt", "-lpthread"});
  run_compiler(link, "--backend device: the test of the kernel does not link: ");
}

} // namespace

std::string device_program(const CheckArguments &arguments) {
  if (arguments.files.size() != 1 || arguments.functions.size() != 1 || !arguments.settings.launch)
    throw jit::BadRequest("--backend device checks one kernel: give one FILE, one --function and --launch");
  const auto &[function, specs] = arguments.functions.front();
  const auto &[grid, block, shared_bytes] = *arguments.settings.launch;
  std::string text = "#include <gtest/gtest.h>\n#include <assay/gpu.hpp>\n#include <vector>\n";
  text += fmt::format("#include \"{}\"\n", fs::absolute(arguments.files.front()).string());
  std::string call = fmt::format("{}, assay::launch({}, {}, {})", function, extent(grid), extent(block), shared_bytes);
  for (std::size_t index = 0; index < specs.size(); ++index) {
    const jit::ArgumentSpec spec = read_spec(specs[index]);
    text += declaration(spec, index);
    call += spec.constant ? fmt::format(", assay::arg<assay::Const>(x{})", index + 1) : fmt::format(", x{}", index + 1);
  }
  for (const testutils::Mode mode : arguments.settings.modes) {
    const std::string name(testutils::name_of(mode));
    text += fmt::format("TEST(Kernel, {0}) {{\n  assay::test_kernel_{0}_all({{.seed = {1}u}}, {2});\n}}\n", name,
                        arguments.settings.seed, call);
  }
  return text;
}

ExitCode run_check_on_device(const CheckArguments &arguments) {
  const std::string program_text = device_program(arguments);
  if (const std::string reason = why_no_device(); !reason.empty())
    throw jit::BadRequest(fmt::format("--backend device: there is no CUDA device here: {}; {}", reason, elsewhere));
  const jit::ScratchFolder scratch;
  const fs::path source = scratch.file("test.cu"), program = scratch.file("test");
  std::ofstream(source) << program_text;
  build(source, program, toolkit_or_error());
  const ProgramEnd end = run_external({program.string()}, std::chrono::minutes(10));
  std::cout << end.output;
  constexpr std::string_view mark = "[  ASSAY   ] ";
  if (const std::size_t last = end.output.rfind(mark); last != std::string::npos)
    std::cout << end.output.substr(last + mark.size());
  return end.kind == ProgramEnd::Kind::exited && end.code == 0 ? all_passed : something_failed;
}

} // namespace assay::cli
