// Prints how many derivatives of chains of calls of cuBLAS differ from differences: with both operations, steps that go
// backwards, operands that are overwritten, factors that are active.
#include <assay/autodiff.hpp>
#include <assay/gpu/cublas.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
using namespace assay;
constexpr int N = 80;
struct Choice {
  int ta, tb, step, overwrite;
};

// numbers of the host to the device, a chain of calls, and back
template <class T>
double program(const T *x, const Choice *c) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  T *d;
  cudaMalloc((void **)&d, N * sizeof(T));
  cudaMemcpy(d, x, N * sizeof(T), cudaMemcpyHostToDevice);
  const cublasOperation_t ta = c->ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb = c->tb ? CUBLAS_OP_T : CUBLAS_OP_N;
  T alpha = x[0], beta = x[1], r = 0, l = 0;
  T *A = d + 2, *B = d + 22, *C = d + 42;
  if constexpr (sizeof(T) == 8) {
    cublasDgemm(handle, ta, tb, 3, 4, 2, &alpha, A, 4, B, 5, &beta, C, 4);
    if (c->overwrite) {
      cublasDscal(handle, 10, &beta, A, 1);
      cublasDaxpy(handle, 8, &alpha, C, 1, B, 2);
    }
    cublasDgemv(handle, ta, 3, 4, &beta, C, 4, A, c->step, &alpha, B, 2);
    cublasDaxpy(handle, 5, &beta, B, 1, C + 3, c->step);
    cublasDcopy(handle, 4, C, 2, A, 1);
    cublasDscal(handle, 6, &alpha, C + 1, 2);
    // two products that read one matrix
    cublasDgemmStridedBatched(handle, ta, tb, 2, 2, 2, &alpha, A, 4, c->overwrite ? 0 : 2, B, 5, 1, &beta, C + 8, 3, 8,
                              2);
    // lists of matrices, of which two may be one
    const T *lists[4] = {A, c->overwrite ? A : A + 2, B, B + 1}, **factors;
    T *results[2] = {C + 8, C + 14}, **products;
    cudaMalloc((void **)&factors, sizeof lists);
    cudaMalloc((void **)&products, sizeof results);
    cudaMemcpy(factors, lists, sizeof lists, cudaMemcpyHostToDevice);
    cudaMemcpyAsync(products, results, sizeof results, cudaMemcpyHostToDevice);
    cublasDgemmBatched(handle, tb, ta, 2, 2, 2, &beta, factors, 4, factors + 2, 5, &alpha, products, 3, 2);
    cudaFree(factors);
    cudaFree(products);
    if (c->overwrite)
      cublasDscal(handle, 9, &beta, A, 1);
    // a product that nothing was written to before
    T *fresh, none = 0, first = 0;
    cudaMalloc((void **)&fresh, 6 * sizeof(T));
    cublasDgemm(handle, ta, tb, 3, 2, 2, &beta, A, 4, B, 5, &none, fresh, 3);
    cublasDdot(handle, 6, fresh, 1, A, 1, &first);
    cudaFree(fresh);
    cublasDdot(handle, 8, C + 2, 2, B, c->step, &r);
    r += first;
    cublasDnrm2(handle, 9, A, 1, &l);
  } else {
    cublasSgemm(handle, ta, tb, 3, 4, 2, &alpha, A, 4, B, 5, &beta, C, 4);
    cublasSgemv(handle, ta, 3, 4, &beta, C, 4, A, 1, &alpha, B, 2);
    T *lists[3] = {A, B, C}, **list;
    cudaMalloc((void **)&list, sizeof lists);
    cudaMemcpy(list, lists, sizeof lists, cudaMemcpyHostToDevice);
    cublasSgemmBatched(handle, tb, ta, 2, 2, 2, &beta, list, 4, list + 1, 5, &alpha, list + 2, 4, 1);
    cudaFree(list);
    cublasSdot(handle, 8, C, 1, B, 1, &r);
    cublasSnrm2(handle, 9, A, 1, &l);
  }
  cudaFree(d);
  cublasDestroy(handle);
  return r * l + l;
}
int main() {
  int bad = 0;
  for (int bits = 0; bits < 16; ++bits) {
    Choice c{bits & 1, bits >> 1 & 1, bits & 4 ? -2 : 1, bits >> 3 & 1};
    double x[N], d[N] = {}, v[N];
    for (int i = 0; i < N; ++i)
      x[i] = 0.7 * std::sin(1.3 * i + 1) + 0.2, v[i] = std::cos(2.1 * i);
    autodiff<Reverse>(program<double>, Duplicated{(const double *)x, (double *)d}, Const{&c});
    const double f =
        autodiff<Forward>(program<double>, Duplicated{(const double *)x, (const double *)v}, Const{&c}).derivative;
    double a[N], b[N], h = 1e-6, r = 0;
    for (int i = 0; i < N; ++i)
      a[i] = x[i] + h * v[i], b[i] = x[i] - h * v[i], r += d[i] * v[i];
    const double e = (program<double>(a, &c) - program<double>(b, &c)) / (2 * h);
    const bool ok = std::fabs(e - r) < 1e-6 * (1 + std::fabs(e)) && std::fabs(e - f) < 1e-6 * (1 + std::fabs(e));
    if (!ok)
      std::printf("case %d: differences %.9g reverse %.9g forward %.9g WRONG\n", bits, e, r, f);
    bad += !ok;
  }
  {
    Choice c{0, 1, 1, 0};
    float x[N], d[N] = {};
    for (int i = 0; i < N; ++i)
      x[i] = 0.5f * std::sin(1.3f * i + 1) + 0.3f;
    autodiff<Reverse>(program<float>, Duplicated{(const float *)x, (float *)d}, Const{&c});
    double worst = 0;
    for (int i = 0; i < N; i += 7) {
      float k = x[i], h = 1e-2f;
      x[i] = k + h;
      double p = program<float>(x, &c);
      x[i] = k - h;
      p -= program<float>(x, &c);
      x[i] = k;
      worst = std::fmax(worst, std::fabs(p / (2 * h) - d[i]) / (1 + std::fabs(d[i])));
    }
    std::printf("float: %s\n", worst < 1e-2 ? "right" : "WRONG");
    bad += worst >= 1e-2;
  }
  std::printf("%d wrong\n", bad);
  return bad;
}
