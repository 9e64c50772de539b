// Names: of modes, activities, elements and combinations, as a user of the harness writes them.

#include <assay/testing/branches.hpp>
#include <assay/testing/trace.hpp>

#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

Subject::~Subject() = default;

std::unique_ptr<Tracer> Subject::tracer(const Combination &) {
  return nullptr;
}

std::unique_ptr<BranchTracer> Subject::branch_tracer(const std::vector<Combination> &) {
  return nullptr;
}

std::size_t Parameter::size() const {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

bool Parameter::differentiable() const {
  return element != ElementType::integer && !constant_only;
}

std::string Parameter::title() const {
  return sharing.empty() ? name : fmt::format("{} ({})", name, fmt::join(sharing, ", "));
}

std::string Parameter::element_path(std::size_t index) const {
  if (index < element_paths.size())
    return element_paths[index];
  if (extents.empty())
    return name;
  if (extents.size() == 1)
    return name + "[" + std::to_string(index) + "]"; // Each number that is compared has one: quicker than a format.
  std::vector<std::size_t> subscripts(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    subscripts[axis] = index % extents[axis];
    index /= extents[axis];
  }
  std::string path = name + "(" + std::to_string(subscripts.front());
  for (std::size_t axis = 1; axis < subscripts.size(); ++axis)
    path += ", " + std::to_string(subscripts[axis]);
  return path + ")";
}

std::string_view name_of(Mode mode) {
  return mode == Mode::forward ? "forward" : "reverse";
}

std::string_view name_of(Activity activity) {
  switch (activity) {
  case Activity::constant:
    return "Const";
  case Activity::active:
    return "Active";
  case Activity::duplicated:
    return "Duplicated";
  case Activity::duplicated_no_need:
    return "DuplicatedNoNeed";
  }
  return "unknown activity";
}

std::string_view name_of(ElementType element) {
  switch (element) {
  case ElementType::single_precision:
    return "float";
  case ElementType::double_precision:
    return "double";
  case ElementType::long_double:
    return "long double";
  case ElementType::half_precision:
    return "half";
  case ElementType::brain_float:
    return "bfloat16";
  case ElementType::integer:
    return "int";
  }
  return "unknown type";
}

std::string describe(const Signature &signature, const Combination &combination) {
  std::vector<std::string> arguments;
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    arguments.push_back(
        fmt::format("{} {}", name_of(combination.arguments[index]), signature.parameters[index].title()));
  std::string text =
      fmt::format("{}: {}({})", name_of(combination.mode), signature.function, fmt::join(arguments, ", "));
  if (signature.result)
    text += fmt::format(" -> {}", name_of(combination.result));
  if (combination.width != 1)
    text += fmt::format(", width {}", combination.width);
  if (combination.form == Form::split)
    text += ", split";
  if (combination.runtime_activity == RuntimeActivity::on)
    text += ", runtime activity";
  return text;
}

} // namespace assay::testutils
