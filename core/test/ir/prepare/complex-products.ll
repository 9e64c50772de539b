; Products of complex numbers with the test for NaN become one function, and their parts are named where it began.
; RUN: %opt -passes='assay-prepare<complex-products>' %s | %check %s

declare { double, double } @__muldc3(double, double, double, double)
declare <2 x float> @__mulsc3(float, float, float, float)

; CHECK-LABEL: define double @product(
; CHECK:         [[PAIR:%.*]] = call { double, double } @assay.primal.product.double(double %a, double %b, double %c, double %d)
; CHECK:         call double @assay.complex.multiply.real.double(
; CHECK:         call double @assay.complex.multiply.imag.double(
; CHECK-NEXT:    br label %end
; CHECK-NOT:     @assay.primal.__muldc3
; CHECK:         ret double
define double @product(double %a, double %b, double %c, double %d) {
  %ac = fmul double %a, %c
  %bd = fmul double %b, %d
  %ad = fmul double %a, %d
  %bc = fmul double %b, %c
  %re = fsub double %ac, %bd
  %im = fadd double %bc, %ad
  %re.nan = fcmp uno double %re, %re
  br i1 %re.nan, label %second, label %end
second:
  %im.nan = fcmp uno double %im, 0.0
  br i1 %im.nan, label %library, label %end
library:
  %whole = call { double, double } @assay.primal.__muldc3(double %a, double %b, double %c, double %d)
  %u = extractvalue { double, double } %whole, 0
  %v = extractvalue { double, double } %whole, 1
  %real = call double @assay.complex.multiply.real.double(double %u, double %v, double %a, double %b, double %c, double %d)
  %imag = call double @assay.complex.multiply.imag.double(double %u, double %v, double %a, double %b, double %c, double %d)
  br label %end
end:
  %x = phi double [ %re, %0 ], [ %re, %second ], [ %real, %library ]
  %y = phi double [ %im, %0 ], [ %im, %second ], [ %imag, %library ]
  %sum = fadd double %x, %y
  ret double %sum
}

; One test for both, pairs in vectors, and a path beside the product.
; CHECK-LABEL: define float @beside(
; CHECK:         br i1 %any, label %start, label %end
; CHECK:         call <2 x float> @assay.primal.product.float(
; CHECK:         [[REAL:%.*]] = call float @assay.complex.multiply.real.float(
; CHECK:         phi float
; CHECK-SAME:    [ %a, %0 ]
define float @beside(float %a, float %b, float %c, float %d, i1 %any) {
  br i1 %any, label %start, label %end
start:
  %ac = fmul float %a, %c
  %bd = fmul float %b, %d
  %ad = fmul float %a, %d
  %bc = fmul float %b, %c
  %re = fsub float %ac, %bd
  %im = fadd float %ad, %bc
  %re.nan = fcmp uno float %re, 0.0
  %im.nan = fcmp uno float %im, 0.0
  %both = and i1 %re.nan, %im.nan
  br i1 %both, label %library, label %end
library:
  %whole = call <2 x float> @assay.primal.__mulsc3(float %a, float %b, float %c, float %d)
  %u = extractelement <2 x float> %whole, i64 0
  %v = extractelement <2 x float> %whole, i64 1
  %real = call float @assay.complex.multiply.real.float(float %u, float %v, float %a, float %b, float %c, float %d)
  %imag = call float @assay.complex.multiply.imag.float(float %u, float %v, float %a, float %b, float %c, float %d)
  br label %end
end:
  %x = phi float [ %a, %0 ], [ %re, %start ], [ %real, %library ]
  %y = phi float [ %b, %0 ], [ %im, %start ], [ %imag, %library ]
  %sum = fadd float %x, %y
  ret float %sum
}

; Another sum than that of a product.
; CHECK-LABEL: define double @conjugate(
; CHECK:         @assay.primal.__muldc3
; CHECK-NOT:     @assay.primal.product
; CHECK:         ret double
define double @conjugate(double %a, double %b, double %c, double %d) {
  %ac = fmul double %a, %c
  %bd = fmul double %b, %d
  %ad = fmul double %a, %d
  %bc = fmul double %b, %c
  %re = fadd double %ac, %bd
  %im = fadd double %bc, %ad
  %re.nan = fcmp uno double %re, %re
  br i1 %re.nan, label %second, label %end
second:
  %im.nan = fcmp uno double %im, 0.0
  br i1 %im.nan, label %library, label %end
library:
  %whole = call { double, double } @assay.primal.__muldc3(double %a, double %b, double %c, double %d)
  %u = extractvalue { double, double } %whole, 0
  %v = extractvalue { double, double } %whole, 1
  %real = call double @assay.complex.multiply.real.double(double %u, double %v, double %a, double %b, double %c, double %d)
  %imag = call double @assay.complex.multiply.imag.double(double %u, double %v, double %a, double %b, double %c, double %d)
  br label %end
end:
  %x = phi double [ %re, %0 ], [ %re, %second ], [ %real, %library ]
  %y = phi double [ %im, %0 ], [ %im, %second ], [ %imag, %library ]
  %sum = fadd double %x, %y
  ret double %sum
}

; More happens beside the call.
; CHECK-LABEL: define double @counted(
; CHECK:         @assay.primal.__muldc3
; CHECK-NOT:     @assay.primal.product
; CHECK:         ret double
define double @counted(double %a, double %b, double %c, double %d, ptr %count) {
  %ac = fmul double %a, %c
  %bd = fmul double %b, %d
  %ad = fmul double %a, %d
  %bc = fmul double %b, %c
  %re = fsub double %ac, %bd
  %im = fadd double %bc, %ad
  %re.nan = fcmp uno double %re, %re
  br i1 %re.nan, label %second, label %end
second:
  %im.nan = fcmp uno double %im, 0.0
  br i1 %im.nan, label %library, label %end
library:
  store i32 1, ptr %count
  %whole = call { double, double } @assay.primal.__muldc3(double %a, double %b, double %c, double %d)
  %u = extractvalue { double, double } %whole, 0
  %v = extractvalue { double, double } %whole, 1
  %real = call double @assay.complex.multiply.real.double(double %u, double %v, double %a, double %b, double %c, double %d)
  %imag = call double @assay.complex.multiply.imag.double(double %u, double %v, double %a, double %b, double %c, double %d)
  br label %end
end:
  %x = phi double [ %re, %0 ], [ %re, %second ], [ %real, %library ]
  %y = phi double [ %im, %0 ], [ %im, %second ], [ %imag, %library ]
  %sum = fadd double %x, %y
  ret double %sum
}

; The paths are the same, but another number is there on one of them.
; CHECK-LABEL: define double @other_number(
; CHECK:         @assay.primal.__muldc3
; CHECK-NOT:     @assay.primal.product
; CHECK:         ret double
define double @other_number(double %a, double %b, double %c, double %d) {
  %ac = fmul double %a, %c
  %bd = fmul double %b, %d
  %ad = fmul double %a, %d
  %bc = fmul double %b, %c
  %re = fsub double %ac, %bd
  %im = fadd double %bc, %ad
  %re.nan = fcmp uno double %re, %re
  br i1 %re.nan, label %second, label %end
second:
  %im.nan = fcmp uno double %im, 0.0
  br i1 %im.nan, label %library, label %end
library:
  %whole = call { double, double } @assay.primal.__muldc3(double %a, double %b, double %c, double %d)
  %u = extractvalue { double, double } %whole, 0
  %v = extractvalue { double, double } %whole, 1
  %real = call double @assay.complex.multiply.real.double(double %u, double %v, double %a, double %b, double %c, double %d)
  %imag = call double @assay.complex.multiply.imag.double(double %u, double %v, double %a, double %b, double %c, double %d)
  br label %end
end:
  %x = phi double [ %re, %0 ], [ %re, %second ], [ %real, %library ]
  %y = phi double [ %im, %0 ], [ 1.0, %second ], [ %imag, %library ]
  %sum = fadd double %x, %y
  ret double %sum
}

define internal { double, double } @assay.primal.__muldc3(double %a, double %b, double %c, double %d) memory(none) {
  %r = call { double, double } @__muldc3(double %a, double %b, double %c, double %d)
  ret { double, double } %r
}
define internal <2 x float> @assay.primal.__mulsc3(float %a, float %b, float %c, float %d) memory(none) {
  %r = call <2 x float> @__mulsc3(float %a, float %b, float %c, float %d)
  ret <2 x float> %r
}
define internal double @assay.complex.multiply.real.double(double %u, double %v, double, double, double, double) memory(none) {
  ret double %u
}
define internal double @assay.complex.multiply.imag.double(double %u, double %v, double, double, double, double) memory(none) {
  ret double %v
}
define internal float @assay.complex.multiply.real.float(float %u, float %v, float, float, float, float) memory(none) {
  ret float %u
}
define internal float @assay.complex.multiply.imag.float(float %u, float %v, float, float, float, float) memory(none) {
  ret float %v
}
