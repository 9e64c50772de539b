// The part of the test program that is the same for all: plain C, so that a failing program is one file.
#include "generators/programs/test_program.hpp"

namespace assay::gen::programs {

namespace {

constexpr const char *text = R"(
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct subject *const subjects[];

enum { most = 64 };

static int verdict(const char *name, const char *detail, double got, double expected) {
  printf("%s: %s", name, detail);
  if (got != expected)
    printf(" %.17g, expected %.17g", got, expected);
  printf("\n");
  fflush(stdout);
  return name[0] == 'o'; /* ok, oracle unreliable */
}

/* <weights, outputs> of the program in long double, moved along one input. */
static long double moved(const struct subject *s, int input, long double change) {
  long double in[most], out[most], sum = 0;
  for (int i = 0; i < s->inputs; ++i)
    in[i] = s->at[i];
  in[input] += change;
  s->wide(in, out);
  for (int i = 0; i < s->outputs; ++i)
    sum += s->weights[i] * out[i];
  return sum;
}

static long double central(const struct subject *s, int input, long double h) {
  return (moved(s, input, 3 * h) - moved(s, input, -3 * h) - 9 * (moved(s, input, 2 * h) - moved(s, input, -2 * h)) +
          45 * (moved(s, input, h) - moved(s, input, -h))) / (60 * h);
}

/* How far the slopes to the right and to the left are apart: at a kink central differences are exactly wrong. */
static long double kink(const struct subject *s, int input, long double h) {
  const long double here = moved(s, input, 0);
  const long double right = (4 * moved(s, input, h) - moved(s, input, 2 * h) - 3 * here) / (2 * h);
  const long double left = (3 * here - 4 * moved(s, input, -h) + moved(s, input, -2 * h)) / (2 * h);
  return fabsl(right - left);
}

struct gradient { double value[most], error[most], scale; };

/* Sixth-order central differences at two steps; what lies between them is their error. */
static struct gradient differences(const struct subject *s) {
  struct gradient g;
  g.scale = 1;
  for (int i = 0; i < s->inputs; ++i) {
    const long double coarse = central(s, i, 0x1p-12L), fine = central(s, i, 0x1p-14L);
    g.value[i] = (double)fine;
    const long double apart = kink(s, i, 0x1p-14L);
    g.error[i] = (double)fabsl(coarse - fine);
    if (apart > 1e-3L * (1 + fabsl(fine)))
      g.error[i] += (double)apart;
    g.scale = fmax(g.scale, fabs(g.value[i]));
  }
  return g;
}

/* Both directional derivatives of the derivative along `direction`, by differences of second order in both. */
static long double mixed(const struct subject *s, int input, const double *direction, long double h) {
  long double in[most], out[most], sum = 0;
  for (int corner = 0; corner < 4; ++corner) {
    for (int i = 0; i < s->inputs; ++i)
      in[i] = s->at[i] + (corner & 1 ? -h : h) * direction[i];
    in[input] += corner & 2 ? -h : h;
    s->wide(in, out);
    for (int i = 0; i < s->outputs; ++i)
      sum += (corner == 1 || corner == 2 ? -1 : 1) * s->weights[i] * out[i];
  }
  return sum / (4 * h * h);
}

/* The Hessian times the direction. The error in h squared is extrapolated away. */
static struct gradient second_differences(const struct subject *s, const double *direction) {
  struct gradient g;
  g.scale = 1;
  for (int i = 0; i < s->inputs; ++i) {
    const long double a = mixed(s, i, direction, 0x1p-9L), b = mixed(s, i, direction, 0x1p-10L),
                      c = mixed(s, i, direction, 0x1p-11L);
    const long double coarse = (4 * b - a) / 3, fine = (4 * c - b) / 3;
    g.value[i] = (double)fine;
    g.error[i] = (double)fabsl(coarse - fine);
    g.scale = fmax(g.scale, fabs(g.value[i]));
  }
  return g;
}

static int differs(double got, double expected, double tolerance) {
  return !(fabs(got - expected) <= tolerance);
}

static int check_primal(const struct subject *s, const char *what, const double *out, const double *expected, int from) {
  char detail[80];
  for (int i = from; i < s->outputs; ++i)
    if (differs(out[i], expected[i], s->has_floats ? 1e-6 : 0)) {
      snprintf(detail, sizeof detail, "%s: output %d is", what, i);
      return verdict("wrong primal", detail, out[i], expected[i]);
    }
  return -1;
}

static int check_gradient(const struct subject *s, const char *what, const double *got, const struct gradient *g,
                          double tolerance, double factor) {
  char detail[80];
  for (int i = 0; i < s->inputs; ++i)
    if (differs(got[i], factor * g->value[i], tolerance * g->scale + 10 * g->error[i])) {
      snprintf(detail, sizeof detail, "%s: derivative %d is", what, i);
      return verdict("wrong gradient", detail, got[i], factor * g->value[i]);
    }
  return -1;
}

static int check_tangent(const struct subject *s, const char *what, const double *tangent, const double *direction,
                         const double *gradient, double factor) {
  double left = 0, right = 0, scale = 1;
  for (int i = 0; i < s->outputs; ++i) {
    left += s->weights[i] * tangent[i];
    scale += fabs(s->weights[i] * tangent[i]);
  }
  for (int i = 0; i < s->inputs; ++i) {
    right += factor * direction[i] * gradient[i];
    scale += fabs(factor * direction[i] * gradient[i]);
  }
  if (differs(left, right, (s->has_floats ? 1e-4 : 1e-10) * scale))
    return verdict("wrong tangent", what, left, right);
  return -1;
}

static int check_other(const struct subject *s, const double *expected, const struct gradient *g, const double *direction,
                       double tolerance) {
  double in[most], out[most], derivative[2 * most];
  memcpy(in, s->at, sizeof(double) * s->inputs);
  s->other(in, s->weights, direction, out, derivative);
  const int no_result = strncmp(s->mode, "vector", 6) == 0;
  int end = check_primal(s, s->mode, out, expected, no_result);
  if (strcmp(s->mode, "vector forward") == 0) {
    if (end < 0)
      end = check_tangent(s, "vector forward, lane 0", derivative, direction, g->value, 1);
    if (end < 0)
      end = check_tangent(s, "vector forward, lane 1", derivative + s->outputs, direction, g->value, 2);
    return end;
  }
  if (end < 0)
    end = check_gradient(s, s->mode, derivative, g, tolerance, 1);
  return end;
}

/* Where rounding errors grow or a branch goes the other way, nothing can be said. */
static int is_unreliable(const struct subject *s, const double *expected, const struct gradient *g, double tolerance) {
  long double in[most], out[most];
  for (int i = 0; i < s->inputs; ++i)
    in[i] = s->at[i];
  s->wide(in, out);
  for (int i = 0; i < s->outputs; ++i)
    if (differs(expected[i], (double)out[i], s->has_floats ? 1e-4 : 1e-11))
      return verdict("oracle unreliable", "rounding errors grow", expected[i], (double)out[i]);
  for (int i = 0; i < s->inputs; ++i)
    if (!(g->error[i] <= tolerance * g->scale) || g->scale > 1e6)
      return verdict("oracle unreliable", "finite differences differ by", g->error[i], 0);
  return -1;
}

static int check_reverse(const struct subject *s, const double *in, const double *expected, const struct gradient *g,
                         double *got) {
  double out[most], again[most];
  s->reverse(in, s->weights, out, got);
  int end = check_primal(s, "reverse", out, expected, 0);
  if (end >= 0)
    return end;
  s->reverse(in, s->weights, out, again);
  if (memcmp(got, again, sizeof(double) * s->inputs) != 0)
    return verdict("nondeterministic", "the second run differs", 0, 0);
  const double tolerance = s->has_floats ? 2e-3 : 1e-7;
  end = is_unreliable(s, expected, g, tolerance);
  return end >= 0 ? end : check_gradient(s, "reverse", got, g, tolerance, 1);
}

static int check_forward(const struct subject *s, const double *in, const double *expected, const double *direction,
                         const double *gradient) {
  double out[most], tangent[most];
  s->forward(in, direction, out, tangent);
  const int end = check_primal(s, "forward", out, expected, 0);
  return end >= 0 ? end : check_tangent(s, "forward against reverse:", tangent, direction, gradient, 1);
}

static int is_second(const struct subject *s) {
  return strstr(s->mode, " over ") != 0;
}

static int check_second(const struct subject *s, const double *expected, const double *direction) {
  double in[most], out[most], derivative[most];
  const double tolerance = s->has_floats ? 1e-2 : 1e-6;
  const struct gradient differenced = second_differences(s, direction);
  memcpy(in, s->at, sizeof(double) * s->inputs);
  s->other(in, s->weights, direction, out, derivative);
  const int end = check_primal(s, s->mode, out, expected, 0);
  if (end >= 0)
    return end;
  for (int i = 0; i < s->inputs; ++i)
    if (!(differenced.error[i] <= tolerance * differenced.scale) || differenced.scale > 1e5)
      return verdict("oracle unreliable", "second differences differ by", differenced.error[i], 0);
  return check_gradient(s, s->mode, derivative, &differenced, tolerance, 1);
}

/* Forward mode comes after all of reverse mode: it leaves tangents in the shadows of globals. */
static int check(const struct subject *s) {
  double in[most], expected[most], direction[most];
  for (int i = 0; i < s->inputs; ++i) {
    in[i] = s->at[i];
    direction[i] = (i % 2 ? -1 : 1) * (0.25 + 0.125 * (i % 5));
  }
  s->direct(in, expected);
  const struct gradient differenced = differences(s);
  struct gradient reverse = differenced;
  const int other_is_forward = strcmp(s->mode, "vector forward") == 0;
  const double rounding = s->has_floats ? 1e-4 : 1e-10;
  int end = check_reverse(s, in, expected, &differenced, reverse.value);
  if (end < 0 && s->other && !other_is_forward && !is_second(s))
    end = check_other(s, expected, &reverse, direction, rounding);
  if (end < 0)
    end = check_forward(s, in, expected, direction, reverse.value);
  if (end < 0 && s->other && other_is_forward)
    end = check_other(s, expected, &reverse, direction, rounding);
  if (end < 0 && is_second(s))
    end = check_second(s, expected, direction);
  return end >= 0 ? end : verdict("ok", "", 0, 0);
}

int main(void) {
  int failed = 0;
  for (int i = 0; subjects[i]; ++i) {
    printf("%d ", i);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      const struct rlimit seconds = {10, 11};
      setrlimit(RLIMIT_CPU, &seconds);
      alarm(100);
      _exit(check(subjects[i]) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
      printf("\n%d %s: signal %d\n", i,
             WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU ? "timeout" : "crash", WTERMSIG(status));
    else if (WEXITSTATUS(status) > 1)
      printf("\n%d crash: exit code %d\n", i, WEXITSTATUS(status));
    failed |= status != 0;
  }
  return failed;
}
)";

} // namespace

std::string checks() {
  return text;
}

} // namespace assay::gen::programs
