// clang prints the declarations of a name; their template heads have the parameters. An example is only shown once
// clang takes it.

#include "cli/template_instance.hpp"

#include "cli/cpp_adapter.hpp"
#include "core/jit/bad_request.hpp"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *variable = "assay_instance";

GeneratedSource program_with(const fs::path &file, const std::string &name) {
  return {{}, including(file) + fmt::format("[[gnu::used]] static const auto {} = &{};\n", variable, name)};
}

/// The function whose address a constant holds. One of a member function has an adjustment of the object beside it.
const llvm::Function *function_in(const llvm::Constant &constant) {
  if (const auto *function = llvm::dyn_cast<llvm::Function>(&constant))
    return function;
  for (const llvm::Use &operand : constant.operands())
    if (const auto *part = llvm::dyn_cast<llvm::Constant>(operand))
      if (const llvm::Function *function = function_in(*part))
        return function;
  return nullptr;
}

std::string symbol_of_instance(const llvm::Module &module) {
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.getName().contains(variable) && global.hasInitializer())
      if (const llvm::Function *function = function_in(*global.getInitializer()))
        return function->getName().str();
  return {};
}

struct Declaration {
  std::string name; ///< Qualified.
  std::string text; ///< Without its body.
};

std::vector<Declaration> declarations_of(const std::string &printed, const std::string &name) {
  constexpr std::string_view head = "Printing ";
  std::vector<Declaration> found;
  std::istringstream lines(printed);
  for (std::string line, text; std::getline(lines, line);) {
    if (!line.starts_with(head) || !line.ends_with(':') || !std::getline(lines, text))
      continue;
    Declaration declaration{line.substr(head.size(), line.size() - head.size() - 1), text};
    if (declaration.text.ends_with(" {"))
      declaration.text.resize(declaration.text.size() - 2);
    if (declaration.name == name || declaration.name.ends_with("::" + name))
      found.push_back(std::move(declaration));
  }
  return found;
}

/// `typename T`, `int N` of `template <typename T, int N> ...`.
std::vector<std::string> parameters_of(const std::string &declaration) {
  constexpr std::string_view head = "template <";
  std::vector<std::string> parameters;
  if (!declaration.starts_with(head))
    return parameters;
  std::string current;
  int depth = 1;
  for (std::size_t at = head.size(); at < declaration.size() && depth > 0; ++at) {
    const char c = declaration[at];
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (depth == 0 || (c == ',' && depth == 1)) {
      parameters.push_back(current.substr(std::min(current.find_first_not_of(' '), current.size())));
      current.clear();
    } else {
      current += c;
    }
  }
  return parameters;
}

/// `type` for one that is a type; parameters with defaults, and what comes behind them, are left out.
std::string example_arguments(const std::vector<std::string> &parameters, std::string_view type) {
  std::vector<std::string> arguments;
  for (const std::string &parameter : parameters) {
    if (parameter.find('=') != std::string::npos)
      break;
    const std::string kind = parameter.substr(0, parameter.rfind(' '));
    constexpr std::array values{"int", "unsigned", "long", "size_t", "short", "auto", "char"};
    const auto is_kind = [&](const char *value) { return kind.find(value) != std::string::npos; };
    if (parameter.starts_with("template "))
      arguments.emplace_back("std::vector");
    else if (is_kind("bool"))
      arguments.emplace_back("true");
    else if (std::ranges::any_of(values, is_kind))
      arguments.emplace_back("3");
    else
      arguments.emplace_back(type);
  }
  return arguments.empty() && parameters.empty() ? std::string() : fmt::format("<{}>", fmt::join(arguments, ", "));
}

bool compiles(SourceLoader &loader, const fs::path &file, const std::string &name) {
  try {
    static_cast<void>(loader.load_generated(file, program_with(file, name)));
    return true;
  } catch (const jit::BadRequest &) {
    return false;
  }
}

std::string without_arguments(const std::string &name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    depth += c == '<';
    if (depth == 0)
      plain += c;
    depth -= c == '>';
  }
  return plain;
}

std::string scope_of(const std::string &name) {
  const std::size_t end = name.rfind("::");
  return end == std::string::npos ? std::string() : name.substr(0, end);
}

std::string last_of(const std::string &name) {
  const std::string scope = scope_of(name);
  return scope.empty() ? name : name.substr(scope.size() + 2);
}

/// The first that clang takes, of types that functions are checked with; empty: none of them.
std::string example_of(SourceLoader &loader, const fs::path &file, const Declaration &function,
                       const Declaration *parent) {
  constexpr std::array types{"double", "std::vector<double>", "double (*)(double)"};
  // A definition outside of its class has the parameters of the class.
  const bool is_outside = parent && function.text.find(last_of(parent->name) + "<") != std::string::npos;
  const std::vector<std::string> own = is_outside ? std::vector<std::string>() : parameters_of(function.text);
  const std::vector<std::string> outer = parent ? parameters_of(parent->text) : std::vector<std::string>();
  std::set<std::string> tried;
  for (const char *outer_type : types)
    for (const char *type : types) {
      const std::string scope =
          parent ? parent->name + example_arguments(outer, outer_type) + "::" + last_of(function.name) : function.name;
      std::string example = scope + example_arguments(own, type);
      if (tried.insert(example).second && compiles(loader, file, example))
        return example;
    }
  return {};
}

} // namespace

std::string how_to_name_instance(SourceLoader &loader, const fs::path &file, const std::string &given) {
  const std::string name = without_arguments(given);
  std::vector<Declaration> functions, classes;
  try {
    functions = declarations_of(loader.printed_declarations(file, name), name);
    if (const std::string scope = scope_of(functions.empty() ? name : functions.front().name); !scope.empty())
      classes = declarations_of(loader.printed_declarations(file, scope), scope);
  } catch (const jit::BadRequest &) { // That the file does not compile was said.
  }
  std::erase_if(classes, [](const Declaration &each) { return parameters_of(each.text).empty(); });
  if (classes.empty())
    std::erase_if(functions, [](const Declaration &each) {
      return parameters_of(each.text).empty() && each.text.find("auto ") == std::string::npos;
    });
  if (functions.empty())
    return {};
  if (const std::string &text = functions.front().text; text.find("= [") != std::string::npos)
    return fmt::format("is a variable of {}, {}, and no function: write one that calls it", file.string(),
                       text.ends_with(';') ? text.substr(0, text.size() - 1) : text);

  std::vector<std::string> texts;
  for (const std::vector<Declaration> &declarations : {classes, functions})
    for (const Declaration &declaration : declarations)
      if (texts.size() < 4)
        texts.push_back(declaration.text);
  const std::string example = example_of(loader, file, functions.front(), classes.empty() ? nullptr : &classes.front());
  const std::string advice = "name an instance with its arguments" +
                             (example.empty() ? std::string() : fmt::format(", such as --function '{}'", example));
  return fmt::format("is a template that {} does not instantiate: {}; {}", file.string(), fmt::join(texts, "; "),
                     advice);
}

TemplateInstance instance_of_template(SourceLoader &loader, const fs::path &file, const std::string &name) {
  try {
    jit::ModuleFile loaded = loader.load_generated(file, program_with(file, name));
    std::string symbol = symbol_of_instance(loaded.module());
    return {std::move(loaded), std::move(symbol)};
  } catch (const jit::BadRequest &error) {
    const std::string line = error.what(), advice = how_to_name_instance(loader, file, name);
    const std::size_t at = line.find("error: ");
    const std::string reason = at == std::string::npos ? line : line.substr(at + 7);
    if (advice.empty())
      throw jit::BadRequest(
          fmt::format("no function '{}' in {}, and no template has such an instance: {}", name, file.string(), reason),
          error.details);
    const bool is_about_user = reason.find(variable) == std::string::npos;
    throw jit::BadRequest(fmt::format("there is no '{}'{}; '{}' {}", name, is_about_user ? ": " + reason : "",
                                      without_arguments(name), advice),
                          loader.settings().shows_compiler_text ? error.details : "");
  }
}

} // namespace assay::cli
