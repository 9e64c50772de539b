/* The heat equation, stepped in place: every value is read, overwritten, and read again by its right neighbour.
 *
 * Reverse mode needs the values from before each overwriting, although the program has long forgotten them. */
#include <assay/check.h>

void heat_steps(double *u, int n, int steps, double rate) {
  for (int step = 0; step < steps; ++step) {
    double left = u[0];
    for (int i = 1; i + 1 < n; ++i) {
      double here = u[i];
      /* Conductivity grows with temperature, so that old values matter in the derivative. */
      double conductivity = 1 + 0.1 * here * here;
      u[i] = here + rate * conductivity * (left - 2 * here + u[i + 1]);
      left = here;
    }
  }
}
ASSAY_CHECK(heat_steps, "double[10]:(-1,1)", "int=10", "int=5", "double:(0.05,0.2)");
