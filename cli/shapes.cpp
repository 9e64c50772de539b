// The first tuples of integers are all at their low ends, all at their high ends (those that may be negative the other
// way round), all 0 and all 1 where these are in range, and all next to the high end. The others are mixed: for each
// integer an end, or a number that is uniform in the logarithm of its distance from the low end, odd and even in turns.
// Where there are few tuples, all are taken. Else, where registered rules are used, there are brief ones as well, at
// which one derivative of each mode is looked at: some have one integer beside a number that the code of a rule counts
// with (a length of blocks or of a table), the others are mixed, and some are the largest one with another integer.

#include "cli/shapes.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/resolve_arguments.hpp"
#include "core/jit/shared_memory.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace assay::cli {

namespace {

constexpr std::size_t most_shapes = 24;
constexpr std::size_t most_constant_shapes = 12, most_mixed_shapes = 24;
/// Where there are no more tuples of integers, each is taken: an integer may choose among branches.
constexpr std::size_t few_tuples = 16;
/// Where there are no more, each is taken as a brief one: a rule may be wrong at multiples, or at one choice of flags.
constexpr std::size_t most_tuples = 384;
/// Tuples that were drawn before, or in which a range is empty, are drawn again so often for each that is wanted.
constexpr std::uint32_t most_draws = 64;

std::int64_t nearest(std::int64_t value, std::int64_t low, std::int64_t high) {
  return std::clamp(value, low, high);
}

/// Of the parity that `draw` asks for, if the range has one.
std::int64_t with_parity(std::int64_t value, std::uint32_t draw, std::int64_t low, std::int64_t high) {
  const bool wanted_odd = draw % 2 == 0;
  if ((value % 2 != 0) == wanted_odd)
    return value;
  return value < high ? value + 1 : value > low ? value - 1 : value;
}

std::int64_t mixed(gen::Stream &stream, std::uint32_t draw, std::int64_t low, std::int64_t high) {
  const std::int64_t choice = stream.integer(0, 15);
  if (choice <= 1)
    return choice == 0 ? low : high;
  if (low < 0) // Around zero there is no small end.
    return with_parity(stream.integer(low, high), draw, low, high);
  const double width = static_cast<double>(high) - static_cast<double>(low) + 1;
  const double distance = std::exp2(stream.uniform() * std::log2(width)) - 1;
  const std::int64_t value = low + std::min(static_cast<std::int64_t>(distance), high - low);
  return with_parity(value, draw, low, high);
}

std::int64_t choose(gen::Stream &stream, std::uint32_t draw, std::int64_t low, std::int64_t high) {
  const bool is_signed = low < 0 && high > 0; // A stride backwards meets large sizes.
  switch (draw) {
  case 0:
    return is_signed ? high : low;
  case 1:
    return is_signed ? low : high;
  case 2:
    return nearest(0, low, high);
  case 3:
    return nearest(1, low, high);
  case 4: // Large, and of the other parity.
    return nearest(high - 1, low, high);
  default:
    return mixed(stream, draw, low, high);
  }
}

std::size_t elements_of(const CheckRequest &request) {
  std::size_t count = 0;
  for (const jit::ArgumentSpec &spec : request.arguments)
    count += spec.elements();
  return count;
}

std::size_t points_of(const CheckRequest &request) {
  std::size_t points = 1;
  const jit::ArgumentSpec *several = nullptr;
  for (const jit::ArgumentSpec &spec : request.arguments) {
    if (spec.points() == 1)
      continue;
    if (several && spec.points() != points)
      throw jit::BadRequest(fmt::format("--arg '{}' has values for {} points and --arg '{}' for {}; give both as many, "
                                        "or one of them a single list",
                                        to_string(*several), points, to_string(spec), spec.points()));
    several = &spec;
    points = spec.points();
  }
  return points;
}

bool draws_integers(const CheckRequest &request) {
  return std::ranges::any_of(request.arguments, [](const jit::ArgumentSpec &spec) {
    return (spec.range && !spec.is_pointer()) || !spec.choices.empty();
  });
}

/// Of a formula that names no parameter.
std::int64_t constant_of(const jit::IntegerFormula &formula) {
  return formula.value([](const std::string &) { return 0; });
}

/// How many tuples of integers there are, where their ranges are numbers.
std::optional<std::size_t> tuples_of(const CheckRequest &request) {
  std::size_t tuples = 1;
  for (const jit::ArgumentSpec &spec : request.arguments) {
    tuples *= std::max<std::size_t>(spec.choices.size(), 1);
    if (!spec.range || spec.is_pointer())
      continue;
    if (!spec.range->low.is_constant() || !spec.range->high.is_constant())
      return std::nullopt;
    const double width =
        static_cast<double>(constant_of(spec.range->high)) - static_cast<double>(constant_of(spec.range->low));
    if (!(width >= 0 && width < most_tuples))
      return std::nullopt;
    tuples *= static_cast<std::size_t>(width) + 1;
    if (tuples > most_tuples)
      return std::nullopt;
  }
  return tuples;
}

std::size_t shapes_wanted(const CheckRequest &request, std::size_t points) {
  if (!draws_integers(request))
    return points;
  if (const auto tuples = tuples_of(request); tuples && *tuples <= few_tuples)
    return std::max(points, *tuples);
  return std::max(points, std::min<std::size_t>(2 + 2 * request.settings.samples, most_shapes));
}

void require_fitting_structures(const CheckRequest &request) {
  for (const jit::ArgumentSpec &spec : request.arguments)
    if (!gen::fits(spec.domain.structure, spec.extents))
      throw jit::BadRequest(fmt::format("--arg '{}': {} needs a square matrix, such as double[4x4] or double[16]",
                                        to_string(spec), gen::name_of(spec.domain.structure)));
}

/// With one parameter for all that share memory.
CheckRequest joined(CheckRequest shape) {
  jit::SharedCall call = jit::join_aliases(shape.function, shape.arguments);
  if (call.arguments.size() < shape.arguments.size())
    shape.written = std::exchange(shape.arguments, std::move(call.arguments));
  shape.function = std::move(call.function);
  return shape;
}

/// Beside the constants, in the order of interest; each with its multiples and its neighbours once.
std::vector<std::int64_t> values_beside(const std::vector<std::int64_t> &constants) {
  std::vector<std::int64_t> values;
  const auto add = [&](std::int64_t value) {
    if (std::ranges::find(values, value) == values.end())
      values.push_back(value);
  };
  for (const std::int64_t constant : constants)
    add(constant);
  for (const std::int64_t constant : constants)
    add(constant + 1);
  for (const std::int64_t constant : constants)
    add(2 * constant);
  for (const std::int64_t constant : constants)
    add(constant - 1);
  return values;
}

class Drawing {
public:
  explicit Drawing(const CheckRequest &request) : request_(request) {}

  void draw(std::uint32_t draw, std::size_t point) {
    gen::Stream stream = stream_for(draw);
    take(point, [&](std::size_t, std::int64_t low, std::int64_t high) { return choose(stream, draw, low, high); });
  }

  /// One integer has a value; the others are mixed. Nothing where it may not have that.
  void draw_with(std::size_t parameter, std::int64_t value, std::uint32_t draw) {
    gen::Stream stream = stream_for(draw);
    bool fits = false;
    take(
        0,
        [&](std::size_t index, std::int64_t low, std::int64_t high) {
          if (index != parameter)
            return mixed(stream, draw, low, high);
          fits = value >= low && value <= high;
          return nearest(value, low, high);
        },
        [&] { return fits; });
  }

  /// Every integer has its value.
  void draw_tuple(const std::vector<std::int64_t> &values) {
    take(0, [&](std::size_t index, std::int64_t low, std::int64_t high) { return nearest(values[index], low, high); });
  }

  /// As `shape`, but for one integer, which is mixed.
  void draw_beside(const CheckRequest &shape, std::size_t parameter, std::uint32_t draw) {
    gen::Stream stream = stream_for(draw);
    const std::vector<jit::ArgumentSpec> &known = shape.written.empty() ? shape.arguments : shape.written;
    take(0, [&](std::size_t index, std::int64_t low, std::int64_t high) {
      return index == parameter ? mixed(stream, draw, low, high) : nearest(known[index].integers.front(), low, high);
    });
  }

  bool has(std::size_t parameter, std::int64_t value) const {
    return std::ranges::any_of(shapes, [&](const CheckRequest &shape) {
      return shape.arguments[parameter].integers == std::vector<std::int64_t>{value};
    });
  }

  std::vector<CheckRequest> shapes; ///< Small ones first.
  bool is_brief = false;            ///< Of the shapes drawn from now on.

private:
  gen::Stream stream_for(std::uint32_t draw) const {
    return gen::Stream(
        {.seed = request_.settings.seed, .name = request_.function.name, .purpose = "shape", .index = draw});
  }

  template <class Chosen, class Fits>
  void take(std::size_t point, Chosen &&chosen, Fits &&fits) {
    auto arguments = jit::resolve_arguments(request_.function, request_.arguments, point, chosen);
    if (!arguments || !fits())
      return;
    CheckRequest shape = request_;
    shape.arguments = std::move(*arguments);
    shape.is_brief = is_brief;
    shape = joined(std::move(shape));
    const auto has_same = [&](const CheckRequest &other) {
      return other.arguments == shape.arguments && other.written == shape.written;
    };
    if (std::ranges::any_of(shapes, has_same))
      return;
    const auto place = std::ranges::upper_bound(shapes, elements_of(shape), {}, elements_of);
    shapes.insert(place, std::move(shape));
  }

  template <class Chosen>
  void take(std::size_t point, Chosen &&chosen) {
    take(point, chosen, [] { return true; });
  }

  const CheckRequest &request_;
};

/// The largest whole shape with another integer each: a cache whose key does not cover that one, covers the others.
void draw_beside(Drawing &drawing, const CheckRequest &request, std::uint32_t draw) {
  const auto whole = std::ranges::find_if(drawing.shapes.rbegin(), drawing.shapes.rend(),
                                          [](const CheckRequest &shape) { return !shape.is_brief; });
  if (whole == drawing.shapes.rend())
    return;
  const CheckRequest largest = *whole;
  std::size_t most = drawing.shapes.size();
  for (std::size_t parameter = 0; parameter < request.arguments.size(); ++parameter) {
    const jit::ArgumentSpec &spec = request.arguments[parameter];
    if (spec.is_pointer() || (!spec.range && spec.choices.empty()))
      continue;
    ++most;
    for (const std::uint32_t end = draw + most_draws; drawing.shapes.size() < most && draw < end; ++draw)
      drawing.draw_beside(largest, parameter, draw);
    most = drawing.shapes.size();
  }
}

/// The values that an integer is drawn from, which has such; else one, which is not used.
std::vector<std::int64_t> values_of(const jit::ArgumentSpec &spec) {
  std::vector<std::int64_t> values{0};
  if (spec.range && !spec.is_pointer()) {
    values.clear();
    for (std::int64_t value = constant_of(spec.range->low); value <= constant_of(spec.range->high); ++value)
      values.push_back(value);
  }
  return values;
}

/// Each tuple of integers that is not there yet, where there are few, and none of lists.
void draw_each(Drawing &drawing, const CheckRequest &request) {
  const bool has_lists =
      std::ranges::any_of(request.arguments, [](const jit::ArgumentSpec &spec) { return !spec.choices.empty(); });
  const std::optional<std::size_t> tuples = has_lists ? std::nullopt : tuples_of(request);
  for (std::size_t tuple = 0; tuples && tuple < *tuples; ++tuple) {
    std::vector<std::int64_t> chosen;
    std::size_t rest = tuple;
    for (const jit::ArgumentSpec &spec : request.arguments) {
      const std::vector<std::int64_t> values = values_of(spec);
      chosen.push_back(values[rest % values.size()]);
      rest /= values.size();
    }
    drawing.draw_tuple(chosen);
  }
}

void draw_brief(Drawing &drawing, const CheckRequest &request, std::uint32_t draw) {
  drawing.is_brief = true;
  draw_each(drawing, request);
  std::size_t most = drawing.shapes.size() + most_constant_shapes;
  for (const std::int64_t value : values_beside(request.constants))
    for (std::size_t parameter = 0; parameter < request.arguments.size(); ++parameter) {
      const jit::ArgumentSpec &spec = request.arguments[parameter];
      if (drawing.shapes.size() < most && spec.range && !spec.is_pointer() && !drawing.has(parameter, value))
        drawing.draw_with(parameter, value, draw++);
    }
  most = drawing.shapes.size() + most_mixed_shapes;
  for (const std::uint32_t end = draw + most_draws; drawing.shapes.size() < most && draw < end; ++draw)
    drawing.draw(draw, 0);
  draw_beside(drawing, request, draw);
}

} // namespace

std::vector<CheckRequest> shapes_of(const CheckRequest &request) {
  if (std::ranges::none_of(request.arguments, jit::is_open)) {
    require_fitting_structures(request);
    return {joined(request)};
  }
  Drawing drawing(request);
  const std::size_t points = points_of(request);
  const std::size_t wanted = shapes_wanted(request, points);
  for (std::uint32_t draw = 0; drawing.shapes.size() < wanted && draw < most_draws * wanted; ++draw)
    drawing.draw(draw, draw % points);
  const std::size_t whole = drawing.shapes.size();
  if (const auto tuples = tuples_of(request);
      request.uses_rules && draws_integers(request) && (!tuples || *tuples > few_tuples))
    draw_brief(drawing, request, most_draws * static_cast<std::uint32_t>(wanted));
  if (drawing.shapes.empty())
    throw jit::BadRequest(fmt::format("{}: a range of integers is empty in each of {} draws", request.function.name,
                                      most_draws * wanted));
  for (CheckRequest &shape : drawing.shapes)
    shape.settings.samples = std::max(1U, request.settings.samples / static_cast<unsigned>(whole));
  std::ranges::for_each(drawing.shapes, require_fitting_structures);
  return std::move(drawing.shapes);
}

CheckRequest largest_shape(const CheckRequest &request) {
  std::vector<CheckRequest> shapes = shapes_of(request);
  std::erase_if(shapes, [](const CheckRequest &shape) { return shape.is_brief; });
  return std::move(shapes.back());
}

std::string describe_shapes(const std::vector<CheckRequest> &shapes) {
  const CheckRequest &first = shapes.front();
  std::vector<std::string> texts;
  std::size_t brief = 0;
  for (const CheckRequest &shape : shapes) {
    brief += shape.is_brief ? 1 : 0;
    if (shape.is_brief)
      continue;
    std::vector<std::string> parts;
    for (std::size_t index = 0; index < shape.arguments.size(); ++index) {
      const auto differs = [&](const CheckRequest &other) {
        return other.arguments[index].integers != first.arguments[index].integers;
      };
      if (!shape.arguments[index].is_pointer() && std::ranges::any_of(shapes, differs))
        parts.push_back(fmt::format("{} = {}", shape.function.parameters[index].name,
                                    fmt::join(shape.arguments[index].integers, ",")));
    }
    if (!parts.empty())
      texts.push_back(fmt::format("{}", fmt::join(parts, ", ")));
  }
  if (brief != 0)
    texts.push_back(fmt::format("{} further ones, with one point and everything active", brief));
  return fmt::format("{}", fmt::join(texts, "; "));
}

} // namespace assay::cli
