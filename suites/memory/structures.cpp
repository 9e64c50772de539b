// Structures: mixed members, nested, by pointer and by value, in arrays, and linked.
#include "support/vector_program.hpp"
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace structures { // named: a derivative call's type must have linkage

struct Mixed {
  int count;
  double scale;
  const double *data;
  char flag;
  float offset;
};

double through_members(const Mixed *m) {
  double r = 0;
  for (int i = 0; i < m->count; ++i)
    r += m->data[i] * m->data[i] * m->scale;
  return m->flag ? r + m->offset : r * m->offset;
}

double by_value(Mixed m) {
  m.scale *= m.scale;
  return through_members(&m);
}

struct Point {
  double x, y;
};
struct Segment {
  Point from, to;
  int kind;
};

double length(Point a, Point b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

Point rotated(Point p, double angle) {
  return {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle)};
}

double segments(const double *x, int n) {
  Segment parts[3];
  for (int i = 0; i < 3; ++i)
    parts[i] = {{x[i % n], x[(i + 1) % n]}, {x[(i + 2) % n], 0.5}, i};
  double r = 0;
  for (Segment &s : parts) {
    if (s.kind == 1)
      s.from = rotated(s.from, s.to.x);
    r += length(s.from, s.to) * (s.kind + 1);
  }
  const Segment copy = parts[1];
  return r + copy.from.x * copy.to.y;
}

struct Node {
  double value;
  Node *next;
};

double linked_list(const double *x, int n) {
  Node *head = nullptr;
  for (int i = 0; i < n; ++i) {
    Node *node = static_cast<Node *>(std::malloc(sizeof(Node)));
    node->value = x[i] * x[i];
    node->next = head;
    head = node;
  }
  double r = 1;
  for (Node *node = head; node; node = node->next)
    r = r * node->value + std::sin(node->value);
  while (head) {
    Node *next = head->next;
    std::free(head);
    head = next;
  }
  return r;
}

double list_of_the_caller(const Node *node) {
  double r = 0;
  for (; node; node = node->next)
    r += node->value * node->value * (1 + r);
  return r;
}

struct Tree {
  double weight;
  Tree *left, *right;
};

double tree_sum(const Tree *tree) {
  return tree ? tree->weight * tree->weight + std::sin(tree_sum(tree->left)) * tree_sum(tree->right) : 0.7;
}

struct Particle {
  float mass;
  double position[3];
  double velocity[3];
  int id;
};

void advance(Particle *particles, int n, double dt) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (particles[i].id == particles[j].id)
        continue;
      double d[3], r2 = 0.01;
      for (int k = 0; k < 3; ++k) {
        d[k] = particles[j].position[k] - particles[i].position[k];
        r2 += d[k] * d[k];
      }
      for (int k = 0; k < 3; ++k)
        particles[i].velocity[k] += dt * particles[j].mass * d[k] / (r2 * std::sqrt(r2));
    }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      particles[i].position[k] += dt * particles[i].velocity[k];
}

double energy_of_particles(const double *x, int) {
  Particle particles[2] = {{1.5f, {x[0], x[1], 0.2}, {x[2], 0, 0}, 1}, {2.5f, {-1, x[3], x[0]}, {0, x[1], 0.1}, 2}};
  for (int step = 0; step < 3; ++step)
    advance(particles, 2, 0.05);
  double e = 0;
  for (const Particle &p : particles)
    for (int k = 0; k < 3; ++k)
      e += 0.5 * p.mass * p.velocity[k] * p.velocity[k] + p.position[k];
  return e;
}

union Bits {
  double number;
  std::uint64_t word;
};

double moved_as_an_integer(const double *x, int n) {
  double copy[8];
  for (int i = 0; i < n; ++i) {
    Bits bits;
    bits.number = x[i];
    std::uint64_t word = bits.word;
    std::memcpy(&copy[n - 1 - i], &word, sizeof word);
  }
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += copy[i] * x[i] * (i + 1);
  return r;
}

double bytes_swapped(const double *x, int n) {
  struct {
    double a;
    int tag;
    double b;
  } first = {x[0], 1, x[1]}, second = {x[1] * x[0], 2, x[0]};
  unsigned char buffer[sizeof first];
  std::memcpy(buffer, &first, sizeof first);
  std::memcpy(&first, &second, sizeof first);
  std::memcpy(&second, buffer, sizeof first);
  return first.a * first.tag + second.b * second.tag + first.b * second.a;
}

double mixed_precision(const double *x, int n) {
  float single[4];
  for (int i = 0; i < 4; ++i)
    single[i] = float(x[i % n]);
  float product = 1;
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    product *= single[i];
    sum += double(single[i]) * x[(i + 1) % n];
  }
  return sum * product;
}

/// The array at the beginning is written by index, and what stands behind it is read.
struct Headed {
  double head[2];
  double factor;
  long count;
};

double behind_array(double x, Headed headed) {
  double sum = headed.factor * x;
  for (long i = 0; i < 4; ++i) {
    headed.head[i & 1] = 0.5 * x;
    sum += headed.head[i & 1] * headed.count;
  }
  return sum;
}
double copies_headed(const double *x, int n) {
  Headed some[2] = {{{x[0], x[1]}, x[0], 2}, {{x[1], 1}, x[1], 3}}, others[2];
  std::memcpy(others, some, (n - 1) * sizeof(Headed)); // of both, where n is 3
  others[1] = some[1];
  return behind_array(x[0], others[0]) * behind_array(x[1], others[1]);
}

} // namespace structures

using namespace structures;

PLUGIN_TEST(Structures, MembersOfEveryKindMayStandTogether) {
  double data[3] = {1, 2, 3}, ddata[3] = {0.5, 0.5, 0.5};
  Mixed m{3, 2.0, data, 0, 1.5f}, dm{0, 1.0, ddata, 0, 2.0f};
  __enzyme_autodiff<void>((void *)through_members, enzyme_dup, &m, &dm);
  EXPECT_CLOSE(dm.scale, 1 + 14 * 1.5);
  EXPECT_CLOSE(dm.offset, 2 + 28);
  for (int i = 0; i < 3; ++i)
    EXPECT_CLOSE(ddata[i], 0.5 + 2 * data[i] * 2 * 1.5);
  double tdata[3] = {1, 0, -1};
  Mixed tm{0, 0.5, tdata, 0, 0.25f};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)through_members, enzyme_dup, &m, &tm),
               14 * 0.5 * 1.5 + 28 * 0.25 + 2 * 2 * 1.5 * (1 - 3));
}
PLUGIN_TEST(Structures, AStructureMayBePassedByValue) {
  CHECK_FUNCTION((+[](const double *x, int n) {
                   return by_value(Mixed{n, x[0], x, 1, 0.5f}) + by_value(Mixed{n - 1, x[1], x, 0, float(1.5)});
                 }),
                 0.3, -1.2, 0.9);
}
PLUGIN_TEST(Structures, ArraysOfStructuresAreFollowed) {
  CHECK_FUNCTION(segments, 0.3, -1.2, 0.9, 2.4);
}
PLUGIN_TEST(Structures, ALinkedListOfTheFunctionsOwnIsFollowed) {
  CHECK_FUNCTION(linked_list, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Structures, ALinkedListOfTheCallerHasAShadowList) {
  Node c{3, nullptr}, b{2, &c}, a{1, &b};
  Node dc{0, nullptr}, db{0, &dc}, da{0, &db};
  __enzyme_autodiff<void>((void *)list_of_the_caller, enzyme_dup, &a, &da);
  // r1 = 1, r2 = 1 + 4 * 2 = 9, r3 = 9 + 9 * 10 = 99
  EXPECT_CLOSE(dc.value, 2 * 3 * 10);
  EXPECT_CLOSE(db.value, 10 * 2 * 2 * 2);
  EXPECT_CLOSE(da.value, 10 * 5 * 2);
  Node tc{1, nullptr}, tb{0, &tc}, ta{0.5, &tb};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)list_of_the_caller, enzyme_dup, &a, &ta), 60 + 50);
}
PLUGIN_TEST(Structures, ATreeIsFollowedRecursively) {
  Tree leaf{0.5, nullptr, nullptr}, root{1.5, &leaf, nullptr};
  Tree dleaf{0, nullptr, nullptr}, droot{0, &dleaf, nullptr};
  __enzyme_autodiff<void>((void *)tree_sum, enzyme_dup, &root, &droot);
  EXPECT_CLOSE(droot.weight, 3.0);
  const double inner = 0.25 + std::sin(0.7) * 0.7;
  EXPECT_CLOSE(dleaf.weight, std::cos(inner) * 0.7 * 1.0);
  Tree tleaf{2, nullptr, nullptr}, troot{1, &tleaf, nullptr};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)tree_sum, enzyme_dup, &root, &troot), 3.0 + 2 * std::cos(inner) * 0.7);
}
PLUGIN_TEST(Structures, ParticlesOfMixedPrecisionAdvance) {
  CHECK_FUNCTION(energy_of_particles, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Structures, ANumberMovedAsAnIntegerKeepsItsDerivative) {
  CHECK_FUNCTION(moved_as_an_integer, 0.3, -1.2, 0.9, 1.4);
}
PLUGIN_TEST(Structures, CopiesOfStructuresThatBeginWithAnArrayCopyWhatIsBehindIt) {
  CHECK_FUNCTION(copies_headed, 0.7, 1.3);
  CHECK_FUNCTION(copies_headed, 0.7, 1.3, 0.2);
}
PLUGIN_TEST(Structures, StructuresMayBeSwappedAsBytes) {
  CHECK_FUNCTION(bytes_swapped, 0.3, -1.2);
}
PLUGIN_TEST(Structures, SingleAndDoublePrecisionMayMix) {
  // Differences of a function rounded to single precision say nothing, so the closed form stands here.
  double x[2] = {0.5, -1.25}, dx[2] = {0, 0};
  __enzyme_autodiff<void>((void *)mixed_precision, enzyme_dup, x, dx, enzyme_const, 2);
  const double product = 0.25 * 1.5625, sum = 4 * 0.5 * -1.25;
  EXPECT_CLOSE_FLOAT(dx[0], 4 * -1.25 * product + sum * 2 * 0.5 * 1.5625);
  EXPECT_CLOSE_FLOAT(dx[1], 4 * 0.5 * product + sum * 2 * 0.25 * -1.25);
  double tangent[2] = {0, 1};
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)mixed_precision, enzyme_dup, x, tangent, enzyme_const, 2),
                     4 * 0.5 * product + sum * 2 * 0.25 * -1.25);
}
