// In a file of its own, so that nobody looks into it.
void add_to_places(double *y, const double *x, int *places, int n) {
  for (int i = 0; i < n; ++i)
    y[places[i]] += 3 * x[i];
}
