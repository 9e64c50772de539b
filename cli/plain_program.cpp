#include "cli/plain_program.hpp"

#include "core/engine/support/launches.hpp"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>

namespace assay::cli {

namespace {

constexpr std::string_view stub = "__device_stub__";

void erase_all(std::string &text, std::string_view part) {
  for (std::size_t place = text.find(part); place != std::string::npos; place = text.find(part, place))
    text.erase(place, part.size());
}

/// Qualified, with template arguments; empty where a source cannot say it.
std::string name_in_source(const llvm::Function &launch) {
  std::string name = launch.getName().str();
  if (name.starts_with("_Z")) {
    llvm::ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(name.c_str()))
      return {};
    const std::unique_ptr<char, decltype(&std::free)> text(demangler.getFunctionName(nullptr, nullptr), std::free);
    name = text ? text.get() : "";
  }
  erase_all(name, stub);
  erase_all(name, "(anonymous namespace)::");
  const bool is_of_library = name.starts_with("cub::") || name.starts_with("thrust::");
  const bool has_no_name = name.find_first_of("{'[") != std::string::npos;
  return is_of_library || has_no_name ? std::string() : name;
}

/// Each once, in the order of the module.
std::vector<std::string> kernels_to_name(const llvm::Module &module) {
  std::map<std::string, unsigned> uses;
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && engine::is_launch_stub(function))
      if (std::string name = name_in_source(function); !name.empty() && ++uses[name] == 1)
        names.push_back(std::move(name));
  std::erase_if(names, [&](const std::string &name) { return uses[name] > 1; }); // overloads
  return names;
}

bool uses_runtime(const llvm::Module &module) {
  return std::ranges::any_of(module, [](const llvm::Function &function) {
    return engine::is_launch_stub(function) || (function.isDeclaration() && function.getName().starts_with("cuda"));
  });
}

} // namespace

std::optional<PlainProgram> plain_program(const std::filesystem::path &file, const std::string &code) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(code, file.string()), context);
  if (!module) {
    llvm::consumeError(module.takeError()); // told by who links it
    return std::nullopt;
  }
  if (!uses_runtime(**module) || engine::has_rules_of_runtime(**module))
    return std::nullopt;
  return PlainProgram{file, kernels_to_name(**module)};
}

std::string PlainProgram::with_rules() const {
  std::ifstream stream(file, std::ios::binary);
  const std::string own{std::istreambuf_iterator<char>(stream), {}};
  std::string text = fmt::format("#include <assay/gpu/host.hpp>\n#line 1 \"{}\"\n{}\n", file.string(), own);
  for (const std::string &kernel : kernels)
    text += fmt::format("ASSAY_LAUNCH({});\n", kernel.find(',') == std::string::npos ? kernel : '(' + kernel + ')');
  return text;
}

std::optional<std::string> PlainProgram::kernel_of_error(const std::string &messages) const {
  const std::size_t body = messages.find("KernelBody<");
  if (body == std::string::npos)
    return std::nullopt;
  const std::string title = messages.substr(body, messages.find('\'', body) - body);
  const auto is_named = [&](const std::string &kernel) {
    const std::size_t place = title.find(kernel + '(');
    return place != std::string::npos && !std::isalnum(static_cast<unsigned char>(title[place - 1])) &&
           title[place - 1] != '_';
  };
  const auto found = std::ranges::find_if(kernels, is_named);
  return found == kernels.end() ? std::nullopt : std::optional(*found);
}

} // namespace assay::cli
