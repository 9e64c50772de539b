#include "cli/convention_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

const char *marker_of(const ReproducedVariable &variable) {
  if (variable.is_constant())
    return "enzyme_const";
  if (variable.is_active())
    return "enzyme_out";
  return variable.activity == "DuplicatedNoNeed" ? "enzyme_dupnoneed" : "enzyme_dup";
}

} // namespace

ConventionText::ConventionText(const ReproducedCall &call) : call_(call), returned_(returned_numbers()) {
  if (returned_.size() == 1)
    type_ = returned_.front().type;
  else if (!returned_.empty())
    type_ = "struct assay_gradient";
}

/// In order.
std::vector<ConventionText::ReturnedNumber> ConventionText::returned_numbers() const {
  std::vector<ReturnedNumber> numbers;
  if (call_.is_forward) {
    for (unsigned lane = 0; lane < call_.width && call_.result_counts; ++lane)
      numbers.push_back({call_.result_type, fmt::format("tangent_{}", lane)});
    return numbers;
  }
  for (const ReproducedVariable &variable : call_.variables)
    for (unsigned lane = 0; lane < call_.width && variable.is_active(); ++lane)
      numbers.push_back({variable.type, fmt::format("{}_{}", variable.name, lane)});
  return numbers;
}

std::string ConventionText::returned(const std::string &name) const {
  return returned_.size() == 1 ? "assay_g" : "assay_g." + name;
}

const char *ConventionText::name() const {
  if (call_.is_split)
    return "__enzyme_reverse_reproduced";
  return call_.is_forward ? "__enzyme_fwddiff_reproduced" : "__enzyme_autodiff_reproduced";
}

std::string ConventionText::declarations() const {
  std::string text;
  if (returned_.size() > 1) {
    text += "struct assay_gradient {\n";
    for (const auto &[type, name] : returned_)
      text += fmt::format("  {} {};\n", type, name);
    text += "};\n";
  }
  Words behind(call_.has_seeds() ? call_.width : 0, call_.result_type);
  if (call_.is_split) {
    text += declaration("void *", "__enzyme_augmentfwd_reproduced", call_.has_result ? Words{"int"} : Words(), {});
    behind.emplace_back("void *");
  } else if (call_.has_seeds()) {
    behind.insert(behind.begin(), "int");
  }
  return text + declaration(type_, name(), {}, behind);
}

std::string ConventionText::declaration(const std::string &result, const char *name, const Words &before,
                                        const Words &behind) const {
  Words types = {"void *"};
  types.insert(types.end(), before.begin(), before.end());
  if (call_.width > 1)
    types.insert(types.end(), {"int", "int"});
  if (call_.is_runtime_activity)
    types.emplace_back("int");
  if (call_.has_result && !call_.result_counts)
    types.emplace_back("int");
  for (const PassedVariable &passed : call_.passed) {
    const ReproducedVariable &variable = call_.variables[passed.variable];
    const std::string type = variable.type + (variable.is_pointer ? " *" : "");
    types.emplace_back("int");
    types.insert(types.end(), variable.has_shadow() ? 1 + call_.width : 1, type);
  }
  types.insert(types.end(), behind.begin(), behind.end());
  return fmt::format("CONVENTION {} {}({});\n", result, name, fmt::join(types, ", "));
}

std::string ConventionText::derivative() const {
  Words behind;
  if (call_.has_seeds() && !call_.is_split)
    behind.emplace_back("enzyme_seed");
  for (unsigned lane = 0; lane < call_.width && call_.has_seeds(); ++lane)
    behind.push_back(fmt::format("({})assay_weight({}, 0)", call_.result_type, lane));
  if (call_.is_split)
    behind.emplace_back("assay_tape");
  return (type_ == "void" ? "" : type_ + " assay_g = ") + call_of(name(), {}, behind);
}

std::string ConventionText::augmented_primal() const {
  return call_of("__enzyme_augmentfwd_reproduced", call_.has_result ? Words{"enzyme_noret"} : Words(), {});
}

std::string ConventionText::call_of(const char *name, const Words &before, const Words &behind) const {
  Words arguments = {"(void *)" + call_.function};
  arguments.insert(arguments.end(), before.begin(), before.end());
  if (call_.width > 1)
    arguments.insert(arguments.end(), {"enzyme_width", std::to_string(call_.width)});
  if (call_.is_runtime_activity)
    arguments.emplace_back("enzyme_runtime_activity");
  if (call_.has_result && !call_.result_counts)
    arguments.emplace_back("enzyme_const_return");
  for (const auto &[index, offset] : call_.passed) {
    const ReproducedVariable &variable = call_.variables[index];
    arguments.emplace_back(marker_of(variable));
    arguments.push_back(variable.passed("c_" + variable.name, offset));
    for (unsigned lane = 0; lane < call_.width && variable.has_shadow(); ++lane)
      arguments.push_back(variable.passed(fmt::format("s_{}[{}]", variable.name, lane), offset));
  }
  arguments.insert(arguments.end(), behind.begin(), behind.end());
  return fmt::format("{}({})", name, fmt::join(arguments, ", "));
}

} // namespace assay::cli
