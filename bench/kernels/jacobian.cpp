// A layer of 100 results and 100 inputs, y = tanh(A x), with all of its first derivatives: by 100 calls of autodiff,
// and by jacobian at several widths.
#include "bench/jacobian.hpp"

#include <assay/autodiff.hpp>
#include <assay/jacobian.hpp>
#include <cmath>
#include <cstddef>

namespace assay::bench {

namespace {

constexpr std::size_t size = 100;
using Numbers = std::vector<double>;

double factor(std::size_t row, std::size_t column) {
  return static_cast<double>((row * 7 + column * 13) % 17) / 170.0;
}

void layer(const Numbers &x, Numbers &y) {
  for (std::size_t row = 0; row < size; ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < size; ++column)
      sum += factor(row, column) * x[column] * x[column];
    y[row] = std::tanh(sum);
  }
}
Numbers layer_of(const Numbers &x) {
  Numbers y(size);
  layer(x, y);
  return y;
}

double weight(std::size_t row, std::size_t column) {
  return 1.0 + static_cast<double>(row) - 2.0 * static_cast<double>(column);
}
template <class J>
double weighted(const J &jacobian) {
  double sum = 0;
  for (std::size_t row = 0; row < size; ++row)
    for (std::size_t column = 0; column < size; ++column)
      sum += weight(row, column) * jacobian(row, column);
  return sum;
}

double forward_by_single_calls(const Numbers &x) {
  Numbers y(size), direction(size), tangent(size);
  double sum = 0;
  for (std::size_t column = 0; column < size; ++column) {
    direction[column] = 1;
    autodiff<Forward>(layer, Duplicated{x, direction}, Duplicated{y, tangent});
    direction[column] = 0;
    for (std::size_t row = 0; row < size; ++row)
      sum += weight(row, column) * tangent[row];
  }
  return sum;
}
template <unsigned Width>
double forward_by_chunks(const Numbers &x) {
  return weighted(jacobian<Forward, Chunk<Width>>(layer_of, x));
}

double reverse_by_single_calls(const Numbers &x) {
  Numbers y(size), adjoint(size), gradient(size);
  double sum = 0;
  for (std::size_t row = 0; row < size; ++row) {
    set_zero(adjoint);
    set_zero(gradient);
    adjoint[row] = 1;
    autodiff<Reverse>(layer, Duplicated{x, gradient}, Duplicated{y, adjoint});
    for (std::size_t column = 0; column < size; ++column)
      sum += weight(row, column) * gradient[column];
  }
  return sum;
}
template <unsigned Width>
double reverse_by_chunks(const Numbers &x) {
  return weighted(jacobian<Reverse, Outputs<size>, Chunk<Width>>(layer_of, x));
}

} // namespace

std::vector<JacobianRun> forward_jacobians() {
  return {{"forward, 100 calls", forward_by_single_calls},
          {"forward, Chunk<1>", forward_by_chunks<1>},
          {"forward, Chunk<4>", forward_by_chunks<4>},
          {"forward, Chunk<8>", forward_by_chunks<8>},
          {"forward, Chunk<16>", forward_by_chunks<16>}};
}
std::vector<JacobianRun> reverse_jacobians() {
  return {{"reverse, 100 calls", reverse_by_single_calls},
          {"reverse, Chunk<1>", reverse_by_chunks<1>},
          {"reverse, Chunk<4>", reverse_by_chunks<4>},
          {"reverse, Chunk<8>", reverse_by_chunks<8>}};
}

Numbers input_of_jacobians() {
  Numbers x(size);
  for (std::size_t i = 0; i < size; ++i)
    x[i] = 0.1 + 0.8 * static_cast<double>(i) / size;
  return x;
}

} // namespace assay::bench
