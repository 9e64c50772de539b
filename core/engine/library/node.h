#pragma once
// A function of this folder takes the place of the declaration with the given (mangled) name.
#define BODY_OF(name) __asm__(#name)
