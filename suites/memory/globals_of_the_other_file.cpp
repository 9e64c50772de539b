// The global of globals_of_two_files.cpp, and a derivative of one mode that uses it.
#include "support/convention.hpp"

namespace {

double linked[2];

} // namespace

double *link_of_other_file = linked;

namespace {

double follows_link(double x) {
  *link_of_other_file = x * x;
  return link_of_other_file[0] * x;
}

} // namespace

double slope_through_link(double x) {
  return __enzyme_fwddiff<double>((void *)follows_link, enzyme_dup, x, 1.0);
}
