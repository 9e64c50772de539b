// What ends a program that reaches code of flang's run-time library of which there is no derivative.
#include "core/engine/library/node.h"

extern int dprintf(int, const char *, ...);

__attribute__((noreturn, cold)) void stop_unsupported(const char *what) BODY_OF(assay_fortran_unsupported);
void stop_unsupported(const char *what) {
  dprintf(2, "assay: %s has no derivative; write it as a loop over the components\n", what);
  __builtin_abort();
}
