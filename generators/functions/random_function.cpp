// A function is a chain of values, each made of earlier ones by an operation that is smooth on the whole real line; in
// between a loop may run one of them over an array. Operands that could make a value too large for `float`, as those of
// nested exponentials and powers, are bounded by tanh. A feature is a last value of its own, made of the distance u
// from a place near the point's first coordinate, and added to the result: nothing smooths it out.

#include "generators/functions/random_function.hpp"

#include "generators/functions/features.hpp"
#include "generators/functions/ill_conditioned.hpp"
#include "generators/functions/operations.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay::gen::functions {

namespace {

/// Mostly of moderate size; sometimes of another order of magnitude, sometimes a whole number.
double random_coordinate(Stream &stream) {
  const std::int64_t kind = stream.integer(0, 9);
  if (kind == 0)
    return static_cast<double>(stream.integer(-2, 2));
  if (kind == 1) {
    const double size = std::exp2(14 * stream.uniform() - 10);
    return stream.integer(0, 1) == 0 ? size : -size;
  }
  return 4 * stream.uniform() - 2;
}

/// Squares of values, and what finite differences see beside the point, still fit into `float`.
constexpr double largest_value = 1e6;

/// Something that can be an operand.
struct Name {
  std::string text;
  double bound; ///< How large it can be near the point.
};

class Generator {
public:
  explicit Generator(const FunctionName &name)
      : stream_({.seed = name.seed,
                 .suite = "functions",
                 .name = name_of(name.terrain),
                 .purpose = name_of(name.precision),
                 .index = name.number}),
        terrain_(name.terrain), writer_{name.precision} {
    function_.name = fmt::format("f{}", name.number);
  }

  RandomFunction write() {
    declare_parameters();
    const std::int64_t values = stream_.integer(3, 10);
    for (std::int64_t i = 0; i < values; ++i)
      add_value();
    if (array_ && stream_.integer(0, 1) == 0)
      add_loop();
    if (output_)
      body_ += fmt::format("  out[0] = {};\n  out[1] = {};\n", recent().text, recent().text);
    std::string result = fmt::format("{} + {}", recent().text, recent().text);
    if (terrain_ != Terrain::smooth)
      result += " + " + feature();
    body_ += fmt::format("  return {};\n", result);
    function_.source = fmt::format("{} {}({}) {{\n{}}}\n", writer_.type(), function_.name, signature_, body_);
    return std::move(function_);
  }

private:
  void declare_parameters() {
    const std::int64_t numbers = stream_.integer(1, 3);
    for (std::int64_t i = 0; i < numbers; ++i) {
      declare(fmt::format("{} x{}", writer_.type(), i), {});
      add_name(fmt::format("x{}", i), 0);
    }
    array_ = stream_.integer(0, 2) == 0 ? static_cast<std::size_t>(stream_.integer(2, 4)) : 0;
    if (array_) {
      declare(fmt::format("const {} *v", writer_.type()), {array_, false, {}});
      for (std::size_t i = 0; i < array_; ++i)
        add_name(fmt::format("v[{}]", i), i);
    }
    output_ = stream_.integer(0, 5) == 0;
    if (output_)
      declare(fmt::format("{} *out", writer_.type()), {2, true, {}});
  }

  void declare(const std::string &declaration, Parameter parameter) {
    signature_ += (signature_.empty() ? "" : ", ") + declaration;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, parameter.elements); ++i)
      parameter.point.push_back(writer_.rounded(random_coordinate(stream_)));
    function_.parameters.push_back(std::move(parameter));
  }

  /// An element of the last parameter: it may move by as much as it is large, and by one.
  void add_name(const std::string &text, std::size_t element) {
    names_.push_back({text, 2 * std::abs(function_.parameters.back().point[element]) + 1});
  }

  const Name &any() { return names_[pick(0)]; }
  /// One of the last values: the chain hangs together.
  const Name &recent() { return names_[pick(names_.size() > 3 ? names_.size() - 3 : 0)]; }

  std::size_t pick(std::size_t first) {
    return static_cast<std::size_t>(
        stream_.integer(static_cast<std::int64_t>(first), static_cast<std::int64_t>(names_.size()) - 1));
  }

  Name operand() {
    if (stream_.integer(0, 5) != 0)
      return stream_.integer(0, 1) == 0 ? any() : recent();
    const double value = std::round(400 * stream_.uniform() - 200) / 100;
    return {writer_.literal(value), std::abs(value)};
  }

  const Operation &operation() {
    const auto all = operations();
    return all[static_cast<std::size_t>(stream_.integer(0, std::ssize(all) - 1))];
  }

  Name bounded(const Name &name) const { return {writer_.call("tanh", name.text), 1}; }

  /// Bounds operands, the first one first, until the value is not too large.
  Name value_of(const Operation &operation, Name first, Name second) const {
    const auto is_too_large = [&] { return !(operation.bound(first.bound, second.bound) <= largest_value); };
    if (is_too_large())
      first = bounded(first);
    if (is_too_large())
      second = bounded(second);
    return {operation.write(writer_, first.text, second.text), operation.bound(first.bound, second.bound)};
  }

  void add_value() {
    const Operation &chosen = operation();
    const Name first = recent(), second = operand();
    const Name value = value_of(chosen, first, second);
    const std::string name = fmt::format("t{}", values_++);
    body_ += fmt::format("  {} {} = {};\n", writer_.type(), name, value.text);
    names_.push_back({name, value.bound});
  }

  void add_loop() {
    const std::string text = fmt::format("t{}", values_ - 1);
    const Operation &step = operation();
    double largest_element = 0;
    for (const Name &name : names_)
      if (name.text.starts_with("v["))
        largest_element = std::max(largest_element, name.bound);
    Name &value = names_.back();
    double bound = value.bound;
    for (std::size_t i = 0; i < array_; ++i)
      bound = std::max(bound, step.bound(bound, largest_element));
    const Name current{text, bound};
    const Name next = value_of(step, bound <= largest_value ? current : bounded(current), {"v[i]", largest_element});
    body_ += fmt::format("  for (int i = 0; i < {}; ++i)\n    {} = {};\n", array_, text, next.text);
    value.bound = std::max(value.bound, next.bound);
  }

  std::string feature() {
    const double at = function_.parameters.front().point.front();
    const FeatureText text = is_ill_conditioned(terrain_) ? draw_ill_conditioned(terrain_, writer_, stream_)
                                                          : draw_feature(terrain_, at, writer_, stream_);
    body_ += text.statements;
    return text.value;
  }

  Stream stream_;
  Terrain terrain_;
  Writer writer_;
  RandomFunction function_;
  std::string signature_, body_;
  std::vector<Name> names_; ///< Everything that can be an operand.
  std::size_t array_ = 0;
  bool output_ = false;
  unsigned values_ = 0;
};

} // namespace

std::string_view name_of(Terrain terrain) {
  switch (terrain) {
  case Terrain::smooth:
    return "smooth";
  case Terrain::kink:
    return "kink";
  case Terrain::near_kink:
    return "near-kink";
  case Terrain::jump:
    return "jump";
  case Terrain::near_jump:
    return "near-jump";
  case Terrain::pole:
    return "pole";
  case Terrain::near_pole:
    return "near-pole";
  case Terrain::steep:
    return "steep";
  case Terrain::cancelling:
    return "cancelling";
  case Terrain::singular:
    return "singular";
  case Terrain::amplifying:
    return "amplifying";
  case Terrain::deep:
    return "deep";
  case Terrain::mixed:
    return "mixed";
  case Terrain::tiny:
    return "tiny";
  case Terrain::huge:
    return "huge";
  }
  return "unknown";
}

std::optional<Terrain> terrain_named(std::string_view name) {
  const auto *found =
      std::find_if(all_terrains.begin(), all_terrains.end(), [&](Terrain terrain) { return name_of(terrain) == name; });
  return found == all_terrains.end() ? std::nullopt : std::optional(*found);
}

std::string_view name_of(Precision precision) {
  return precision == Precision::real32 ? "float" : "double";
}

RandomFunction draw_function(const FunctionName &name) {
  return Generator(name).write();
}

} // namespace assay::gen::functions
