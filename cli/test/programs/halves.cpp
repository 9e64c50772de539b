// Numbers of 16 bits in C++.
#include <vector>

_Float16 area(const _Float16 *sides, _Float16 factor) {
  return sides[0] * sides[1] * factor;
}

template <class T>
T cube(T x) {
  return x * x * x;
}
template _Float16 cube(_Float16);

struct Mixed {
  _Float16 half;
  double real;
};
double of_object(const Mixed &mixed) {
  return double(mixed.half) * mixed.real;
}
double of_container(const std::vector<_Float16> &x) {
  return x[0];
}
