// Boost's steppers with step size control, whose vectors are copied while they are empty; one of them stays so, and
// nothing in the program tells what it would hold.
#include "support/vector_program.hpp"
#include <boost/numeric/odeint.hpp>
#include <vector>

namespace {

using State = std::vector<double>;
namespace odeint = boost::numeric::odeint;

/// A damped oscillator; `x` holds where it starts, its stiffness and its damping.
template <class Stepper>
double oscillated(const double *x, const Stepper &stepper) {
  State state{x[0], 0.2};
  const auto rates = [&](const State &at, State &rate, double /*time*/) {
    rate[0] = at[1];
    rate[1] = -x[1] * x[1] * at[0] - x[2] * at[1];
  };
  odeint::integrate_const(stepper, rates, state, 0.0, 1.0, 0.125);
  return state[0] + 2 * state[1];
}

double controlled(const double *x, int) {
  return oscillated(x, odeint::make_controlled<odeint::runge_kutta_dopri5<State>>(1e-1, 1e-1));
}
double plain(const double *x, int) {
  return oscillated(x, odeint::runge_kutta4<State>());
}

} // namespace

PLUGIN_TEST(AdaptiveSteppers, WithStepSizeControl) {
  CHECK_FUNCTION(controlled, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(AdaptiveSteppers, OfFixedSteps) {
  CHECK_FUNCTION(plain, 0.7, -1.2, 0.4);
}
