// Functions that work on structs behind pointers, move and copy them, and call each other in a tree: the shape of a
// simulation with many parts.
#include "bench/programs/derivatives.hpp"

namespace {

struct Body {
  double position, velocity;
  long count;
  Body *next;
  double forces[4];
};

constexpr int functions = 127;

template <int N>
[[gnu::noinline]] double step(Body *body) {
  Body before = *body;
  body->position += 0.01 * body->velocity;
  body->velocity -= 0.01 * body->next->position;
  body->forces[body->count & 3] += body->velocity * before.position;
  double energy = body->velocity * body->velocity;
  if constexpr (2 * N + 1 < functions)
    energy += step<2 * N + 1>(body->next);
  if constexpr (2 * N + 2 < functions)
    energy += 0.5 * step<2 * N + 2>(&before);
  body->next->count = before.count + 1;
  return energy + body->forces[N & 3];
}

double simulation(const double *x) {
  Body bodies[3] = {};
  for (int i = 0; i < 3; ++i) {
    bodies[i].position = x[i];
    bodies[i].velocity = x[i + 3];
    bodies[i].next = &bodies[(i + 1) % 3];
  }
  return step<0>(bodies);
}

} // namespace

ASSAY_DERIVATIVES_OF(simulation)
