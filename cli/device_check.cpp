#include "cli/device_check.hpp"

#include "cli/compiler_run.hpp"
#include "cli/cuda_machine.hpp"
#include "cli/external_process.hpp"
#include "cli/installation.hpp"
#include "cli/jit_subject.hpp"
#include "cli/needed_libraries.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/resolve_arguments.hpp"
#include "core/jit/scratch_folder.hpp"
#include <assay/testing/check.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
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

/// Whether it is `f=square`, a function.
bool names_function(const std::string &text) {
  const std::size_t equals = text.find('=');
  const auto is_of_name = [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; };
  return equals != std::string::npos && equals != 0 && !jit::scalar_named(text.substr(0, equals)) &&
         std::ranges::all_of(text.substr(0, equals), is_of_name);
}

jit::ArgumentSpec read_spec(const std::string &text) {
  if (names_function(text))
    throw jit::BadRequest(
        fmt::format("--arg '{}': a test program has no address of a function of the device; {}", text, elsewhere));
  try {
    jit::ArgumentSpec spec = jit::parse_argument_spec(text);
    if (jit::is_of_16_bits(spec.type))
      throw jit::BadRequest(
          fmt::format("--arg '{}': a test program has no numbers of 16 bits yet; {}", text, elsewhere));
    const bool draws_size = !jit::is_real(spec.type) && !spec.is_pointer() && spec.integers.empty();
    if (spec.alias || !spec.file.empty() || spec.points() != 1 || jit::is_open(spec) || draws_size)
      throw jit::BadRequest(
          fmt::format("--arg '{}': in a test program integers have values and buffers have fixed extents and "
                      "memory of their own; {}",
                      text, elsewhere));
    return spec;
  } catch (const jit::SpecError &error) {
    throw jit::BadRequest(error.what());
  }
}

/// Like the specs of the command line, which say nothing of the kernel's own types.
CheckRequest request_of(const std::string &function, const std::vector<std::string> &specs) {
  CheckRequest request;
  request.function.name = function;
  for (const std::string &text : specs) {
    request.arguments.push_back(read_spec(text));
    jit::ParameterType parameter;
    parameter.name = fmt::format("x{}", request.arguments.size());
    request.function.parameters.push_back(parameter);
  }
  return request;
}

std::string number_text(jit::Scalar type, double value) {
  return jit::is_real(type) ? fmt::format("{:a}", value) : fmt::format("{}", static_cast<std::int64_t>(value));
}

std::string declaration(const jit::ArgumentSpec &spec, std::size_t argument, const testutils::Values &values) {
  const std::string_view type = name_of(spec.type);
  if (!spec.is_pointer())
    return fmt::format("static const {} x{} = {};\n", type, argument + 1, number_text(spec.type, values.front()));
  std::string list;
  for (const double value : values)
    list += fmt::format("{}{}({})", list.empty() ? "" : ", ", type, number_text(spec.type, value));
  return fmt::format("static const std::vector<{}> x{}{{{}}};\n", type, argument + 1, list);
}

/// What GoogleTest takes as a name.
std::string identifier(std::string function) {
  std::ranges::replace_if(function, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return function;
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
    throw jit::BadRequest("a test program checks one kernel: give one FILE, one --function and --launch");
  const auto &[function, specs] = arguments.functions.front();
  const CheckRequest request = request_of(function, specs);
  testutils::CheckOptions options;
  options.seed = arguments.settings.seed;
  const testutils::Arguments inputs = testutils::random_inputs(signature_of(request), options, 0);
  const auto &[grid, block, shared_bytes] = *arguments.settings.launch;
  std::string text = "#include <gtest/gtest.h>\n#include <assay/gpu.hpp>\n#include <vector>\n";
  text += fmt::format("#include \"{}\"\n", fs::absolute(arguments.files.front()).string());
  std::string call = fmt::format("{}, assay::launch({}, {}, {})", function, extent(grid), extent(block), shared_bytes);
  for (std::size_t index = 0; index < specs.size(); ++index) {
    const jit::ArgumentSpec &spec = request.arguments[index];
    text += declaration(spec, index, inputs[index]);
    call += spec.constant ? fmt::format(", assay::arg<assay::Const>(x{})", index + 1) : fmt::format(", x{}", index + 1);
  }
  for (const testutils::Mode mode : arguments.settings.modes) {
    const std::string name(testutils::name_of(mode));
    text += fmt::format("TEST({0}, {1}) {{\n  assay::test_kernel_{1}_all({{.seed = {2}u}}, {3});\n}}\n",
                        identifier(function), name, arguments.settings.seed, call);
  }
  return text;
}

ExitCode write_test_program(const CheckArguments &arguments, const fs::path &file) {
  const std::string text = device_program(arguments);
  std::ofstream stream(file);
  if (!(stream << text) || !stream.flush())
    throw jit::BadRequest(fmt::format("--write-test: {} cannot be written", file.string()));
  std::cout << fmt::format("{} tests {}; `assay emulate {}` runs it\n", file.string(), arguments.functions.front().name,
                           file.string());
  return all_passed;
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
