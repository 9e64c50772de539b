#pragma once
// Further functions of numbers of 16 bits: comparisons of pairs, results held within 0 and 1, conversions of integers.

// ASSAY_HALF_COMPARED(one, pair, sign, name): `name2` gives 1 or 0 for each, `hb...2` whether both; with a `u` they are
// true of what is not a number as well; `name2_mask` gives set bits.
#define ASSAY_HALF_COMPARED(one, pair, sign, name)                                                                     \
  ASSAY_HALF_INLINE bool __h##name##u(one a, one b) {                                                                  \
    return __hisnan(a) || __hisnan(b) || __h##name(a, b);                                                              \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __h##name##2(pair a, pair b) {                                                                \
    return pair(one(__h##name(a.x, b.x) ? 1.0f : 0.0f), one(__h##name(a.y, b.y) ? 1.0f : 0.0f));                       \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __h##name##u2(pair a, pair b) {                                                               \
    return pair(one(__h##name##u(a.x, b.x) ? 1.0f : 0.0f), one(__h##name##u(a.y, b.y) ? 1.0f : 0.0f));                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE bool __hb##name##2(pair a, pair b) {                                                               \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE bool __hb##name##u2(pair a, pair b) {                                                              \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE unsigned __h##name##2_mask(pair a, pair b) {                                                       \
    return (__h##name(a.x, b.x) ? 0xffffU : 0U) | (__h##name(a.y, b.y) ? 0xffff0000U : 0U);                            \
  }                                                                                                                    \
  ASSAY_HALF_INLINE unsigned __h##name##u2_mask(pair a, pair b) {                                                      \
    return (__h##name##u(a.x, b.x) ? 0xffffU : 0U) | (__h##name##u(a.y, b.y) ? 0xffff0000U : 0U);                      \
  }

// Of two numbers, held within 0 and 1; what is not a number becomes 0.
#define ASSAY_HALF_SATURATED(one, pair, name)                                                                          \
  ASSAY_HALF_INLINE one name##_sat(one a, one b) {                                                                     \
    return ASSAY_HALF_WITHIN(one, name(a, b));                                                                         \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair name##2_sat(pair a, pair b) {                                                                 \
    return pair(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair name##2_rn(pair a, pair b) {                                                                  \
    return pair(name(a.x, b.x), name(a.y, b.y));                                                                       \
  }
#define ASSAY_HALF_WITHIN(one, value) one(__builtin_fminf(__builtin_fmaxf(static_cast<float>(value), 0.0f), 1.0f))

#define ASSAY_HALF_FURTHER(one, pair)                                                                                  \
  ASSAY_HALF_COMPARED(one, pair, ==, eq)                                                                               \
  ASSAY_HALF_COMPARED(one, pair, !=, ne)                                                                               \
  ASSAY_HALF_COMPARED(one, pair, <, lt)                                                                                \
  ASSAY_HALF_COMPARED(one, pair, <=, le)                                                                               \
  ASSAY_HALF_COMPARED(one, pair, >, gt)                                                                                \
  ASSAY_HALF_COMPARED(one, pair, >=, ge)                                                                               \
  ASSAY_HALF_SATURATED(one, pair, __hadd)                                                                              \
  ASSAY_HALF_SATURATED(one, pair, __hsub)                                                                              \
  ASSAY_HALF_SATURATED(one, pair, __hmul)                                                                              \
  ASSAY_HALF_INLINE one __hfma_sat(one a, one b, one c) {                                                              \
    return ASSAY_HALF_WITHIN(one, __hfma(a, b, c));                                                                    \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hfma2_sat(pair a, pair b, pair c) {                                                         \
    return pair(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                                                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __hfma_relu(one a, one b, one c) {                                                             \
    const one sum = __hfma(a, b, c);                                                                                   \
    return __hlt(sum, one(0.0f)) ? one(0.0f) : sum;                                                                    \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hfma2_relu(pair a, pair b, pair c) {                                                        \
    return pair(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                                               \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hcmadd(pair a, pair b, pair c) { /* of complex numbers */                                   \
    return pair(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                    \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __hmax_nan(one a, one b) {                                                                     \
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __hmin_nan(one a, one b) {                                                                     \
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hmax2_nan(pair a, pair b) {                                                                 \
    return pair(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hmin2_nan(pair a, pair b) {                                                                 \
    return pair(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE int __hisinf(one a) {                                                                              \
    const float x = static_cast<float>(a);                                                                             \
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;                                                \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hisnan2(pair a) {                                                                           \
    return pair(one(__hisnan(a.x) ? 1.0f : 0.0f), one(__hisnan(a.y) ? 1.0f : 0.0f));                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one &operator++(one &a) {                                                                          \
    return a = __hadd(a, one(1.0f));                                                                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one &operator--(one &a) {                                                                          \
    return a = __hsub(a, one(1.0f));                                                                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one operator++(one &a, int) {                                                                      \
    const one before = a;                                                                                              \
    ++a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one operator--(one &a, int) {                                                                      \
    const one before = a;                                                                                              \
    --a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one operator+(const one &a) {                                                                      \
    return a;                                                                                                          \
  }

// ASSAY_HALF_INTEGERS(one, name): __half2short_rd, __ull2half_rn and relatives; those of int that are not here have
// their place among the conversions.
#define ASSAY_HALF_TO_INTEGER(one, name, type, type_name)                                                              \
  ASSAY_HALF_INLINE type __##name##2##type_name##_rd(one a) {                                                          \
    return static_cast<type>(__builtin_floorf(static_cast<float>(a)));                                                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE type __##name##2##type_name##_ru(one a) {                                                          \
    return static_cast<type>(__builtin_ceilf(static_cast<float>(a)));                                                  \
  }
#define ASSAY_HALF_INTEGER(one, name, type, type_name)                                                                 \
  ASSAY_HALF_TO_INTEGER(one, name, type, type_name)                                                                    \
  ASSAY_HALF_INLINE type __##name##2##type_name##_rn(one a) {                                                          \
    return static_cast<type>(__builtin_rintf(static_cast<float>(a)));                                                  \
  }                                                                                                                    \
  ASSAY_HALF_INLINE type __##name##2##type_name##_rz(one a) {                                                          \
    return static_cast<type>(static_cast<float>(a));                                                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __##type_name##2##name##_rn(type a) {                                                          \
    return one(static_cast<float>(a));                                                                                 \
  }
#define ASSAY_HALF_INTEGERS(one, name)                                                                                 \
  ASSAY_HALF_TO_INTEGER(one, name, int, int)                                                                           \
  ASSAY_HALF_INTEGER(one, name, unsigned, uint)                                                                        \
  ASSAY_HALF_INTEGER(one, name, short, short)                                                                          \
  ASSAY_HALF_INTEGER(one, name, unsigned short, ushort)                                                                \
  ASSAY_HALF_INTEGER(one, name, long long, ll)                                                                         \
  ASSAY_HALF_INTEGER(one, name, unsigned long long, ull)

// ASSAY_HALF_ROUNDED(one, name): __float2half_rd and relatives: the neighbour of the nearest number on that side.
#define ASSAY_HALF_ROUNDED(one, name)                                                                                  \
  ASSAY_HALF_INLINE one __##name##_beside(one nearest, bool upwards) {                                                 \
    auto bits = __builtin_bit_cast(unsigned short, nearest);                                                           \
    if ((bits & 0x7fffU) == 0)                                                                                         \
      bits = upwards ? 1 : 0x8001;                                                                                     \
    else                                                                                                               \
      bits = static_cast<unsigned short>(upwards == ((bits & 0x8000U) == 0) ? bits + 1 : bits - 1);                    \
    return __builtin_bit_cast(one, bits);                                                                              \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __float2##name##_rd(float a) {                                                                 \
    const one nearest(a);                                                                                              \
    return static_cast<float>(nearest) > a ? __##name##_beside(nearest, false) : nearest;                              \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __float2##name##_ru(float a) {                                                                 \
    const one nearest(a);                                                                                              \
    return static_cast<float>(nearest) < a ? __##name##_beside(nearest, true) : nearest;                               \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __float2##name##_rz(float a) {                                                                 \
    return a < 0 ? __float2##name##_ru(a) : __float2##name##_rd(a);                                                    \
  }

// ASSAY_HALF_PAIRS(pair, pair_name): the first, or the second, numbers of two pairs.
#define ASSAY_HALF_PAIRS(pair, pair_name)                                                                              \
  ASSAY_HALF_INLINE pair __lows2##pair_name(pair a, pair b) {                                                          \
    return pair(a.x, b.x);                                                                                             \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __highs2##pair_name(pair a, pair b) {                                                         \
    return pair(a.y, b.y);                                                                                             \
  }

#define ASSAY_HALF_ALL_FURTHER(one, pair, name, pair_name)                                                             \
  ASSAY_HALF_FURTHER(one, pair)                                                                                        \
  ASSAY_HALF_INTEGERS(one, name)                                                                                       \
  ASSAY_HALF_ROUNDED(one, name)                                                                                        \
  ASSAY_HALF_PAIRS(pair, pair_name)
