// A function is a chain of values, each made of earlier ones by an operation that is smooth on the whole real line; in
// between a loop may run one of them over an array. A feature is a last value of its own, made of the distance u from a
// place near the point's first coordinate, and added to the result: nothing smooths it out.

#include "generators/functions/random_function.hpp"

#include "generators/functions/features.hpp"
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

class Author {
public:
  explicit Author(const FunctionName &name)
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
      add_value(operation());
    if (array_ && stream_.integer(0, 1) == 0)
      add_loop();
    if (output_)
      body_ += fmt::format("  out[0] = {};\n  out[1] = {};\n", recent(), recent());
    std::string result = fmt::format("{} + {}", recent(), recent());
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
      names_.push_back(fmt::format("x{}", i));
      declare(fmt::format("{} x{}", writer_.type(), i), {});
    }
    array_ = stream_.integer(0, 2) == 0 ? static_cast<std::size_t>(stream_.integer(2, 4)) : 0;
    if (array_) {
      declare(fmt::format("const {} *v", writer_.type()), {array_, false, {}});
      for (std::size_t i = 0; i < array_; ++i)
        names_.push_back(fmt::format("v[{}]", i));
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

  const std::string &any() { return names_[pick(0)]; }
  /// One of the last values: the chain hangs together.
  const std::string &recent() { return names_[pick(names_.size() > 3 ? names_.size() - 3 : 0)]; }

  std::size_t pick(std::size_t first) {
    return static_cast<std::size_t>(
        stream_.integer(static_cast<std::int64_t>(first), static_cast<std::int64_t>(names_.size()) - 1));
  }

  std::string operand() {
    if (stream_.integer(0, 5) == 0)
      return writer_.literal(std::round(400 * stream_.uniform() - 200) / 100);
    return stream_.integer(0, 1) == 0 ? any() : recent();
  }

  std::string operation() {
    const auto all = operations();
    const Operation &chosen = all[static_cast<std::size_t>(stream_.integer(0, std::ssize(all) - 1))];
    const std::string first = recent(), second = operand();
    return chosen.write(writer_, first, second);
  }

  void add_value(const std::string &value) {
    const std::string name = fmt::format("t{}", values_++);
    body_ += fmt::format("  {} {} = {};\n", writer_.type(), name, value);
    names_.push_back(name);
  }

  void add_loop() {
    const std::string value = fmt::format("t{}", values_ - 1);
    const auto all = operations();
    const Operation &step = all[static_cast<std::size_t>(stream_.integer(0, std::ssize(all) - 1))];
    body_ += fmt::format("  for (int i = 0; i < {}; ++i)\n    {} = {};\n", array_, value,
                         step.write(writer_, value, fmt::format("v[i]")));
  }

  std::string feature() {
    const double at = function_.parameters.front().point.front();
    const FeatureText text = draw_feature(terrain_, at, writer_, stream_);
    body_ += text.statements;
    return text.value;
  }

  Stream stream_;
  Terrain terrain_;
  Writer writer_;
  RandomFunction function_;
  std::string signature_, body_;
  std::vector<std::string> names_; ///< Of everything that can be an operand.
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
  return Author(name).write();
}

} // namespace assay::gen::functions
