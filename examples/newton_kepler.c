/* Kepler's equation E - e sin E = M, solved by Newton's iteration.
 *
 * How often the loop runs depends on the data; the derivative goes through exactly the steps that were made. */
#include <assay/check.h>
#include <math.h>

double eccentric_anomaly(double mean_anomaly, double eccentricity) {
  double anomaly = mean_anomaly;
  double step = 1;
  while (fabs(step) > 1e-13) {
    step = (anomaly - eccentricity * sin(anomaly) - mean_anomaly) / (1 - eccentricity * cos(anomaly));
    anomaly -= step;
  }
  return anomaly;
}
ASSAY_CHECK(eccentric_anomaly, "double:(0.2,2.8)", "double:(0.05,0.6)");

/* Where the planet is at that time: a caller of the iteration, with the result through a pointer. */
void position(double mean_anomaly, double eccentricity, double *xy) {
  double anomaly = eccentric_anomaly(mean_anomaly, eccentricity);
  xy[0] = cos(anomaly) - eccentricity;
  xy[1] = sqrt(1 - eccentricity * eccentricity) * sin(anomaly);
}
ASSAY_CHECK(position, "double:(0.2,2.8)", "double:(0.05,0.6)", "double[2]");
