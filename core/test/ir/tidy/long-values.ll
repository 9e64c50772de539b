; A value of a very long block is loaded again where it is used far away; in a short one it stays a value.
; RUN: python3 %S/Inputs/long_block.py 3000 > %t.long.ll
; RUN: python3 %S/Inputs/long_block.py 300 > %t.short.ll
; RUN: %opt -passes='assay-tidy<long-values>' %t.long.ll | %check %s --check-prefix=LONG
; RUN: %opt -passes='assay-tidy<long-values>' %t.short.ll | %check %s --check-prefix=SHORT

; LONG:       %early = fadd double %x, 1.000000e+00
; LONG:       store double %early, ptr [[PLACE:%.*]]
; LONG:       [[AGAIN:%.*]] = load double, ptr [[PLACE]]
; LONG-NEXT:  %sum = fadd double [[AGAIN]],

; SHORT-NOT:  alloca
; SHORT:      %sum = fadd double %early,
