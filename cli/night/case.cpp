#include "cli/night/case.hpp"

#include <charconv>
#include <fmt/format.h>

namespace assay::cli {

namespace {

namespace functions = gen::functions;

constexpr std::string_view check = "check/", function = "function/", program = "program/";

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

std::string stem_of(const ProjectCase &what) {
  return fmt::format("{}{}", check, what.function);
}
std::string stem_of(const functions::FunctionName &what) {
  return fmt::format("{}{}/{}/{}", function, name_of(what.terrain), name_of(what.precision), what.number);
}
std::string stem_of(const ProgramCase &what) {
  return fmt::format("{}{}", program, what.number);
}

/// `near-kink/float/17`
std::optional<functions::FunctionName> random_function(std::string_view text, std::uint64_t seed) {
  const std::size_t first = text.find('/'), second = text.rfind('/');
  if (first == std::string_view::npos || first == second)
    return std::nullopt;
  const auto terrain = functions::terrain_named(text.substr(0, first));
  const std::string_view precision = text.substr(first + 1, second - first - 1);
  const auto number = whole_number<std::uint32_t>(text.substr(second + 1));
  if (!terrain || !number || (precision != "float" && precision != "double"))
    return std::nullopt;
  return functions::FunctionName{
      seed, *terrain, precision == "float" ? functions::Precision::real32 : functions::Precision::real64, *number};
}

} // namespace

std::string id_of(const NightCase &night_case) {
  return fmt::format("{}@{}", std::visit([](const auto &what) { return stem_of(what); }, night_case.what),
                     night_case.seed);
}

std::optional<NightCase> case_from_id(std::string_view id) {
  const std::size_t at = id.rfind('@');
  const auto seed = at == std::string_view::npos ? std::nullopt : whole_number<std::uint64_t>(id.substr(at + 1));
  if (!seed)
    return std::nullopt;
  const std::string_view stem = id.substr(0, at);
  if (stem.starts_with(check) && stem.find(':') != std::string_view::npos)
    return NightCase{*seed, ProjectCase{std::string(stem.substr(check.size()))}};
  if (stem.starts_with(function))
    if (const auto name = random_function(stem.substr(function.size()), *seed))
      return NightCase{*seed, *name};
  if (stem.starts_with(program))
    if (const auto number = whole_number<std::uint32_t>(stem.substr(program.size())))
      return NightCase{*seed, ProgramCase{*number}};
  return std::nullopt;
}

std::string subject_of(std::string_view id) {
  return std::string(id.starts_with(check) ? id.substr(0, id.rfind('@')) : id);
}

} // namespace assay::cli
