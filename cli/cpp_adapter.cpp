// Two programs are generated. The first prints what there is: for each parameter whether it is passed as it is or made
// of how many numbers of which type, with their paths. The second is the adapter, whose parameters follow from that.

#include "cli/cpp_adapter.hpp"

#include "cli/object_spec.hpp"
#include "cli/values_not_made.hpp"
#include "core/jit/argument_spec.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/source_parameters.hpp"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <sstream>
#include <utility>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// The numbers of one type of an object.
struct NumbersOfType {
  std::string type;
  std::vector<std::string> paths;
};

/// One parameter, or the result, as the first program describes it.
struct Described {
  /// A fixed one is made by the user's expression and has no numbers to be seen.
  enum class Way { plain, input, changed, fixed } way = Way::plain;
  std::string type;                 ///< `double`, `const int *`, of a plain one.
  std::vector<NumbersOfType> parts; ///< Of an object: a parameter of the adapter for each.
  std::string unknown;              ///< A setting that it has no field for, and behind blanks those that it has.
};

/// Of the parameter for a part of `name`.
std::string name_of_part(const Described &described, const std::string &name, std::size_t part) {
  return part == 0 ? name : fmt::format("{}_{}", name, described.parts[part].type);
}

/// As the generated program writes it.
std::string expression_of(const std::string &symbol) {
  std::string name = jit::qualified_name(symbol);
  for (const std::string part : {"(anonymous namespace)::", "[abi:cxx11]"})
    for (std::size_t at; (at = name.find(part)) != std::string::npos;)
      name.erase(at, part.size());
  return name;
}

/// The types of a function's parameters with their namespaces: `geo::Vec const&, double`.
std::string parameter_types(const std::string &symbol) {
  std::string name = jit::readable_name(symbol);
  constexpr std::string_view tag = "[abi:cxx11]";
  for (std::size_t at; (at = name.find(tag)) != std::string::npos;)
    name.erase(at, tag.size());
  const std::size_t end = name.rfind(')');
  std::size_t begin = end;
  for (int depth = 1; depth > 0 && begin != 0 && begin != std::string::npos;) {
    --begin;
    depth += name[begin] == ')' ? 1 : name[begin] == '(' ? -1 : 0;
  }
  return end == std::string::npos ? std::string() : name.substr(begin + 1, end - begin - 1);
}

/// By its parameters where the file has several of that name.
std::string address_of(const jit::ModuleFile &file, const std::string &function, const std::string &symbol) {
  const auto has_name = [&](const std::string &symbol) { return expression_of(symbol) == function; };
  if (std::ranges::count_if(file.own_functions(), has_name) < 2)
    return "&" + function;
  return fmt::format("assay::adapter::Overload<{}>::of(&{})", parameter_types(symbol), function);
}

/// Programs have macros of one capital letter (`#define N 8`, `-DN=8`), and the harness's headers such template
/// parameters.
std::string without_letter_macros() {
  std::string text;
  for (char letter = 'A'; letter <= 'Z'; ++letter)
    text += fmt::format("#undef {}\n", letter);
  return text;
}

/// A parameter that is passed as it is, in the call that counts the numbers of a result.
struct PlainSample {
  std::size_t elements = 64; ///< Behind a pointer.
  std::int64_t integer = 1;
};

/// As a spec fixes it.
PlainSample sample_of(const std::string &spec, const std::vector<std::string> &names) {
  PlainSample sample;
  try {
    const jit::ArgumentSpec argument = jit::parse_argument_spec(spec, names);
    if (argument.is_pointer() && argument.elements() != 0)
      sample.elements = argument.elements();
    if (!argument.integers.empty())
      sample.integer = argument.integers.front();
  } catch (const jit::SpecError &) { // Told where the spec is read for good.
  }
  return sample;
}

class AdapterWriter {
public:
  AdapterWriter(const fs::path &file, std::string function, std::vector<std::string> names,
                const std::vector<ObjectSpec> &shapes, std::vector<PlainSample> samples)
      : file_(file), function_(std::move(function)), names_(std::move(names)), shapes_(shapes),
        samples_(std::move(samples)) {}

  GeneratedSource describing_program() const {
    std::string text = head() + "int main() {\n";
    for (std::size_t index = 0; index < names_.size(); ++index)
      text +=
          fmt::format("  assay::adapter::describe_argument<Argument<{0}>, Shape{0}>(\"{1}\");\n", index, names_[index]);
    text += "  assay::adapter::describe_result<Signature::Result>([] {\n";
    std::vector<std::string> passed;
    for (std::size_t index = 0; index < names_.size(); ++index) {
      text += fmt::format("    std::conditional_t<assay::adapter::is_plain<Argument<{0}>>, "
                          "assay::adapter::PlainSample<Argument<{0}>, {1}, {2}>, "
                          "assay::adapter::Holder<Argument<{0}>, Shape{0}>> sample_{0};\n",
                          index, samples_[index].elements, samples_[index].integer);
      passed.push_back(fmt::format("sample_{}.pass()", index));
    }
    text += fmt::format("    return std::remove_cvref_t<Signature::Result>(std::invoke(function{}{}));\n  }});\n}}\n",
                        passed.empty() ? "" : ", ", fmt::join(passed, ", "));
    return {prelude(), text};
  }

  /// With the result behind the parameters where it is an object.
  GeneratedSource adapter(const std::vector<Described> &parameters, const Described &result) const {
    std::vector<std::string> taken, passed;
    std::string before, after;
    for (std::size_t index = 0; index < parameters.size(); ++index) {
      const Described &parameter = parameters[index];
      const std::string &name = names_[index];
      add_parameters(taken, parameter, name);
      if (parameter.way == Described::Way::plain) {
        passed.push_back(fmt::format("assay::adapter::as<Argument<{}>>({})", index, name));
        continue;
      }
      before += fmt::format("  assay::adapter::Holder<Argument<{0}>, Shape{0}> held_{0}{{{1}}};\n", index,
                            fmt::join(names_of_parts(parameter, name), ", "));
      passed.push_back(fmt::format("held_{}.pass()", index));
      if (parameter.way == Described::Way::changed)
        after += fmt::format("  held_{}.read_back({});\n", index, fmt::join(names_of_parts(parameter, name), ", "));
    }
    const bool is_object = result.way != Described::Way::plain;
    if (is_object)
      add_parameters(taken, result, "result");
    const std::string call =
        fmt::format("std::invoke(function{}{})", passed.empty() ? "" : ", ", fmt::join(passed, ", "));
    const bool is_void = !is_object && result.type == "void";
    std::string body = before + (is_void ? "  " + call : "  const auto assay_result = " + call) + ";\n" + after;
    if (is_object)
      body += fmt::format("  assay::adapter::store(assay_result, {});\n", fmt::join(result_arrays(result), ", "));
    else if (!is_void)
      body += "  return assay_result;\n";
    return {prelude(), head() + fmt::format("extern \"C\" {} {}({}) {{\n{}}}\n", is_object ? "void" : result.type,
                                            adapter_symbol, fmt::join(taken, ", "), body)};
  }

private:
  std::string prelude() const {
    return including(file_) + without_letter_macros() +
           "#include <assay/detail/testing/adapter.hpp>\n#if __has_include(<Eigen/Core>) && defined(EIGEN_CORE_H)\n"
           "#include <assay/eigen.hpp>\n#endif\n";
  }

  std::string head() const {
    std::string text = "namespace {\n";
    text += fmt::format("constexpr auto function = {};\n", function_);
    text += "using Signature = assay::adapter::SignatureOf<std::remove_const_t<decltype(function)>>;\n"
            "template <std::size_t I> using Argument = std::tuple_element_t<I, Signature::Arguments>;\n";
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
      std::vector<std::string> settings;
      for (const auto &[name, value] : shapes_[index].settings)
        settings.push_back(fmt::format("assay::adapter::Setting{{\"{}\", {}}}", name, value));
      text += fmt::format("struct Shape{} {{\n  static constexpr std::array<std::size_t, {}> extents{{{}}};\n"
                          "  static constexpr std::array<assay::adapter::Setting, {}> settings{{{}}};\n{}}};\n",
                          index, shapes_[index].extents.size(), fmt::join(shapes_[index].extents, ", "),
                          settings.size(), fmt::join(settings, ", "), members_of(shapes_[index].expression));
    }
    return text + "} // namespace\n";
  }

  static std::string members_of(const std::string &expression) {
    if (expression.empty())
      return {};
    return fmt::format("  static constexpr bool is_expression = true;\n"
                       "  template <class = void> static auto written() {{ return {0}; }}\n"
                       "  template <class T> static T value() {{ return {0}; }}\n",
                       expression);
  }

  static std::vector<std::string> names_of_parts(const Described &parameter, const std::string &name) {
    std::vector<std::string> names;
    for (std::size_t part = 0; part < parameter.parts.size(); ++part)
      names.push_back(name_of_part(parameter, name, part));
    return names;
  }

  static std::vector<std::string> result_arrays(const Described &result) {
    std::vector<std::string> arrays;
    for (std::size_t part = 0; part < result.parts.size(); ++part)
      arrays.push_back(fmt::format("assay::adapter::ResultArray<{}>{{{}, {}}}", result.parts[part].type,
                                   name_of_part(result, "result", part), result.parts[part].paths.size()));
    return arrays;
  }

  static void add_parameters(std::vector<std::string> &taken, const Described &parameter, const std::string &name) {
    if (parameter.way == Described::Way::plain)
      taken.push_back(parameter.type + " " + name);
    if (parameter.way == Described::Way::fixed)
      taken.push_back("int " + name); // Its place among the parameters; nothing reads it.
    for (std::size_t part = 0; part < parameter.parts.size(); ++part)
      taken.push_back(fmt::format("{}{} *{}", parameter.way == Described::Way::input ? "const " : "",
                                  parameter.parts[part].type, name_of_part(parameter, name, part)));
  }

  const fs::path &file_;
  std::string function_;
  std::vector<std::string> names_;
  const std::vector<ObjectSpec> &shapes_;
  std::vector<PlainSample> samples_;
};

/// Of the first program's output.
std::vector<Described> read_descriptions(const std::string &output) {
  std::vector<Described> all;
  std::string unknown; // Stands before the parameter that it is about.
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    Described described;
    const std::string way = line.substr(0, line.find(' '));
    std::string rest = line.substr(line.find(' ') + 1);
    if (way == "unknown") {
      if (unknown.empty())
        unknown = rest;
      continue;
    }
    if (way == "fixed") {
      described.way = Described::Way::fixed;
      all.push_back(std::move(described));
      continue;
    }
    if (way == "plain") {
      described.type = rest;
      all.push_back(std::move(described));
      continue;
    }
    const std::size_t space = rest.rfind(' ');
    NumbersOfType part{rest.substr(0, space), {}};
    for (std::size_t count = std::stoul(rest.substr(space + 1)); count > 0 && std::getline(lines, line); --count)
      part.paths.push_back(line);
    described.way = way == "input" ? Described::Way::input : Described::Way::changed;
    if (way != "also") {
      described.unknown = std::exchange(unknown, {});
      all.push_back(std::move(described));
    }
    all.back().parts.push_back(std::move(part));
  }
  return all;
}

std::vector<std::string> words_of(const std::string &text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

void require_checkable(const Described &described, const std::string &function, const std::string &name,
                       const std::string &type) {
  if (!described.unknown.empty()) {
    const std::vector<std::string> words = words_of(described.unknown);
    const std::string known = words.size() == 1 ? "nothing that has a size or an integer"
                                                : fmt::format("{}", fmt::join(words.begin() + 1, words.end(), ", "));
    throw jit::BadRequest(
        fmt::format("no field '{}' in '{}' of {} ({}); it has {}", words.front(), name, function, type, known));
  }
  const auto is_long = [](const NumbersOfType &part) { return part.type == "long double" && !part.paths.empty(); };
  if (described.type.find("long double") != std::string::npos || std::ranges::any_of(described.parts, is_long))
    throw jit::BadRequest(fmt::format("'{}' of {} ({}) has numbers of long double; write a function of doubles that "
                                      "calls it",
                                      name, function, type));
  const auto is_empty = [](const NumbersOfType &part) { return part.paths.empty(); };
  if (described.way != Described::Way::plain && described.way != Described::Way::fixed &&
      std::ranges::all_of(described.parts, is_empty))
    throw jit::BadRequest(fmt::format("'{}' of {} ({}) has no numbers as it is made by default; say how large it is, "
                                      "such as --arg 'vector[8]' or --arg '{}={{field=2}}'",
                                      name, function, type, name));
}

} // namespace

std::string including(const fs::path &file) {
  return fmt::format("#define main assay_main_of_the_file\n#include \"{}\"\n#undef main\n",
                     fs::absolute(file).lexically_normal().string());
}

AdaptedFunction adapt(SourceLoader &loader, const jit::ModuleFile &file, const std::string &symbol,
                      const std::vector<std::string> &specs) {
  const jit::SourceParameters source = jit::source_parameters(*file.module().getFunction(symbol));
  const std::string function = expression_of(symbol);
  if (!specs.empty() && specs.size() != source.names.size())
    throw jit::BadRequest(fmt::format("{} has {} parameters ({}), and {} --arg {} given{}", function,
                                      source.names.size(), fmt::join(source.types, ", "), specs.size(),
                                      specs.size() == 1 ? "is" : "are",
                                      source.is_member ? "; the first is the object" : ""));
  std::vector<ObjectSpec> shapes(source.names.size());
  const auto is_object = [&](std::size_t index) { return source.is_object[index]; };
  for (std::size_t index = 0; index < source.names.size(); ++index)
    if (is_object(index) && source.has_halves[index])
      throw jit::BadRequest(
          fmt::format("'{}' of {} ({}) has numbers of 16 bits, which objects of C++ cannot have here: "
                      "write a function of pointers and numbers that calls it, and check that",
                      source.names[index], function, source.types[index]));
  for (std::size_t index = 0; index < specs.size(); ++index)
    if (is_object(index))
      shapes[index] = parse_object_spec(specs[index]);
  for (std::size_t index = 0; index < source.names.size(); ++index)
    if (is_object(index) && shapes[index].expression.empty() && source.is_callable[index])
      throw jit::BadRequest(fmt::format("'{0}' of {1} ({2}) is a callable: say what it is, such as --arg '{0}=square', "
                                        "a function of the file, or --arg '{0}=[](double x) {{ return 2 * x; }}'",
                                        source.names[index], function, source.types[index]));

  std::vector<PlainSample> samples(source.names.size());
  for (std::size_t index = 0; index < specs.size(); ++index)
    if (!is_object(index))
      samples[index] = sample_of(specs[index], source.names);
  const AdapterWriter writer(file.path(), address_of(file, function, symbol), source.names, shapes, std::move(samples));
  std::vector<Described> described;
  try {
    described = read_descriptions(loader.output_of(file.path(), writer.describing_program()));
  } catch (const jit::BadRequest &error) {
    throw in_terms_of_user({function, source, specs, shapes}, error, loader.settings().shows_compiler_text);
  }
  if (described.size() != source.names.size() + 1)
    throw jit::BadRequest(fmt::format("the parameters of {} cannot be made", function));
  const Described result = described.back();
  described.pop_back();
  for (std::size_t index = 0; index < described.size(); ++index)
    require_checkable(described[index], function, source.names[index], source.types[index]);
  require_checkable(result, function, "result", "the result");

  const GeneratedSource program = writer.adapter(described, result);
  AdaptedFunction adapted{loader.load_generated(file.path(), program), {}, {}, program.text(), {}};
  adapted.function = adapted.file.function(adapter_symbol);
  adapted.function.name = function;
  described.push_back(result);
  std::size_t parameter = 0; // Of the adapter.
  for (std::size_t index = 0; index < described.size(); ++index) {
    const bool is_given = index < specs.size();
    const Described &each = described[index];
    if (each.way == Described::Way::plain && index < source.names.size()) {
      adapted.specs.push_back(is_given ? specs[index] : each.type);
      adapted.objects.emplace_back();
      ++parameter;
    }
    if (each.way == Described::Way::fixed) {
      adapted.specs.emplace_back("int=0");
      adapted.objects.push_back(specs[index]);
      adapted.function.parameters[parameter++].element_paths = {specs[index]};
    }
    const ObjectSpec shape = index < shapes.size() ? shapes[index] : ObjectSpec();
    for (const NumbersOfType &part : each.parts) {
      const bool has_spec = index < source.names.size() && &part == &each.parts.front();
      adapted.specs.push_back(
          fmt::format("{}{}[{}]{}", shape.constant ? "const " : "", part.type, part.paths.size(), shape.domain));
      adapted.objects.emplace_back(!has_spec ? std::string(result_object) : is_given ? specs[index] : "object");
      adapted.function.parameters[parameter++].element_paths = part.paths;
    }
  }
  return adapted;
}

} // namespace assay::cli
