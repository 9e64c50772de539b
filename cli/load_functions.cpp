#include "cli/load_functions.hpp"

#include "cli/aliasings.hpp"
#include "cli/installation.hpp"
#include "cli/rules_named.hpp"
#include "cli/shapes.hpp"
#include "cli/value_files.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/integer_constants.hpp"
#include "core/jit/registered_rules.hpp"
#include "core/jit/resolve_arguments.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// As the user would write it from here.
fs::path shown_path(const fs::path &file) {
  std::error_code error;
  const fs::path near = fs::proximate(file, error);
  return error || near.string().size() > file.string().size() ? file : near;
}

jit::CompileOptions compile_options(const CheckSettings &settings) {
  jit::CompileOptions options;
  options.level = settings.level;
  options.include_directories.push_back(include_directory());
  return options;
}

/// Values from files are looked for beside the program, then here.
std::vector<jit::ArgumentSpec> parse_specs(const std::vector<std::string> &texts,
                                           const jit::FunctionSignature &function, const fs::path &program) {
  const std::vector<std::string> names = jit::integer_names(function);
  std::vector<jit::ArgumentSpec> specs;
  for (const std::string &text : texts)
    specs.push_back(with_values(jit::parse_argument_spec(text, names), program.parent_path()));
  return specs;
}

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

CheckRequest request_for(const jit::ModuleFile &file, const std::string &name, const std::vector<std::string> &specs,
                         const CheckSettings &settings, const std::optional<fs::path> &points = std::nullopt) {
  CheckRequest request;
  request.file = file.path();
  request.function = file.function(name);
  request.name = name;
  add_launch(request, file, settings);
  try {
    request.arguments = jit::bind_arguments(request.function, parse_specs(specs, request.function, request.file));
  } catch (const jit::SpecError &error) {
    throw jit::BadRequest(error.what());
  }
  request.settings = settings;
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

/// --function finds a static function or one of several overloads by its linkage name only.
std::string findable_name(const jit::ModuleFile &file, const std::string &name, const std::string &linkage_name) {
  try {
    if (file.function(name).linkage_name == linkage_name)
      return name;
  } catch (const jit::BadRequest &) {
  }
  return linkage_name;
}

void add_marked(const jit::ModuleFile &file, const jit::CheckMark &mark, const CheckSettings &settings,
                std::deque<FunctionToCheck> &functions) {
  try {
    CheckRequest request = request_for(file, mark.linkage_name, mark.arguments, settings);
    request.name = findable_name(file, mark.name, mark.linkage_name);
    request.expectation = mark.expectation;
    functions.push_back({&file, std::move(request)});
  } catch (const jit::BadRequest &error) {
    throw jit::BadRequest(fmt::format("ASSAY_CHECK({}) in {}: {}", mark.name, file.path().string(), error.what()),
                          error.details);
  }
}

} // namespace

jit::ModuleFile file_with_function(const fs::path &path, const std::string &function, const CheckSettings &settings,
                                   jit::Pointees pointees) {
  jit::CompileOptions options = compile_options(settings);
  jit::ModuleFile file(path, options);
  try {
    static_cast<void>(file.function(function, pointees));
    return file;
  } catch (const jit::BadRequest &) {
    if (jit::language_of(path) != jit::Language::c && jit::language_of(path) != jit::Language::cpp)
      throw;
  }
  options.emit = jit::CompileOptions::Emit::everything;
  try {
    jit::ModuleFile whole(path, options);
    static_cast<void>(whole.function(function, pointees));
    return whole;
  } catch (const jit::BadRequest &) {
    static_cast<void>(file.function(function, pointees)); // Its message names what the file really defines.
    throw;
  }
}

std::vector<fs::path> program_files(const fs::path &folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (jit::language_of(entry.path()) == jit::Language::c || jit::language_of(entry.path()) == jit::Language::cpp)
      files.push_back(shown_path(entry.path()));
  if (files.empty())
    throw jit::BadRequest(fmt::format("the shipped programs are not in {}; name a FILE", folder.string()));
  std::sort(files.begin(), files.end());
  return files;
}

void load_marked(const fs::path &file, const CheckSettings &settings, Console &console,
                 std::deque<jit::ModuleFile> &files, std::deque<FunctionToCheck> &functions) {
  console.status("compiling " + file.string());
  files.emplace_back(file, compile_options(settings));
  for (const jit::CheckMark &mark : files.back().marks())
    add_marked(files.back(), mark, settings, functions);
}

/// Behind each function that has to be right, itself with shared memory.
static void add_aliasings(std::deque<FunctionToCheck> &functions) {
  std::deque<FunctionToCheck> all;
  for (FunctionToCheck &function : functions)
    if (function.request.expectation == jit::CheckMark::Expectation::fails)
      all.push_back(std::move(function));
    else
      for (CheckRequest &request : with_aliasings(function.request))
        all.push_back({function.file, std::move(request)});
  functions = std::move(all);
}

static std::vector<jit::CheckMark> marks_that_use(const jit::ModuleFile &file, const std::set<std::string> &tables) {
  std::vector<jit::CheckMark> users;
  for (const jit::CheckMark &mark : file.marks())
    if (std::ranges::any_of(
            jit::registered_rules(file.module(), mark.linkage_name),
            [&](const jit::RegisteredRule &rule) { return rule.is_reached && tables.contains(rule.symbol); }))
      users.push_back(mark);
  return users;
}

/// The functions of the rule that arguments can be made for, and the marked functions whose derivatives use it.
static void load_rule(const CheckArguments &arguments, Console &console, std::deque<jit::ModuleFile> &files,
                      std::deque<FunctionToCheck> &functions) {
  if (!arguments.file)
    throw jit::BadRequest("--rule needs a FILE");
  if (arguments.function)
    throw jit::BadRequest("--rule names the function already: leave out --function");
  console.status("compiling " + arguments.file->string());
  files.emplace_back(*arguments.file, compile_options(arguments.settings));
  const jit::ModuleFile &file = files.back();
  const std::vector<jit::RegisteredRule> rules = rules_named(file, *arguments.rule);
  std::set<std::string> tables;
  std::map<std::string, const jit::RegisteredRule *> by_function;
  for (const jit::RegisteredRule &rule : rules) {
    tables.insert(rule.symbol);
    by_function.emplace(rule.function_symbol, &rule);
  }
  if (!arguments.arguments.empty() && by_function.size() > 1)
    throw jit::BadRequest(
        fmt::format("--arg describes the parameters of one function, and the rule '{}' is for {}; name one of these",
                    *arguments.rule, by_function.size()));
  const std::vector<jit::CheckMark> users = marks_that_use(file, tables);
  for (const jit::CheckMark &mark : users)
    if (!by_function.contains(mark.linkage_name) || arguments.arguments.empty())
      add_marked(file, mark, arguments.settings, functions);
  std::string reason;
  for (const auto &[symbol, rule] : by_function) {
    const auto is_this = [&](const FunctionToCheck &known) { return known.request.function.linkage_name == symbol; };
    if (std::ranges::any_of(functions, is_this))
      continue;
    if (!rule->has_body) {
      reason = fmt::format("its function '{}' has no body in this file; mark a function that calls it with ASSAY_CHECK",
                           rule->function);
      continue;
    }
    try {
      CheckRequest request = request_for(file, symbol, arguments.arguments, arguments.settings, arguments.points);
      request.name = findable_name(file, rule->function, symbol);
      functions.push_front({&file, std::move(request)});
    } catch (const jit::BadRequest &error) {
      if (!arguments.arguments.empty())
        throw;
      reason = error.what();
    }
  }
  if (functions.empty())
    throw jit::BadRequest(fmt::format("the rule '{}' cannot be checked: {}", *arguments.rule, reason));
  for (FunctionToCheck &function : functions)
    function.request.asked_tables.assign(tables.begin(), tables.end());
}

static void load_given(const CheckArguments &arguments, Console &console, std::deque<jit::ModuleFile> &files,
                       std::deque<FunctionToCheck> &functions) {
  if (arguments.rule)
    return load_rule(arguments, console, files, functions);
  if (arguments.function && !arguments.file)
    throw jit::BadRequest("--function needs a FILE");
  if (!arguments.arguments.empty() && !arguments.function)
    throw jit::BadRequest("--arg needs --function NAME: it describes that function's parameters");
  if (arguments.points && !arguments.function)
    throw jit::BadRequest("--points needs --function NAME: its rows are that function's arguments");
  if (arguments.function) {
    files.push_back(file_with_function(*arguments.file, *arguments.function, arguments.settings));
    functions.push_back({&files.back(), request_for(files.back(), *arguments.function, arguments.arguments,
                                                    arguments.settings, arguments.points)});
    return;
  }
  for (const fs::path &path :
       arguments.file ? std::vector<fs::path>{*arguments.file} : program_files(examples_directory()))
    load_marked(path, arguments.settings, console, files, functions);
  if (functions.empty())
    throw jit::BadRequest(
        fmt::format("{} marks no function with ASSAY_CHECK; name one with --function NAME", arguments.file->string()));
}

void load_functions(const CheckArguments &arguments, Console &console, std::deque<jit::ModuleFile> &files,
                    std::deque<FunctionToCheck> &functions) {
  load_given(arguments, console, files, functions);
  if (arguments.settings.sharing == Sharing::every_way)
    add_aliasings(functions);
}

} // namespace assay::cli
