#pragma once
#include <cmath>

/// The angle of a damped pendulum after `steps` explicit steps.
inline double swing(double angle, double damping, int steps) {
  double speed = 0;
  for (int i = 0; i < steps; ++i) {
    speed += 0.01 * (-std::sin(angle) - damping * speed);
    angle += 0.01 * speed;
  }
  return angle;
}
