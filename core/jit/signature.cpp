#include "core/jit/signature.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/resolve_arguments.hpp"
#include "core/jit/shared_memory.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>

namespace assay::jit {

namespace {

using TypeKind = ParameterType::Kind;

std::string type_text(const ParameterType &type) {
  if (!type.source_type.empty())
    return type.source_type;
  if (const std::optional<Scalar> real = real_of(type))
    return std::string(name_of(*real));
  if (type.kind == TypeKind::pointer)
    return "pointer";
  return std::string(type.bits == 1 ? "bool" : name_of(integer_of(type.bits)));
}

/// `const double *x`, `double (*f)(double)`
std::string declaration(const ParameterType &parameter) {
  std::string type = type_text(parameter);
  if (const std::size_t name = type.find("(*)"); parameter.is_callable && name != std::string::npos)
    return type.insert(name + 2, parameter.name);
  return type + (type.ends_with('*') || type.ends_with('&') ? "" : " ") + parameter.name;
}

std::string example_spec(const ParameterType &type) {
  if (type.is_callable)
    return type.name + "=function";
  if (const std::optional<Scalar> real = real_of(type))
    return std::string(name_of(*real));
  if (type.kind == TypeKind::pointer)
    return fmt::format("{}[{}]{}", name_of(type.pointee.value_or(Scalar::real64)), type.numbers == 0 ? 8 : type.numbers,
                       type.pointee && !is_real(*type.pointee) ? "=0" : "");
  return type.bits == 64 ? "long=8" : type.bits == 1 ? "bool=1" : "int=8";
}

std::string example_arguments(const FunctionSignature &function) {
  std::string text;
  for (const ParameterType &parameter : function.parameters)
    text += fmt::format(" --arg '{}'", example_spec(parameter));
  return text;
}

/// Signs make no difference to memory.
bool fits_memory(Scalar memory, Scalar type) {
  return memory == type || (!is_real(memory) && !is_real(type) && size_of(memory) == size_of(type));
}

/// As a signed or as an unsigned number; one bit is a bool.
bool has_bits(std::int64_t value, unsigned bits) {
  if (bits > 32)
    return true;
  const std::int64_t above = std::int64_t{1} << bits;
  return value < above && value >= (bits == 1 ? 0 : -above / 2);
}

/// An int is for a narrower or wider parameter, too.
bool fits_integer(unsigned bits, const ArgumentSpec &spec) {
  if (is_real(spec.type) || (spec.type != Scalar::integer32 && 8 * size_of(spec.type) > std::max(bits, 8U)))
    return false;
  return std::ranges::all_of(spec.integers, [&](std::int64_t value) { return has_bits(value, bits); });
}

bool fits(const ParameterType &parameter, const ArgumentSpec &spec) {
  if (spec.is_pointer() || parameter.is_reference)
    return parameter.kind == TypeKind::pointer && fits_memory(parameter.pointee.value_or(spec.type), spec.type);
  if (const std::optional<Scalar> real = real_of(parameter))
    return spec.type == *real;
  return parameter.kind == TypeKind::integer && fits_integer(parameter.bits, spec);
}

std::size_t numbers_in(const ArgumentSpec &spec) {
  return std::accumulate(spec.extents.begin(), spec.extents.end(), std::size_t{1}, std::multiplies<>());
}

void check_fit(const FunctionSignature &function, std::size_t index, const ArgumentSpec &spec) {
  const ParameterType &parameter = function.parameters[index];
  const std::string subject =
      fmt::format("parameter {} of {} ('{}') is {}", index + 1, function.name, parameter.name, type_text(parameter));
  if (fits(parameter, spec)) {
    if (spec.is_pointer() && !is_open(spec) && numbers_in(spec) < parameter.numbers)
      throw BadRequest(fmt::format("{} and has {} numbers, but --arg '{}' has {}; for example --arg '{}'", subject,
                                   parameter.numbers, to_string(spec), numbers_in(spec), example_spec(parameter)));
    return;
  }
  if (parameter.kind == TypeKind::pointer && !spec.is_pointer())
    throw BadRequest(fmt::format("{}, but --arg '{}' has no extents; say how many elements, for example --arg '{}'",
                                 subject, to_string(spec), example_spec(parameter)));
  throw BadRequest(fmt::format("{}, which --arg '{}' does not fit; for example --arg '{}'", subject, to_string(spec),
                               example_spec(parameter)));
}

std::vector<ArgumentSpec> default_arguments(const FunctionSignature &function) {
  std::vector<ArgumentSpec> specs;
  for (const ParameterType &parameter : function.parameters) {
    const std::optional<Scalar> real = parameter.is_reference ? parameter.pointee : real_of(parameter);
    if (!real)
      throw BadRequest(fmt::format("{} needs one --arg for each parameter; for example{}", function.describe(),
                                   example_arguments(function)));
    ArgumentSpec spec;
    spec.type = *real;
    if (parameter.is_reference)
      spec.extents = {1};
    specs.push_back(spec);
  }
  return specs;
}

} // namespace

std::optional<Scalar> real_of(const ParameterType &type) {
  switch (type.kind) {
  case TypeKind::real64:
    return Scalar::real64;
  case TypeKind::real32:
    return Scalar::real32;
  case TypeKind::real16:
    return Scalar::real16;
  case TypeKind::brain16:
    return Scalar::brain16;
  case TypeKind::integer:
  case TypeKind::pointer:
    break;
  }
  return std::nullopt;
}

Scalar integer_of(unsigned bits) {
  switch (bits) {
  case 1:
    return Scalar::boolean;
  case 8:
    return Scalar::integer8;
  case 16:
    return Scalar::integer16;
  default:
    return bits == 32 ? Scalar::integer32 : Scalar::integer64;
  }
}

std::string FunctionSignature::describe() const {
  std::vector<std::string> texts;
  for (const ParameterType &parameter : parameters)
    texts.push_back(declaration(parameter));
  return fmt::format("{}{}({})", name, launch ? to_string(*launch) : std::string(), fmt::join(texts, ", "));
}

std::vector<ArgumentSpec> bind_arguments(const FunctionSignature &function, const std::vector<ArgumentSpec> &specs) {
  if (function.parameters.empty())
    throw BadRequest(fmt::format("{} has no parameters, so there is nothing to differentiate", function.name));
  if (specs.empty())
    return default_arguments(function);
  if (specs.size() != function.parameters.size())
    throw BadRequest(fmt::format("{} has {} parameter{}, but {} --arg {} given; for example{}", function.describe(),
                                 function.parameters.size(), function.parameters.size() == 1 ? "" : "s", specs.size(),
                                 specs.size() == 1 ? "was" : "were", example_arguments(function)));
  std::vector<ArgumentSpec> bound = specs;
  for (std::size_t index = 0; index < specs.size(); ++index) {
    check_fit(function, index, specs[index]);
    if (function.parameters[index].is_reference && !specs[index].is_pointer())
      bound[index].extents = {1};
  }
  check_aliases(function, bound);
  return bound;
}

} // namespace assay::jit
