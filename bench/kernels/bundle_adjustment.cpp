// Bundle adjustment: squared errors of points that cameras with rotation, focal length and radial distortion see.
#include "bench/kernel_of.hpp"

#include <cmath>

namespace assay::bench {

namespace {

constexpr int camera_size = 11;

void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Rotation of a point about a vector, by Rodrigues' formula.
void rotate(const double *rotation, const double *point, double *result) {
  const double square = dot(rotation, rotation);
  if (square == 0) {
    cross(rotation, point, result);
    for (int i = 0; i < 3; ++i)
      result[i] += point[i];
    return;
  }
  const double angle = std::sqrt(square), sine = std::sin(angle), cosine = std::cos(angle);
  double axis[3], side[3];
  for (int i = 0; i < 3; ++i)
    axis[i] = rotation[i] / angle;
  cross(axis, point, side);
  const double along = dot(axis, point) * (1 - cosine);
  for (int i = 0; i < 3; ++i)
    result[i] = point[i] * cosine + side[i] * sine + axis[i] * along;
}

void project(const double *camera, const double *point, double *projection) {
  double moved[3], seen[3];
  for (int i = 0; i < 3; ++i)
    moved[i] = point[i] - camera[3 + i];
  rotate(camera, moved, seen);
  const double x = seen[0] / seen[2], y = seen[1] / seen[2];
  const double radius = x * x + y * y;
  const double distortion = 1 + camera[9] * radius + camera[10] * radius * radius;
  projection[0] = x * distortion * camera[6] + camera[7];
  projection[1] = y * distortion * camera[6] + camera[8];
}

/// Cameras, then points, then a weight for each observation.
double value(const double *x, const double *features, int cameras, int points, int observations) {
  const double *first_point = x + cameras * camera_size, *weights = first_point + 3 * points;
  double sum = 0;
  for (int i = 0; i < observations; ++i) {
    double projection[2];
    project(x + (i % cameras) * camera_size, first_point + 3 * (i % points), projection);
    for (int j = 0; j < 2; ++j) {
      const double error = weights[i] * (projection[j] - features[2 * i + j]);
      sum += error * error;
    }
    const double regular = 1 - weights[i] * weights[i];
    sum += regular * regular;
  }
  return sum;
}

constexpr int cameras = 7;
constexpr int points = 60;
constexpr int observations = 300;

} // namespace

Kernel bundle_adjustment() {
  return kernel_of<value>({"bundle_adjust",
                           cameras * camera_size + 3 * points + observations,
                           0,
                           0.4,
                           1.2,
                           2 * observations,
                           {cameras, points, observations}});
}

} // namespace assay::bench
