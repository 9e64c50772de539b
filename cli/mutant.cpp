#include "cli/mutant.hpp"

#include "core/jit/bad_request.hpp"
#include <charconv>
#include <fmt/format.h>
#include <vector>

namespace assay::cli {

std::string_view name_of(MutantFate fate) {
  switch (fate) {
  case MutantFate::killed:
    return "killed";
  case MutantFate::same_code:
    return "equivalent, proved";
  case MutantFate::same_numbers:
    return "equivalent, seen";
  case MutantFate::survived:
    return "survived";
  case MutantFate::not_planted:
    return "not planted";
  }
  return "unknown";
}

static std::vector<std::string> split(std::string_view text, char separator, std::size_t most) {
  std::vector<std::string> parts;
  while (parts.size() + 1 < most) {
    const std::size_t end = text.find(separator);
    if (end == std::string_view::npos)
      break;
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.emplace_back(text);
  return parts;
}

static unsigned number_in(const std::string &text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw jit::BadRequest(fmt::format("'{}' is not a number", text));
  return number;
}

std::string name_of(const Variant &variant) {
  std::string name(testutils::name_of(variant.mode));
  if (variant.form == testutils::Form::split)
    name += "-split";
  if (variant.width != 1)
    name += fmt::format("-{}", variant.width);
  return name;
}

static Variant variant_named(const std::string &name) {
  const std::vector<std::string> parts = split(name, '-', 3);
  Variant variant;
  if (parts[0] == "reverse")
    variant.mode = testutils::Mode::reverse;
  else if (parts[0] != "forward")
    throw jit::BadRequest(fmt::format("--only: '{}' is neither forward nor reverse nor rule", parts[0]));
  for (std::size_t index = 1; index < parts.size(); ++index)
    if (parts[index] == "split")
      variant.form = testutils::Form::split;
    else
      variant.width = number_in(parts[index]);
  return variant;
}

std::string id_of(const Mutant &mutant) {
  return fmt::format("{}/{}/{}/{}", mutant.variant ? name_of(*mutant.variant) : "rule", mutant.fault.place,
                     name_of(mutant.fault.kind), mutant.fault.number);
}

Mutant mutant_from_id(const std::string &id) {
  const std::vector<std::string> parts = split(id, '/', 4);
  if (parts.size() != 4)
    throw jit::BadRequest(fmt::format("--only: '{}' is not MODE/PLACE/CLASS/NUMBER", id));
  Mutant mutant;
  if (parts[0] != "rule")
    mutant.variant = variant_named(parts[0]);
  const auto kind = jit::fault_class_named(parts[2]);
  if (!kind)
    throw jit::BadRequest(fmt::format("--only: there is no class '{}'", parts[2]));
  mutant.fault = {*kind, parts[1], number_in(parts[3]), 0, ""};
  return mutant;
}

std::string to_line(const Mutant &mutant) {
  return fmt::format("{}\t{}\t{}", id_of(mutant), mutant.fault.line, mutant.fault.text);
}

Mutant mutant_from_line(std::string_view line) {
  const std::vector<std::string> parts = split(line, '\t', 3);
  Mutant mutant = mutant_from_id(parts.at(0));
  mutant.fault.line = number_in(parts.at(1));
  mutant.fault.text = parts.at(2);
  return mutant;
}

} // namespace assay::cli
