#include "cli/function_requests.hpp"

#include "cli/cpp_adapter.hpp"
#include "cli/shapes.hpp"
#include "cli/spec_texts.hpp"
#include "cli/value_files.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/callables.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/integer_constants.hpp"
#include "core/jit/registered_rules.hpp"
#include "core/jit/resolve_arguments.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// Of device code, which nothing runs without.
void add_launch(CheckRequest &request, const jit::ModuleFile &file, const CheckSettings &settings) {
  jit::FunctionSignature &function = request.function;
  if (!file.is_device_code()) {
    if (settings.launch)
      throw jit::BadRequest(
          fmt::format("--launch is for kernels, and {} is code of the host; leave it out", function.describe()));
    return;
  }
  if (!settings.launch)
    throw jit::BadRequest(fmt::format("{} is device code: say how many threads run it, for example --launch "
                                      "'<<<4,64>>>' for 4 blocks of 64",
                                      function.describe()));
  if (function.result)
    throw jit::BadRequest(fmt::format("{} returns a number in each thread; check a kernel that stores it, such as "
                                      "__global__ void all(..., {} *results)",
                                      function.describe(),
                                      function.result->source_type.empty() ? "double" : function.result->source_type));
  if (const std::string reason = jit::why_not(*settings.launch); !reason.empty())
    throw jit::BadRequest(fmt::format("--launch {}: {}", to_string(*settings.launch), reason));
  function.launch = settings.launch;
}

CheckRequest request_for(const jit::ModuleFile &file, jit::FunctionSignature function, const std::string &name,
                         const std::vector<std::string> &specs, const CheckSettings &settings,
                         const std::optional<fs::path> &points) {
  CheckRequest request;
  request.file = file.path();
  request.function = std::move(function);
  request.name = name;
  add_launch(request, file, settings);
  request.arguments = jit::bind_arguments(request.function, parse_specs(specs, request.function, request.file));
  for (std::size_t index = 0; index < request.arguments.size(); ++index)
    if (request.function.parameters[index].is_callable) // It says for which function the integer stands.
      request.function.parameters[index].element_paths = {request.arguments[index].object};
  request.settings = settings;
  request.settings.sources = SourceLoader::sources_of(file, settings.sources);
  const auto is_reached = [](const jit::RegisteredRule &rule) { return rule.is_reached; };
  request.uses_rules =
      std::ranges::any_of(jit::registered_rules(file.module(), request.function.linkage_name), is_reached);
  request.constants = jit::integer_constants_of_rules(file.module(), request.function.linkage_name);
  if (points)
    take_points(request.arguments, *points);
  const auto is_real = [](const jit::ArgumentSpec &spec) { return jit::is_real(spec.type) && !spec.constant; };
  if (std::none_of(request.arguments.begin(), request.arguments.end(), is_real))
    throw jit::BadRequest(fmt::format("{} has nothing to differentiate: every argument is an integer or const",
                                      request.function.describe()));
  static_cast<void>(shapes_of(request)); // What does not fit is said before anything runs.
  return request;
}

/// Whether the compiled function takes something else than numbers and pointers to them.
bool needs_adapter(const jit::ModuleFile &file, const std::string &symbol) {
  if (jit::language_of(file.path()) != jit::Language::cpp)
    return false;
  try {
    static_cast<void>(file.function(symbol));
    return false;
  } catch (const jit::BadRequest &) {
    return true;
  }
}

/// Of numbers and pointers to them. A static function that only a spec names is compiled when it is asked for.
FunctionToCheck plain_function(SourceLoader &loader, std::deque<jit::ModuleFile> &files, const jit::ModuleFile &file,
                               const std::string &symbol, const std::string &name,
                               const std::vector<std::string> &specs, const CheckSettings &settings,
                               const std::optional<fs::path> &points) {
  const auto from = [&](const jit::ModuleFile &source) {
    jit::FunctionSignature function = source.function(symbol, jit::Pointees::numbers, specs);
    FunctionToCheck found{&source, request_for(source, std::move(function), name, specs, settings, points)};
    if (const std::string text = source.source_of_members(symbol, specs, adapter_symbol); !text.empty())
      found.request.adapter = including(source.path()) + text;
    return found;
  };
  try {
    return from(file);
  } catch (const jit::UnknownCallable &) {
    if (jit::language_of(file.path()) != jit::Language::c)
      throw;
    files.push_back(loader.load(file.path(), jit::CompileOptions::Emit::everything));
    return from(files.back());
  }
}

} // namespace

CheckRequest request_for(const jit::ModuleFile &file, const std::string &name, const std::vector<std::string> &specs,
                         const CheckSettings &settings, const std::optional<fs::path> &points) {
  return request_for(file, file.function(name, jit::Pointees::numbers, specs), name, specs, settings, points);
}

FunctionToCheck function_for(SourceLoader &loader, std::deque<jit::ModuleFile> &files, const jit::ModuleFile &file,
                             const std::string &symbol, const std::string &name, const std::vector<std::string> &specs,
                             const CheckSettings &settings, const std::optional<fs::path> &points) {
  if (!needs_adapter(file, symbol))
    return plain_function(loader, files, file, symbol, name, specs, settings, points);
  AdaptedFunction adapted = adapt(loader, file, symbol, specs);
  files.push_back(std::move(adapted.file));
  CheckRequest request = request_for(files.back(), std::move(adapted.function), name, adapted.specs, settings, points);
  request.adapter = std::move(adapted.text);
  for (std::size_t index = 0; index < adapted.objects.size(); ++index)
    request.arguments[index].object = adapted.objects[index];
  return {&files.back(), std::move(request)};
}

std::string findable_name(const jit::ModuleFile &file, const std::string &name, const std::string &linkage_name) {
  const std::vector<std::string> found = jit::functions_named(name, file.own_functions());
  return found.size() == 1 && found.front() == linkage_name ? name : linkage_name;
}

void add_marked(SourceLoader &loader, std::deque<jit::ModuleFile> &files, const jit::ModuleFile &file,
                const jit::CheckMark &mark, const CheckSettings &settings, std::deque<FunctionToCheck> &functions) {
  try {
    FunctionToCheck function =
        function_for(loader, files, file, mark.linkage_name, mark.linkage_name, mark.arguments, settings);
    function.request.name = findable_name(file, mark.name, mark.linkage_name);
    function.request.expectation = mark.expectation;
    functions.push_back(std::move(function));
  } catch (const jit::BadRequest &error) {
    throw jit::BadRequest(fmt::format("ASSAY_CHECK({}) in {}: {}", mark.name, file.path().string(), error.what()),
                          error.details);
  }
}

} // namespace assay::cli
