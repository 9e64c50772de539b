// The interfaces of BLAS, for one type of numbers: those of C, with the order of storage as the first argument, and of
// Fortran, where every argument is an address. REAL is the type and LETTER its letter in names.
#pragma once
#include "core/engine/library/node.h"
#include <stddef.h>

#define OF_C(name) __asm__("cblas_" LETTER name)
#define OF_FORTRAN(name) __asm__(LETTER name "_")
