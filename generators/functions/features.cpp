// With u the distance of x0 from the feature's place, the values are
//
//   kink   a |u|,  max(a u, b u),  u > 0 ? a u : b u,  sqrt(u u)
//   jump   floor(u),  u < 0 ? a : b,  copysign(a, u)
//   pole   a / u,  a / (u u),  a log |u|,  a sqrt(u),  a |u|^(1/3)
//   steep  a sin(k u),  a tanh(k u),  a exp(k u),  a / (1 + k k u u)

#include "generators/functions/features.hpp"

#include <cmath>
#include <fmt/format.h>

namespace assay::gen::functions {

namespace {

/// From 1/2 to 2, of either sign.
double random_factor(Stream &stream) {
  const double size = std::exp2(2 * stream.uniform() - 1);
  return stream.integer(0, 1) == 0 ? size : -size;
}

class FeatureGenerator {
public:
  FeatureGenerator(const Writer &writer, Stream &stream)
      : writer_(writer), stream_(stream), a_(writer.literal(random_factor(stream))),
        b_(writer.literal(random_factor(stream))) {}

  std::string kink() {
    switch (stream_.integer(0, 3)) {
    case 0:
      return fmt::format("{} * {}", a_, writer_.call("fabs", "u"));
    case 1:
      return writer_.call("fmax", fmt::format("{} * u", a_), fmt::format("{} * u", b_));
    case 2:
      return fmt::format("(u > 0 ? {} * u : {} * u)", a_, b_);
    default:
      return fmt::format("{} * {}", a_, writer_.call("sqrt", "u * u"));
    }
  }

  std::string jump() {
    switch (stream_.integer(0, 2)) {
    case 0:
      return writer_.call("floor", "u");
    case 1:
      return fmt::format("(u < 0 ? {} * x0 : {} * x0 + {})", a_, a_, writer_.literal(1));
    default:
      return fmt::format("{} * {}", writer_.call("copysign", a_, "u"), writer_.call("cos", "x0"));
    }
  }

  std::string pole() {
    switch (stream_.integer(0, 4)) {
    case 0:
      return fmt::format("{} / u", a_);
    case 1:
      return fmt::format("{} / (u * u)", a_);
    case 2:
      return fmt::format("{} * {}", a_, writer_.call("log", writer_.call("fabs", "u")));
    case 3:
      return fmt::format("{} * {}", a_, writer_.call("sqrt", "u"));
    default:
      return fmt::format("{} * {}", a_, writer_.call("cbrt", writer_.call("fabs", "u")));
    }
  }

  std::string steep() {
    const double most = writer_.precision == Precision::real32 ? 12 : 30; // powers of two
    const std::string scale = writer_.literal(std::exp2(6 + (most - 6) * stream_.uniform()));
    switch (stream_.integer(0, 3)) {
    case 0:
      return fmt::format("{} * {}", a_, writer_.call("sin", fmt::format("{} * u", scale)));
    case 1:
      return fmt::format("{} * {}", a_, writer_.call("tanh", fmt::format("{} * u", scale)));
    case 2:
      return fmt::format("{} * {}", a_, writer_.call("exp", fmt::format("{} * u", scale)));
    default:
      return fmt::format("{} / ({} + {} * u * {} * u)", a_, writer_.literal(1), scale, scale);
    }
  }

private:
  const Writer &writer_;
  Stream &stream_;
  std::string a_, b_;
};

std::string value_of(Terrain terrain, FeatureGenerator generator) {
  switch (terrain) {
  case Terrain::smooth:
    return "0";
  case Terrain::kink:
  case Terrain::near_kink:
    return generator.kink();
  case Terrain::jump:
  case Terrain::near_jump:
    return generator.jump();
  case Terrain::pole:
  case Terrain::near_pole:
    return generator.pole();
  case Terrain::steep:
    return generator.steep();
  default:
    return "0";
  }
}

bool is_near(Terrain terrain) {
  return terrain == Terrain::near_kink || terrain == Terrain::near_jump || terrain == Terrain::near_pole ||
         terrain == Terrain::steep;
}

/// Within a tenth, down to some units of the last place.
double random_distance(const Writer &writer, Stream &stream) {
  const double least = writer.precision == Precision::real32 ? -18 : -44, most = -3;
  const double size = std::exp2(least + (most - least) * stream.uniform());
  return stream.integer(0, 1) == 0 ? size : -size;
}

} // namespace

FeatureText draw_feature(Terrain terrain, double at, const Writer &writer, Stream &stream) {
  const double place = is_near(terrain) ? at + random_distance(writer, stream) : at;
  const std::string statements =
      fmt::format("  const {} u = x0 - {};\n", writer.type(), writer.exact(writer.rounded(place)));
  return {statements, value_of(terrain, FeatureGenerator(writer, stream))};
}

} // namespace assay::gen::functions
