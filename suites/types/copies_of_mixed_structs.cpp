// Vectors of structs with floats and doubles are copied whole: which parts of a copy are numbers of which kind is told
// by loops that stay within a member, and by what is ever read of the copy.
#include "support/plugin_test.hpp"
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

extern int enzyme_dup;
template <class Result, class... Arguments>
Result __enzyme_autodiff(void *, Arguments...);

namespace copies_of_mixed_structs {

struct Vertex {
  double position[3];
  float texture[2];
};

static double smooth(const std::vector<Vertex> &mesh) {
  std::vector<Vertex> moved = mesh;
  for (int step = 0; step < 2; ++step) {
    const std::vector<Vertex> old = moved;
    for (std::size_t i = 1; i + 1 < moved.size(); ++i)
      for (int k = 0; k < 3; ++k)
        moved[i].position[k] +=
            .25 * old[i].texture[0] * (old[i - 1].position[k] + old[i + 1].position[k] - 2 * old[i].position[k]);
  }
  return moved[1].position[0] * moved[1].texture[1];
}

PLUGIN_TEST(CopiesOfMixedStructs, LoopsOverMembers) {
  const std::vector<Vertex> mesh{{{1, 2, 3}, {1, 1}}, {{2, 3, 5}, {1, 2}}, {{4, 1, 0}, {1, 1}}};
  std::vector<Vertex> shadow(3);
  __enzyme_autodiff<void>((void *)smooth, enzyme_dup, &mesh, &shadow);
  EXPECT_CLOSE(shadow[1].position[0], 2 * .25);
  EXPECT_CLOSE(shadow[1].position[1], 0);
  EXPECT_CLOSE(shadow[1].texture[1], 2.375);
}

struct Particle {
  float mass;
  double position[2];
  int id;
};

static double swapped_forces(const std::vector<Particle> &particles) {
  std::vector<Particle> moved = particles;
  for (int step = 0; step < 2; ++step) {
    auto old = moved;
    for (std::size_t i = 0; i < moved.size(); ++i)
      for (int k = 0; k < 2; ++k) // the other coordinate
        moved[i].position[k] += std::sin(old[(i + 1) % moved.size()].position[1 - k]) * old[i].mass;
  }
  return moved[0].position[0] * moved[1].mass;
}

static double sum_of_some(const std::vector<Particle> &particles) { // of the rest of the copy nothing is known
  std::vector<Particle> copy = particles;
  return copy[0].mass * copy[1].position[0];
}

template <double (*program)(const std::vector<Particle> &)>
static void check() {
  const std::vector<Particle> particles{{1.5F, {.25, .5}, 1}, {2, {1.25, .75}, 2}};
  std::vector<Particle> shadow(2);
  __enzyme_autodiff<void>((void *)program, enzyme_dup, &particles, &shadow);
  const auto by = [&](int particle, int part, double step) {
    auto changed = particles;
    if (part == 0)
      changed[particle].mass += float(step);
    else
      changed[particle].position[part - 1] += step;
    return program(changed);
  };
  for (int particle = 0; particle < 2; ++particle)
    for (int part = 0; part < 3; ++part) {
      const double step = part == 0 ? 0x1p-6 : 0x1p-12; // which a float has exactly
      const double expected = (by(particle, part, step) - by(particle, part, -step)) / (2 * step);
      const double actual = part == 0 ? shadow[particle].mass : shadow[particle].position[part - 1];
      assay::suites::expect_near(actual, expected, part == 0 ? 1e-3 : 1e-6, "derivative", __FILE__, __LINE__);
    }
}

PLUGIN_TEST(CopiesOfMixedStructs, OtherMemberThanCounted) {
  check<swapped_forces>();
}

PLUGIN_TEST(CopiesOfMixedStructs, OfWhichLittleIsRead) {
  check<sum_of_some>();
}

struct Scene {
  std::vector<Particle> particles;
  std::map<int, std::vector<float>> weights;
  std::unordered_map<std::string, std::vector<double>> named;
  float scale;
};

static double mixture(const Scene &scene) {
  std::vector<Particle> particles = scene.particles;
  double sum = particles[0].mass * particles[1].position[0];
  for (auto &[key, weight] : scene.weights) {
    auto copy = weight;
    for (float &q : copy)
      q *= q;
    for (float q : copy)
      sum += q * float(key + 1);
  }
  for (const char *name : {"alpha", "a rather long name for a parameter", "alpha"}) {
    auto grown = scene.named.at(name);
    grown.push_back(grown[0]);
    for (double q : grown)
      sum += q * q;
  }
  return sum * scene.scale;
}

PLUGIN_TEST(CopiesOfMixedStructs, BesideContainersOfNumbers) {
  const Scene scene{{{1.5F, {.25, .5}, 1}, {2, {1.25, .75}, 2}},
                    {{1, {.5F, .25F}}, {4, {1, 2, 3}}},
                    {{"alpha", {.5, .25}}, {"a rather long name for a parameter", {1.5}}},
                    2};
  Scene shadow = scene;
  for (auto &particle : shadow.particles)
    particle = {};
  for (auto &[key, weight] : shadow.weights)
    weight.assign(weight.size(), 0);
  for (auto &[name, numbers] : shadow.named)
    numbers.assign(numbers.size(), 0);
  shadow.scale = 0;
  __enzyme_autodiff<void>((void *)mixture, enzyme_dup, &scene, &shadow);
  EXPECT_CLOSE(shadow.particles[0].mass, 1.25 * 2);
  EXPECT_CLOSE(shadow.particles[1].position[0], 1.5 * 2);
  EXPECT_CLOSE(shadow.weights[1][1], 2 * .25 * 2 * 2);
  EXPECT_CLOSE(shadow.weights[4][2], 2 * 3 * 5 * 2);
  EXPECT_CLOSE(shadow.named["alpha"][0], 2 * 2 * 2 * .5 * 2);
  EXPECT_CLOSE(shadow.named["alpha"][1], 2 * 2 * .25 * 2);
  EXPECT_CLOSE(shadow.named["a rather long name for a parameter"][0], 2 * 2 * 1.5 * 2);
}

} // namespace copies_of_mixed_structs
