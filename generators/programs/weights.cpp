#include "generators/programs/weights.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace assay::gen::programs {

namespace {

constexpr std::array<std::pair<std::string_view, double Weights::*>, 14> members{{
    {"callbacks", &Weights::callbacks},
    {"complex", &Weights::complex},
    {"floats", &Weights::floats},
    {"heap", &Weights::heap},
    {"jumps", &Weights::jumps},
    {"lists", &Weights::lists},
    {"mutual", &Weights::mutual},
    {"partners", &Weights::partners},
    {"rows", &Weights::rows},
    {"second", &Weights::second},
    {"structures", &Weights::structures},
    {"tagged", &Weights::tagged},
    {"unions", &Weights::unions},
    {"vectors", &Weights::vectors},
}};

} // namespace

bool set_weight(Weights &weights, std::string_view word) {
  const std::size_t sign = word.find('=');
  if (sign == std::string_view::npos)
    return false;
  const std::string_view name = word.substr(0, sign), number = word.substr(sign + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !(value >= 0 && value <= 1000))
    return false;
  bool found = false;
  for (const auto &[member, place] : members)
    if (name == member || name == "all") {
      weights.*place = value;
      found = true;
    }
  return found;
}

std::vector<std::string> names_of_weights() {
  std::vector<std::string> names;
  for (const auto &[member, place] : members)
    names.emplace_back(member);
  return names;
}

} // namespace assay::gen::programs
