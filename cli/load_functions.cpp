#include "cli/load_functions.hpp"

#include "cli/aliasings.hpp"
#include "cli/cpp_adapter.hpp"
#include "cli/describable.hpp"
#include "cli/installation.hpp"
#include "cli/rules_named.hpp"
#include "cli/source_loader.hpp"
#include "cli/template_instance.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/callables.hpp"
#include "core/jit/function_names.hpp"
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

} // namespace

jit::ModuleFile file_with_function(const fs::path &path, const std::string &function, const CheckSettings &settings,
                                   jit::Pointees pointees) {
  SourceLoader loader(settings, {path});
  jit::ModuleFile file = loader.load(path);
  try {
    static_cast<void>(file.function(function, pointees));
    return file;
  } catch (const jit::BadRequest &) {
    if (jit::language_of(path) != jit::Language::c && jit::language_of(path) != jit::Language::cpp)
      throw;
  }
  try {
    jit::ModuleFile whole = loader.load(path, jit::CompileOptions::Emit::everything);
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
  SourceLoader loader(settings, {file});
  files.push_back(loader.load(file));
  const jit::ModuleFile &loaded = files.back();
  for (const jit::CheckMark &mark : loaded.marks())
    add_marked(loader, files, loaded, mark, settings, functions);
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

namespace {

/// Of one request with several files.
class Loading {
public:
  Loading(const CheckArguments &arguments, Console &console, std::deque<jit::ModuleFile> &files,
          std::deque<FunctionToCheck> &functions)
      : arguments_(arguments), console_(console), files_(files), functions_(functions),
        loader_(arguments.settings, arguments.files), first_(files.size()) {
    for (const fs::path &path : arguments.files) {
      console_.status("compiling " + path.string());
      files_.push_back(is_host_code(path) ? loader_.load_with_kernels(path) : loader_.load(path));
    }
    given_ = files_.size();
    for (const std::string &warning : loader_.warnings())
      fmt::print(stderr, "assay: warning: {}\n", warning);
  }

  void add(const NamedFunction &named) {
    const FoundFunction found = file_of(named.name);
    const jit::ModuleFile &file = found.file;
    const std::vector<std::string> symbols = found.symbol.empty()
                                                 ? jit::functions_named(named.name, file.own_functions())
                                                 : std::vector<std::string>{found.symbol};
    if (symbols.size() != 1) { // The message names the candidates.
      functions_.push_back(
          {&file, request_for(file, named.name, named.arguments, arguments_.settings, arguments_.points)});
      return;
    }
    std::vector<std::string> specs = named.arguments;
    if (specs.empty() && !arguments_.points) // They are written once.
      for (const jit::CheckMark &mark : file.marks())
        if (mark.linkage_name == symbols.front() && specs.empty())
          specs = mark.arguments;
    functions_.push_back(function_for(loader_, files_, file, symbols.front(), named.name, specs, arguments_.settings,
                                      arguments_.points));
  }

  void add_marked_functions() {
    for (std::size_t index = first_; index < given_; ++index)
      for (const jit::CheckMark &mark : files_[index].marks())
        add_marked(loader_, files_, files_[index], mark, arguments_.settings, functions_);
  }

  /// The result is what was left out.
  std::vector<LeftOutFunction> add_all() {
    std::vector<LeftOutFunction> left_out;
    for (std::size_t index = first_; index < given_; ++index) {
      const jit::ModuleFile &file = files_[index];
      std::set<std::string> marked;
      for (const jit::CheckMark &mark : file.marks()) {
        marked.insert(mark.linkage_name);
        add_marked(loader_, files_, file, mark, arguments_.settings, functions_);
      }
      for (const std::string &symbol : functions_of_source(file))
        if (!marked.contains(symbol))
          try {
            FunctionToCheck function = function_for(loader_, files_, file, symbol, symbol, {}, arguments_.settings);
            function.request.name = findable_name(file, function.request.function.name, symbol);
            functions_.push_back(std::move(function));
          } catch (const jit::BadRequest &error) {
            left_out.push_back({file.path().string(), jit::readable_name(symbol), error.what()});
          }
    }
    return left_out;
  }

private:
  struct FoundFunction {
    const jit::ModuleFile &file;
    std::string symbol = {}; ///< Empty: as its name says.
  };

  /// Code of the device is that which a launch runs.
  bool is_host_code(const fs::path &path) const {
    return jit::language_of(path) == jit::Language::cuda && !arguments_.settings.launch;
  }

  static bool defines(const jit::ModuleFile &file, const std::string &name) {
    return !jit::functions_named(name, file.own_functions()).empty();
  }

  /// Unused static and inline functions are only compiled when they are asked for.
  FoundFunction file_of(const std::string &name) {
    std::vector<const jit::ModuleFile *> found;
    for (std::size_t index = first_; index < given_; ++index)
      if (defines(files_[index], name))
        found.push_back(&files_[index]);
    if (found.size() > 1)
      throw jit::BadRequest(fmt::format("'{}' is ambiguous: {} and {} both define one; name one FILE", name,
                                        found[0]->path().string(), found[1]->path().string()));
    if (!found.empty())
      return {*found.front()};
    for (const fs::path &path : arguments_.files) {
      const bool is_source_of_host =
          jit::language_of(path) == jit::Language::c || jit::language_of(path) == jit::Language::cpp;
      if (!is_source_of_host && !is_host_code(path))
        continue;
      using enum jit::CompileOptions::Emit;
      jit::ModuleFile whole = loader_.load(path, is_source_of_host ? everything : used); // else code of the device
      if (!defines(whole, name))
        continue;
      files_.push_back(std::move(whole));
      return {files_.back()};
    }
    return linked_file_of(name);
  }

  /// A function of what is linked with the first file; where there is none, what the files really define is said.
  FoundFunction linked_file_of(const std::string &name) {
    for (const fs::path &path : arguments_.files)
      if (jit::language_of(path) == jit::Language::cpp && name.find('<') != std::string::npos) {
        TemplateInstance instance = instance_of_template(loader_, path, name);
        files_.push_back(std::move(instance.file));
        return {files_.back(), std::move(instance.symbol)};
      }
    for (std::size_t index = first_; index + 1 < given_; ++index)
      try {
        static_cast<void>(files_[index].function(name));
        return {files_[index]};
      } catch (const jit::BadRequest &) { // Of the last file it is said.
      }
    try {
      static_cast<void>(files_[given_ - 1].function(name));
    } catch (const jit::BadRequest &) {
      for (const fs::path &path : arguments_.files)
        if (jit::language_of(path) == jit::Language::cpp)
          if (const std::string advice = how_to_name_instance(loader_, path, name); !advice.empty())
            throw jit::BadRequest(fmt::format("'{}' {}", name, advice));
      throw;
    }
    return {files_[given_ - 1]};
  }

  const CheckArguments &arguments_;
  Console &console_;
  std::deque<jit::ModuleFile> &files_;
  std::deque<FunctionToCheck> &functions_;
  SourceLoader loader_;
  std::size_t first_, given_ = 0; ///< Where the request's own files begin and end.
};

void require_consistent(const CheckArguments &arguments) {
  const bool has_name =
      std::ranges::any_of(arguments.functions, [](const NamedFunction &named) { return !named.name.empty(); });
  if (has_name && arguments.files.empty())
    throw jit::BadRequest("--function needs a FILE");
  for (const NamedFunction &named : arguments.functions)
    if (named.name.empty())
      throw jit::BadRequest("--arg needs --function NAME: it describes that function's parameters");
  if (arguments.points && arguments.functions.size() != 1)
    throw jit::BadRequest("--points needs one --function NAME: its rows are that function's arguments");
  if (arguments.choice == FunctionChoice::every_describable && has_name)
    throw jit::BadRequest("--all stands for every function: leave out --function");
}

} // namespace

static void ask_for_rule(CheckRequest &request, const std::string &rule, const std::set<std::string> &tables) {
  request.asked_rule = rule;
  request.asked_tables.assign(tables.begin(), tables.end());
}

/// The functions that the user names, whose derivatives have to use the rule.
static void load_users_of_rule(const CheckArguments &arguments, Console &console, std::deque<jit::ModuleFile> &files,
                               std::deque<FunctionToCheck> &functions) {
  Loading loading(arguments, console, files, functions);
  for (const NamedFunction &named : arguments.functions)
    loading.add(named);
  for (FunctionToCheck &function : functions) {
    std::set<std::string> tables;
    for (const jit::RegisteredRule &rule : rules_named(*function.file, *arguments.rule))
      tables.insert(rule.symbol);
    if (!uses_rule(*function.file, function.request.function.linkage_name, tables))
      throw jit::BadRequest(
          fmt::format("the derivatives of '{}' do not use the rule '{}'", function.request.name, *arguments.rule));
    ask_for_rule(function.request, *arguments.rule, tables);
  }
}

/// The functions of the rule that arguments can be made for, and the marked functions whose derivatives use it.
static void load_rule(const CheckArguments &arguments, Console &console, std::deque<jit::ModuleFile> &files,
                      std::deque<FunctionToCheck> &functions) {
  if (arguments.files.size() != 1)
    throw jit::BadRequest("--rule needs one FILE; others are given with --with");
  if (!arguments.functions.empty() && !arguments.functions.front().name.empty())
    return load_users_of_rule(arguments, console, files, functions);
  const std::vector<std::string> specs =
      arguments.functions.empty() ? std::vector<std::string>() : arguments.functions.front().arguments;
  console.status("compiling " + arguments.files.front().string());
  SourceLoader loader(arguments.settings, arguments.files);
  files.push_back(loader.load(arguments.files.front()));
  const jit::ModuleFile &file = files.back();
  const std::vector<jit::RegisteredRule> rules = rules_named(file, *arguments.rule);
  std::set<std::string> tables;
  std::map<std::string, const jit::RegisteredRule *> by_function;
  for (const jit::RegisteredRule &rule : rules) {
    tables.insert(rule.symbol);
    by_function.emplace(rule.function_symbol, &rule);
  }
  if (!specs.empty() && by_function.size() > 1)
    throw jit::BadRequest(
        fmt::format("--arg describes the parameters of one function, and the rule '{}' is for {}; name one of these",
                    *arguments.rule, by_function.size()));
  for (const jit::CheckMark &mark : file.marks())
    if (uses_rule(file, mark.linkage_name, tables) && (!by_function.contains(mark.linkage_name) || specs.empty()))
      add_marked(loader, files, file, mark, arguments.settings, functions);
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
      CheckRequest request = request_for(file, symbol, specs, arguments.settings, arguments.points);
      request.name = findable_name(file, rule->function, symbol);
      functions.push_front({&file, std::move(request)});
    } catch (const jit::BadRequest &error) {
      if (!specs.empty())
        throw;
      reason = error.what();
    }
  }
  if (functions.empty())
    throw jit::BadRequest(fmt::format("the rule '{}' cannot be checked: {}", *arguments.rule, reason));
  for (FunctionToCheck &function : functions)
    ask_for_rule(function.request, *arguments.rule, tables);
}

static std::vector<LeftOutFunction> load_given(const CheckArguments &arguments, Console &console,
                                               std::deque<jit::ModuleFile> &files,
                                               std::deque<FunctionToCheck> &functions) {
  std::vector<LeftOutFunction> left_out;
  if (arguments.rule) {
    load_rule(arguments, console, files, functions);
    return left_out;
  }
  require_consistent(arguments);
  if (arguments.files.empty()) {
    for (const fs::path &path : program_files(examples_directory()))
      load_marked(path, arguments.settings, console, files, functions);
    return left_out;
  }
  Loading loading(arguments, console, files, functions);
  if (arguments.choice == FunctionChoice::every_describable) {
    left_out = loading.add_all();
    if (!left_out.empty())
      return left_out;
  } else if (arguments.functions.empty()) {
    loading.add_marked_functions();
  }
  for (const NamedFunction &named : arguments.functions)
    loading.add(named);
  if (functions.empty())
    throw jit::BadRequest(fmt::format("{} marks no function with ASSAY_CHECK; name one with --function NAME, or check "
                                      "--all",
                                      arguments.files.front().string()));
  return left_out;
}

std::vector<LeftOutFunction> load_functions(const CheckArguments &arguments, Console &console,
                                            std::deque<jit::ModuleFile> &files,
                                            std::deque<FunctionToCheck> &functions) {
  std::vector<LeftOutFunction> left_out = load_given(arguments, console, files, functions);
  if (arguments.settings.sharing == Sharing::every_way)
    add_aliasings(functions);
  return left_out;
}

} // namespace assay::cli
