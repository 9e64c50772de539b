// Containers in a file with debug information: a reference to a key is one to a field, and a pointer to a class may be
// one to the base of something larger.
#include "support/vector_program.hpp"
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace {

double of_pairs(const double *x, int) {
  std::map<int, double> map;
  // Not constant: such pairs are copied into nodes as they are.
  std::map<int, double>::value_type first(1, x[1]), second(11, x[2] * x[0]);
  map.insert(first);
  map.insert(second);
  double result = 0;
  for (const auto &[key, number] : map)
    result += number;
  return result;
}

struct Counted {
  int count;
  double number;
};

double of_structs(const double *x, int n) {
  std::vector<Counted> numbers;
  for (int i = 0; i < n; ++i)
    numbers.push_back({i, x[i] * x[0]});
  const std::list<Counted> list(numbers.rbegin(), numbers.rend());
  double result = 0;
  for (const Counted &element : list)
    result = result * x[1] + element.number * element.count;
  return result;
}

/// Copied by recursion. Debug information tells of the integers around what is in the optional, which is a union.
double of_copied_optionals(const double *x, int n) {
  std::map<int, std::optional<double>> map;
  for (int i = 0; i < n; ++i)
    map[i] = i % 3 ? std::optional(x[i] * 2) : std::nullopt;
  const auto copy = map;
  double sum = 0;
  for (const auto &[key, value] : copy)
    sum += (key + 1) * value.value_or(2) * x[0];
  return sum;
}

double of_copied_pairs(const double *x, int n) {
  std::map<int, std::pair<double, std::optional<double>>> map;
  for (int i = 0; i < n; ++i)
    map[i] = {x[i], i % 3 ? std::optional(x[i] * 2) : std::nullopt};
  const auto copy = map;
  double sum = 0;
  for (const auto &[key, pair] : copy)
    sum += (key + 1) * pair.first * pair.second.value_or(2);
  return sum;
}

/// The nodes of the lists lie among those of the map, whose addresses stand where the optionals have their numbers.
double of_copied_lists(const double *x, int n) {
  std::map<int, std::list<std::pair<double, std::optional<double>>>> map;
  for (int i = 0; i < n; ++i)
    map[i / 2].push_back({x[i], i % 3 ? std::optional(x[i] * 2) : std::nullopt});
  const auto copy = map;
  double sum = 0;
  for (const auto &[key, list] : copy)
    for (const auto &[first, second] : list)
      sum += (key + 1) * first * second.value_or(first * first);
  return sum;
}

struct Particle { // with padding between and behind its members
  float mass;
  double position[2];
  int id;
};

/// The end of the copy is the address of a particle by its type.
double of_copied_particles(const double *x, int n) {
  std::vector<Particle> particles;
  for (int i = 0; i < n; ++i)
    particles.push_back({float(i + 1), {x[i], x[i] * x[0]}, i});
  for (int k = 0; k < 3; ++k) {
    auto old = particles;
    for (std::size_t i = 0; i < particles.size(); ++i)
      particles[i].position[0] += old[(i + 1) % particles.size()].position[1] * old[i].mass;
  }
  return particles[0].position[0] * particles[1].mass;
}

} // namespace

PLUGIN_TEST(DebugInformation, Particles) {
  CHECK_FUNCTION(of_copied_particles, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(DebugInformation, Pairs) {
  CHECK_FUNCTION(of_pairs, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(DebugInformation, Structs) {
  CHECK_FUNCTION(of_structs, 1.1, 2.2, 0.3);
}
PLUGIN_TEST(DebugInformation, LeavesOptionalsInCopiedMapsOpen) {
  CHECK_FUNCTION(of_copied_optionals, 0.3, 1.2, 0.7, 0.55, 1.7, 0.1);
  CHECK_FUNCTION(of_copied_pairs, 0.3, 1.2, 0.7, 0.55, 1.7, 0.1);
  CHECK_FUNCTION(of_copied_lists, 0.3, 1.2, 0.7, 0.55, 1.7, 0.1);
}
