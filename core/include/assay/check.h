#ifndef ASSAY_CHECK_H
#define ASSAY_CHECK_H
/* Marks a function whose derivatives `assay check FILE` is to check; for C and C++, at file or namespace scope:
 *
 *     double dot(const double *x, const double *y, int n);
 *     ASSAY_CHECK(dot, "double[8]", "double[8]", "int=8");
 *
 * The strings describe the parameters in order, as --arg does: [const ]TYPE[=VALUE][:DOMAIN], or "double[8] alias=x"
 * for a pointer to the memory of x. Parameters that are all floating-point scalars need none: ASSAY_CHECK(rosenbrock);
 *
 * ASSAY_CHECK_FAILS marks a function whose derivative is wrong on purpose: the check passes if it finds that.
 *
 * A mark is a small constant table in a section of its own: {kind, name, function, spec..., null}. It costs a program
 * nothing at run time. Without clang or gcc it is nothing at all.
 */

#if defined(__clang__) || defined(__GNUC__)
#define ASSAY_CHECK_JOIN_(a, b) a##b
#define ASSAY_CHECK_JOIN(a, b) ASSAY_CHECK_JOIN_(a, b)
/* clang 22 calls __COUNTER__ an extension; line numbers alone are not unique where headers hold marks too. */
#if defined(__clang__) && __clang_major__ >= 22
#define ASSAY_CHECK_QUIET _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc2y-extensions\"")
#define ASSAY_CHECK_QUIET_END _Pragma("clang diagnostic pop")
#else
#define ASSAY_CHECK_QUIET
#define ASSAY_CHECK_QUIET_END
#endif
#define ASSAY_CHECK_MARK(kind, function, ...)                                                                          \
  ASSAY_CHECK_QUIET static const void *const ASSAY_CHECK_JOIN(assay_check_mark_, __COUNTER__)[]                        \
      __attribute__((used, section("assay_check"))) = {kind, #function, (const void *)(function),                      \
                                                       __VA_ARGS__} ASSAY_CHECK_QUIET_END
/* The first argument is the function, what follows are the strings; the null also ends a list without any. */
#define ASSAY_CHECK(...) ASSAY_CHECK_MARK("passes", __VA_ARGS__, (const void *)0)
#define ASSAY_CHECK_FAILS(...) ASSAY_CHECK_MARK("fails", __VA_ARGS__, (const void *)0)
#else
#define ASSAY_CHECK(...) struct assay_check_nothing
#define ASSAY_CHECK_FAILS(...) struct assay_check_nothing
#endif

#endif
