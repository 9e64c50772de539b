// With K from 1 to 10^12 (float: 10^5) and h = 1 / sqrt(K), the values are
//
//   cancelling   (K + x) - K,  (sqrt(K K + x) - K) K,  (exp(h x) - 1) / h,  (1 - cos(h x)) / (h h)
//   singular     the solution of ((1, 1), (1, 1 + 1/K)) y = (x, x + 1/K), and the quadratic's small root
//   amplifying   c = 13/3 b - 4/3 a from (x, x/3), whose exact solution decays while rounding errors grow by 4 a step
//   deep         thirty steps of x = a sin(x) + b x
//   mixed        sums and products rounded to float within double, and computed in double within float
//   tiny, huge   values scaled by 1e-300 to 1e-318, or 1e280 (float: 1e-36 to 1e-44, 1e30), and scaled back in part

#include "generators/functions/ill_conditioned.hpp"

#include <cmath>
#include <fmt/format.h>

namespace assay::gen::functions {

namespace {

class IllConditionedGenerator {
public:
  IllConditionedGenerator(const Writer &writer, Stream &stream)
      : writer_(writer), stream_(stream), is_single_(writer.precision == Precision::real32),
        condition_(std::round(std::pow(10.0, (is_single_ ? 5 : 12) * stream.uniform()))),
        factor_(writer.literal(0.5 + stream.uniform())) {}

  FeatureText cancelling() {
    const std::string k = writer_.literal(condition_), h = writer_.literal(1 / std::sqrt(condition_));
    switch (stream_.integer(0, 3)) {
    case 0:
      return {"", fmt::format("(({} + {} * x0) - {})", k, factor_, k)};
    case 1:
      return {"", fmt::format("({} - {}) * {}", writer_.call("sqrt", fmt::format("{} * {} + x0", k, k)), k, k)};
    case 2:
      return {"", fmt::format("({} - {}) / {}", writer_.call("exp", h + " * x0"), writer_.literal(1), h)};
    default:
      return {"", fmt::format("({} - {}) / ({} * {})", writer_.literal(1), writer_.call("cos", h + " * x0"), h, h)};
    }
  }

  FeatureText singular() {
    const std::string one = writer_.literal(1), small = writer_.literal(1 / condition_);
    if (stream_.integer(0, 1) == 0)
      return {
          fmt::format("  {0} factor = {1} / ({1} + {2} * x0 * x0), rest = ({1} + {2}) - factor * ({1} + {2} * x0);\n"
                      "  {0} y1 = ({3} * x0 + {2} - factor * {3} * x0) / rest;\n",
                      writer_.type(), one, small, factor_),
          "(y1 * " + small + ")"};
    const std::string b = writer_.literal(std::sqrt(condition_));
    return {fmt::format("  {0} b = {1} * ({2} + x0 * x0);\n", writer_.type(), b, one),
            fmt::format("({} - b) * {}", writer_.call("sqrt", fmt::format("b * b + {} * x0", factor_)), b)};
  }

  FeatureText amplifying() {
    const auto steps = static_cast<int>(std::log(condition_) / std::log(4.0));
    return {fmt::format("  {0} r0 = x0, r1 = x0 / {1};\n  for (int i = 0; i < {2}; ++i) {{\n"
                        "    {0} r2 = {3} / {1} * r1 - {4} / {1} * r0;\n    r0 = r1;\n    r1 = r2;\n  }}\n",
                        writer_.type(), writer_.literal(3), steps, writer_.literal(13), writer_.literal(4)),
            "(r1 + " + writer_.call("sin", "r0") + ")"};
  }

  FeatureText deep() {
    return {fmt::format("  {0} d = x0;\n  for (int i = 0; i < 30; ++i)\n    d = {1} * {2} + {3} * d;\n", writer_.type(),
                        factor_, writer_.call("sin", "d"), writer_.literal(0.25 + 0.5 * stream_.uniform())),
            "d"};
  }

  FeatureText mixed() {
    if (is_single_)
      return {
          fmt::format("  double wide = (double)x0 * {} + 1;\n  float narrow = (float)(wide * wide - 1);\n", factor_),
          "narrow"};
    return {fmt::format("  float narrow = (float)(x0 * {}), sum = (float)(narrow + x0);\n", factor_),
            "(narrow * x0 - (float)(sum * x0))"};
  }

  FeatureText scaled(double low, double high) {
    const std::string scale = writer_.exact(std::pow(10.0, low + (high - low) * stream_.uniform()));
    return {
        fmt::format("  {0} s = {1} * x0, p = s * {2} + s / {3};\n", writer_.type(), scale, factor_, writer_.literal(3)),
        low < 0 ? "(x0 + p)" : fmt::format("(p / {})", scale)};
  }

  FeatureText tiny() { return is_single_ ? scaled(-44, -36) : scaled(-318, -300); }
  FeatureText huge() { return is_single_ ? scaled(24, 30) : scaled(200, 280); }

private:
  const Writer &writer_;
  Stream &stream_;
  bool is_single_;
  double condition_;
  std::string factor_;
};

} // namespace

bool is_ill_conditioned(Terrain terrain) {
  return terrain == Terrain::cancelling || terrain == Terrain::singular || terrain == Terrain::amplifying ||
         terrain == Terrain::deep || terrain == Terrain::mixed || terrain == Terrain::tiny || terrain == Terrain::huge;
}

FeatureText draw_ill_conditioned(Terrain terrain, const Writer &writer, Stream &stream) {
  IllConditionedGenerator generator(writer, stream);
  switch (terrain) {
  case Terrain::cancelling:
    return generator.cancelling();
  case Terrain::singular:
    return generator.singular();
  case Terrain::amplifying:
    return generator.amplifying();
  case Terrain::deep:
    return generator.deep();
  case Terrain::mixed:
    return generator.mixed();
  case Terrain::tiny:
    return generator.tiny();
  case Terrain::huge:
    return generator.huge();
  default:
    return {"", "0"};
  }
}

} // namespace assay::gen::functions
