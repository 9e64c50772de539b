#include "cli/night/plan.hpp"

#include <assay/generators/stream.hpp>

namespace assay::cli {

namespace {

namespace functions = gen::functions;

constexpr std::string_view suite = "nightly";

template <typename Sequence>
const auto &drawn_from(gen::Stream &stream, const Sequence &sequence) {
  return sequence[static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(sequence.size()) - 1))];
}

/// Another function in the project does not change the numbers of this one.
NightCase project_case(std::uint64_t seed, const std::string &function, std::uint32_t round) {
  return {gen::Stream({seed, suite, function, "seed of a function", round}).next(), ProjectCase{function}};
}

NightCase random_function(std::uint64_t seed, gen::Stream &stream, std::uint32_t number) {
  constexpr std::array precisions{functions::Precision::real32, functions::Precision::real64};
  functions::FunctionName name;
  name.seed = seed;
  name.terrain = drawn_from(stream, functions::all_terrains);
  name.precision = drawn_from(stream, precisions);
  name.number = number;
  return {seed, name};
}

NightCase draw(const NightPlan &plan, std::uint32_t number) {
  gen::Stream stream({plan.seed, suite, "case", "kind", number});
  constexpr std::int64_t kinds = 4; // One in four is a program, one a function of the project if there is any.
  const std::int64_t kind = stream.integer(0, kinds - 1);
  if (kind == 0)
    return {plan.seed, ProgramCase{number}};
  if (kind == 1 && !plan.functions.empty())
    return project_case(plan.seed, drawn_from(stream, plan.functions), number + 1);
  return random_function(plan.seed, stream, number);
}

} // namespace

std::optional<std::size_t> NightPlan::size() const {
  if (!listed.empty())
    return known.size() + listed.size();
  return cases ? std::optional(known.size() + *cases) : std::nullopt;
}

std::string case_at(const NightPlan &plan, std::size_t index) {
  if (index < plan.known.size())
    return plan.known[index];
  index -= plan.known.size();
  if (!plan.listed.empty())
    return plan.listed[index];
  if (index < plan.functions.size())
    return id_of(project_case(plan.seed, plan.functions[index], 0));
  return id_of(draw(plan, static_cast<std::uint32_t>(index - plan.functions.size())));
}

} // namespace assay::cli
