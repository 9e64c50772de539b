; Intrinsics of vectors that have no derivative of their own become general operations.
; RUN: %opt -passes='assay-prepare<vector-intrinsics>' %s | %check %s

declare double @llvm.vector.reduce.fmax.v2f64(<2 x double>)
declare <4 x float> @llvm.x86.avx.vpermilvar.ps(<4 x float>, <4 x i32>)
declare <2 x double> @llvm.fma.v2f64(<2 x double>, <2 x double>, <2 x double>)

; CHECK-LABEL: define double @largest(
; CHECK-NEXT:    [[A:%.*]] = extractelement <2 x double> %v, i64 0
; CHECK-NEXT:    [[B:%.*]] = extractelement <2 x double> %v, i64 1
; CHECK-NEXT:    call double @llvm.maxnum.f64(double [[A]], double [[B]])
define double @largest(<2 x double> %v) {
  %y = call double @llvm.vector.reduce.fmax.v2f64(<2 x double> %v)
  ret double %y
}

; CHECK-LABEL: define <4 x float> @permuted(
; CHECK-NOT:     @llvm.x86
; CHECK:         insertelement <4 x float> {{.*}}, i64 3
; CHECK-NEXT:    ret
define <4 x float> @permuted(<4 x float> %v, <4 x i32> %control) {
  %y = call <4 x float> @llvm.x86.avx.vpermilvar.ps(<4 x float> %v, <4 x i32> %control)
  ret <4 x float> %y
}

; CHECK-LABEL: define <2 x double> @fused(
; CHECK-NEXT:    call <2 x double> @llvm.fma.v2f64(
define <2 x double> @fused(<2 x double> %a, <2 x double> %b, <2 x double> %c) {
  %y = call <2 x double> @llvm.fma.v2f64(<2 x double> %a, <2 x double> %b, <2 x double> %c)
  ret <2 x double> %y
}
