#include "generators/programs/wide_vectors.hpp"

namespace assay::gen::programs {

namespace {

constexpr const char *definitions = R"(
#define WIDE_OPERATION(N, NAME, SIGN) \
  static inline struct wide##N wide##N##_##NAME(struct wide##N a, struct wide##N b) { \
    for (int i = 0; i < N; ++i) a.e[i] = a.e[i] SIGN b.e[i]; \
    return a; \
  }
#define WIDE_VECTOR(N) \
  struct __attribute__((may_alias)) wide##N { long double e[N]; }; \
  WIDE_OPERATION(N, add, +) WIDE_OPERATION(N, subtract, -) WIDE_OPERATION(N, multiply, *) WIDE_OPERATION(N, divide, /) \
  static inline struct wide##N wide##N##_splat(long double x) { \
    struct wide##N a; \
    for (int i = 0; i < N; ++i) a.e[i] = x; \
    return a; \
  } \
  static inline struct wide##N wide##N##_shuffle(struct wide##N a, struct wide##N b, const int *from) { \
    struct wide##N c; \
    for (int i = 0; i < N; ++i) c.e[i] = from[i] < N ? a.e[from[i]] : b.e[from[i] - N]; \
    return c; \
  } \
  static inline struct wide##N wide##N##_map1(long double (*f)(long double), struct wide##N a) { \
    for (int i = 0; i < N; ++i) a.e[i] = f(a.e[i]); \
    return a; \
  } \
  static inline struct wide##N wide##N##_map2(long double (*f)(long double, long double), struct wide##N a, \
                                              struct wide##N b) { \
    for (int i = 0; i < N; ++i) a.e[i] = f(a.e[i], b.e[i]); \
    return a; \
  } \
  static inline struct wide##N wide##N##_map3(long double (*f)(long double, long double, long double), \
                                              struct wide##N a, struct wide##N b, struct wide##N c) { \
    for (int i = 0; i < N; ++i) a.e[i] = f(a.e[i], b.e[i], c.e[i]); \
    return a; \
  }
WIDE_VECTOR(2)
WIDE_VECTOR(4)
)";

} // namespace

std::string wide_vectors() {
  return definitions;
}

} // namespace assay::gen::programs
