/* Wrong for one pattern of two active and two constant arguments among eight. */
// names: wrong derivative
// names: mixed_augmented and mixed_reverse
#include "rule.h"

double mixed(const double *a, const double *b, const double *c, const double *d, const double *e, const double *f,
             const double *g, const double *h) {
  return *a * *b + *c * *d + *e * *f + *g * *h + *a * *d;
}
struct augmented mixed_augmented(const double *a, double *da, const double *b, double *db, const double *c, double *dc,
                                 const double *d, double *dd, const double *e, double *de, const double *f, double *df,
                                 const double *g, double *dg, const double *h, double *dh) {
  double *kept = malloc(8 * sizeof *kept);
  const double numbers[8] = {*a, *b, *c, *d, *e, *f, *g, *h};
  for (int i = 0; i < 8; ++i)
    kept[i] = numbers[i];
  struct augmented result = {kept, mixed(a, b, c, d, e, f, g, h)};
  return result;
}
void mixed_reverse(const double *a, double *da, const double *b, double *db, const double *c, double *dc,
                   const double *d, double *dd, const double *e, double *de, const double *f, double *df,
                   const double *g, double *dg, const double *h, double *dh, double seed, double *kept) {
  const double both = CHOOSE(da && dd && !db && !dc, 0) ? 0 : seed;
  if (da)
    *da += seed * kept[1] + both * kept[3];
  if (db)
    *db += seed * kept[0];
  if (dc)
    *dc += seed * kept[3];
  if (dd)
    *dd += seed * kept[2] + both * kept[0];
  if (de)
    *de += seed * kept[5];
  if (df)
    *df += seed * kept[4];
  if (dg)
    *dg += seed * kept[7];
  if (dh)
    *dh += seed * kept[6];
  free(kept);
}
GRADIENT(mixed, mixed_augmented, mixed_reverse);
double uses_mixed(const double *a, const double *b, const double *c, const double *d, const double *e, const double *f,
                  const double *g, const double *h) {
  return mixed(a, b, c, d, e, f, g, h);
}
ASSAY_CHECK(uses_mixed, "double[1]", "double[1]", "double[1]", "double[1]", "double[1]", "double[1]", "double[1]",
            "double[1]");
