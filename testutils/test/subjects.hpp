#pragma once
// The functions that the tests differentiate by hand.

#include "testutils/test/hand_subject.hpp"

#include <cmath>

namespace assay::testutils {

/// result = x * y
inline HandSubject product() {
  return {{"product", {scalar("x"), scalar("y")}, scalar("result")},
          [](Arguments &x) { return Values{x[0][0] * x[1][0]}; },
          [](const Arguments &x, Arguments &t) { return Values{t[0][0] * x[1][0] + x[0][0] * t[1][0]}; },
          [](const Arguments &x, const Values &seed, Arguments &s) {
            s[0][0] += seed[0] * x[1][0];
            s[1][0] += seed[0] * x[0][0];
          }};
}

/// result = sum of weight[i] * x[i]^2
inline HandSubject weighted_squares(std::size_t count) {
  const auto sum = [](const Arguments &x) {
    double total = 0;
    for (std::size_t i = 0; i < x[0].size(); ++i)
      total += x[1][i] * x[0][i] * x[0][i];
    return Values{total};
  };
  return {{"weighted_squares", {buffer("x", {count}), buffer("weight", {count})}, scalar("result")},
          [=](Arguments &x) { return sum(x); },
          [](const Arguments &x, Arguments &t) {
            double total = 0;
            for (std::size_t i = 0; i < x[0].size(); ++i)
              total += t[1][i] * x[0][i] * x[0][i] + 2 * x[1][i] * x[0][i] * t[0][i];
            return Values{total};
          },
          [](const Arguments &x, const Values &seed, Arguments &s) {
            for (std::size_t i = 0; i < x[0].size(); ++i) {
              s[0][i] += seed[0] * 2 * x[1][i] * x[0][i];
              s[1][i] += seed[0] * x[0][i] * x[0][i];
            }
          }};
}

/// y[i] = a * x[i] + sin(y[i]), in place
inline HandSubject update() {
  return {{"update", {scalar("a"), buffer("x", {3}), buffer("y", {3})}, {}},
          [](Arguments &x) {
            for (std::size_t i = 0; i < 3; ++i)
              x[2][i] = x[0][0] * x[1][i] + std::sin(x[2][i]);
            return Values{};
          },
          [](const Arguments &x, Arguments &t) {
            for (std::size_t i = 0; i < 3; ++i)
              t[2][i] = t[0][0] * x[1][i] + x[0][0] * t[1][i] + std::cos(x[2][i]) * t[2][i];
            return Values{};
          },
          [](const Arguments &x, const Values &, Arguments &s) {
            for (std::size_t i = 0; i < 3; ++i) {
              s[0][0] += s[2][i] * x[1][i];
              s[1][i] += s[2][i] * x[0][0];
              s[2][i] *= std::cos(x[2][i]);
            }
          }};
}

/// out = A^2 x elementwise squares of a 2x3 matrix times a vector; out is only written
inline HandSubject matrix_times_vector() {
  return {{"matrix_times_vector", {buffer("A", {2, 3}), buffer("x", {3}), buffer("out", {2})}, {}},
          [](Arguments &v) {
            for (std::size_t i = 0; i < 2; ++i) {
              v[2][i] = 0;
              for (std::size_t j = 0; j < 3; ++j)
                v[2][i] += v[0][i * 3 + j] * v[0][i * 3 + j] * v[1][j];
            }
            return Values{};
          },
          [](const Arguments &v, Arguments &t) {
            for (std::size_t i = 0; i < 2; ++i) {
              t[2][i] = 0;
              for (std::size_t j = 0; j < 3; ++j) {
                const double a = v[0][i * 3 + j];
                t[2][i] += 2 * a * t[0][i * 3 + j] * v[1][j] + a * a * t[1][j];
              }
            }
            return Values{};
          },
          [](const Arguments &v, const Values &, Arguments &s) {
            for (std::size_t i = 0; i < 2; ++i) {
              for (std::size_t j = 0; j < 3; ++j) {
                const double a = v[0][i * 3 + j];
                s[0][i * 3 + j] += s[2][i] * 2 * a * v[1][j];
                s[1][j] += s[2][i] * a * a;
              }
              s[2][i] = 0;
            }
          }};
}

/// result = f(x) with a given derivative
inline HandSubject unary(std::string name, double (*f)(double), double (*derivative)(double)) {
  return {{std::move(name), {scalar("x")}, scalar("result")},
          [=](Arguments &x) { return Values{f(x[0][0])}; },
          [=](const Arguments &x, Arguments &t) { return Values{derivative(x[0][0]) * t[0][0]}; },
          [=](const Arguments &x, const Values &seed, Arguments &s) { s[0][0] += seed[0] * derivative(x[0][0]); }};
}

} // namespace assay::testutils
