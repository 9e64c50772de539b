; A derivative that only one kernel calls becomes a part of it, also a large one: what pointers lead to is known there.
; RUN: python3 %S/Inputs/large_derivative.py ptx_kernel 1 > %t.one.ll
; RUN: python3 %S/Inputs/large_derivative.py ptx_kernel 2 > %t.two.ll
; RUN: python3 %S/Inputs/large_derivative.py "" 1 > %t.function.ll
; RUN: %opt -passes='assay-tidy<inline-derivatives>' %t.one.ll | %check %s --check-prefix=ONE
; RUN: %opt -passes='assay-tidy<inline-derivatives>' %t.two.ll | %check %s --check-prefix=CALLED
; RUN: %opt -passes='assay-tidy<inline-derivatives>' %t.function.ll | %check %s --check-prefix=CALLED

; ONE-NOT: {{ call }}
; CALLED:  call void @diffe.f(
