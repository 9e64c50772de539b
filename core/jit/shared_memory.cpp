#include "core/jit/shared_memory.hpp"

#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::jit {

namespace {

[[noreturn]] void fail(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs, std::size_t index,
                       const std::string &problem) {
  throw BadRequest(fmt::format("--arg '{}' of parameter {} of {} ('{}'): {}", to_string(specs[index]), index + 1,
                               function.name, function.parameters[index].name, problem));
}

std::size_t owner_of(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs, std::size_t index) {
  const std::string &name = specs[index].alias->of;
  std::vector<std::string> pointers;
  for (std::size_t other = 0; other < specs.size(); ++other) {
    if (name == function.parameters[other].name || name == fmt::format("${}", other + 1))
      return other;
    if (specs[other].is_pointer() && other != index)
      pointers.push_back(function.parameters[other].name);
  }
  fail(function, specs, index,
       fmt::format("there is no parameter '{}'; {}", name,
                   pointers.empty() ? "no other one is a pointer"
                                    : fmt::format("pointers are {}", fmt::join(pointers, ", "))));
}

void check_alias(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs, std::size_t index) {
  const std::size_t owner = owner_of(function, specs, index);
  const std::string &name = function.parameters[owner].name;
  const ArgumentSpec &own = specs[index], &shared = specs[owner];
  if (owner == index)
    fail(function, specs, index, "a parameter cannot be its own alias");
  if (!shared.is_pointer())
    fail(function, specs, index, fmt::format("'{}' is no pointer: it has no memory to share", name));
  if (shared.alias)
    fail(function, specs, index, fmt::format("'{}' is an alias itself; name '{}'", name, shared.alias->of));
  if (own.type != shared.type)
    fail(function, specs, index, fmt::format("'{}' is memory of {}", name, name_of(shared.type)));
  if (own.constant != shared.constant)
    fail(function, specs, index,
         fmt::format("shared memory is const at both parameters or at none; '{}' is{}", name,
                     shared.constant ? "" : " not"));
  for (const std::size_t one : {index, owner})
    if (function.parameters[one].is_restrict)
      fail(function, specs, index,
           fmt::format("'{}' is restrict: the function promises not to share its memory",
                       function.parameters[one].name));
}

void check_extents(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs, std::size_t index,
                   std::size_t owner, std::size_t offset) {
  const std::size_t needed = offset + specs[index].elements(), there = specs[owner].elements();
  if (needed > there || needed < offset)
    fail(function, specs, index,
         fmt::format("it ends behind '{}', which has {} element{}; give that {}", function.parameters[owner].name,
                     there, there == 1 ? "" : "s", needed));
}

std::size_t offset_of(const Alias &alias) {
  return static_cast<std::size_t>(alias.offset.value([](const std::string &) { return 0; }));
}

/// `y = x + 3`
std::string phrase(const FunctionSignature &function, std::size_t index, std::size_t owner, const Alias &alias) {
  const std::string offset = alias.offset == IntegerFormula(0) ? "" : fmt::format(" + {}", alias.offset.text());
  return fmt::format("{} = {}{}", function.parameters[index].name, function.parameters[owner].name, offset);
}

} // namespace

void check_aliases(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs) {
  for (std::size_t index = 0; index < specs.size(); ++index)
    if (specs[index].alias)
      check_alias(function, specs, index);
}

SharedCall join_aliases(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs) {
  SharedCall call{function, specs};
  if (std::ranges::none_of(specs, [](const ArgumentSpec &spec) { return spec.alias.has_value(); }))
    return call;
  call.function.parameters.clear();
  call.arguments.clear();
  std::vector<std::size_t> place(specs.size());
  for (std::size_t index = 0; index < specs.size(); ++index) {
    if (specs[index].alias)
      continue;
    place[index] = call.arguments.size();
    call.function.parameters.push_back(function.parameters[index]);
    call.arguments.push_back(specs[index]);
  }
  for (std::size_t index = 0; index < specs.size(); ++index) {
    if (!specs[index].alias) {
      call.function.passed.push_back({place[index], 0});
      continue;
    }
    const Alias &alias = *specs[index].alias;
    const std::size_t owner = owner_of(function, specs, index), offset = offset_of(alias);
    check_extents(function, specs, index, owner, offset);
    call.function.passed.push_back({place[owner], offset * size_of(specs[owner].type)});
    call.function.parameters[place[owner]].shared_as.push_back(phrase(function, index, owner, alias));
  }
  return call;
}

std::string describe_aliases(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs) {
  std::vector<std::string> phrases;
  for (std::size_t index = 0; index < specs.size(); ++index)
    if (specs[index].alias)
      phrases.push_back(phrase(function, index, owner_of(function, specs, index), *specs[index].alias));
  return fmt::format("{}", fmt::join(phrases, ", "));
}

} // namespace assay::jit
