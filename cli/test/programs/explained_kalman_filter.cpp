// Log-likelihood of a constant-velocity Kalman filter.
#include <array>
#include <cmath>
#include <vector>

template <int N, int M>
struct Mat {
  double a[N][M] = {};
  double &operator()(int i, int j) { return a[i][j]; }
  double operator()(int i, int j) const { return a[i][j]; }
};

template <int N, int K, int M>
Mat<N, M> operator*(const Mat<N, K> &x, const Mat<K, M> &y) {
  Mat<N, M> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      for (int k = 0; k < K; ++k)
        r(i, j) += x(i, k) * y(k, j);
  return r;
}

template <int N, int M>
Mat<N, M> operator+(const Mat<N, M> &x, const Mat<N, M> &y) {
  Mat<N, M> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      r(i, j) = x(i, j) + y(i, j);
  return r;
}

template <int N, int M>
Mat<M, N> transposed(const Mat<N, M> &x) {
  Mat<M, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      r(j, i) = x(i, j);
  return r;
}

struct Noise {
  double process, measurement;
};

double log_likelihood(const Noise *noise, const double *measured, const double *times, int n) {
  Mat<4, 1> state;
  Mat<4, 4> covariance;
  for (int i = 0; i < 4; ++i)
    covariance(i, i) = 10;
  Mat<2, 4> observe;
  observe(0, 0) = observe(1, 1) = 1;
  double total = 0;
  for (int t = 1; t < n; ++t) {
    const double dt = times[t] - times[t - 1];
    Mat<4, 4> move;
    for (int i = 0; i < 4; ++i)
      move(i, i) = 1;
    move(0, 2) = move(1, 3) = dt;
    Mat<4, 4> q;
    for (int i = 0; i < 4; ++i)
      q(i, i) = noise->process * dt;
    state = move * state;
    covariance = move * covariance * transposed(move) + q;
    Mat<2, 2> s = observe * covariance * transposed(observe);
    s(0, 0) += noise->measurement;
    s(1, 1) += noise->measurement;
    const double determinant = s(0, 0) * s(1, 1) - s(0, 1) * s(1, 0);
    Mat<2, 2> inverse;
    inverse(0, 0) = s(1, 1) / determinant;
    inverse(1, 1) = s(0, 0) / determinant;
    inverse(0, 1) = -s(0, 1) / determinant;
    inverse(1, 0) = -s(1, 0) / determinant;
    Mat<2, 1> innovation;
    for (int i = 0; i < 2; ++i)
      innovation(i, 0) = measured[2 * t + i] - state(i, 0);
    const Mat<4, 2> gain = covariance * transposed(observe) * inverse;
    state = state + gain * innovation;
    Mat<4, 4> keep = gain * observe;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        keep(i, j) = (i == j) - keep(i, j);
    covariance = keep * covariance;
    const Mat<1, 1> distance = transposed(innovation) * inverse * innovation;
    total -= 0.5 * (std::log(determinant) + distance(0, 0));
  }
  return total;
}
