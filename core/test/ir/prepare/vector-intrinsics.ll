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

declare <8 x double> @llvm.x86.avx512.vfmaddsub.pd.512(<8 x double>, <8 x double>, <8 x double>, i32)
declare <8 x double> @llvm.x86.avx512.add.pd.512(<8 x double>, <8 x double>, i32)
declare <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double>, <8 x double>, i8)
declare <8 x float> @llvm.x86.avx512.mask.cvtpd2ps.512(<8 x double>, <8 x float>, i8, i32)
declare <8 x double> @llvm.x86.avx512.mask.compress.v8f64(<8 x double>, <8 x double>, <8 x i1>)

; CHECK-LABEL: define <8 x double> @alternating(
; CHECK:         call <8 x double> @llvm.fma.v8f64(
; CHECK:         call <8 x double> @llvm.fma.v8f64(
; CHECK-NEXT:    shufflevector
define <8 x double> @alternating(<8 x double> %a, <8 x double> %b, <8 x double> %c) {
  %y = call <8 x double> @llvm.x86.avx512.vfmaddsub.pd.512(<8 x double> %a, <8 x double> %b, <8 x double> %c, i32 4)
  ret <8 x double> %y
}

; Upwards, whatever mode the program is in.
; CHECK-LABEL: define <8 x double> @rounded_up(
; CHECK-NEXT:    call <8 x double> @llvm.x86.avx512.add.pd.512(
define <8 x double> @rounded_up(<8 x double> %a, <8 x double> %b) {
  %y = call <8 x double> @llvm.x86.avx512.add.pd.512(<8 x double> %a, <8 x double> %b, i32 10)
  ret <8 x double> %y
}

; CHECK-LABEL: define <8 x double> @masked_root(
; CHECK-NEXT:    [[ALL:%.*]] = call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> %a, <8 x double> zeroinitializer, i8 -1)
; CHECK-NEXT:    [[LANES:%.*]] = bitcast i8 %mask to <8 x i1>
; CHECK-NEXT:    select <8 x i1> [[LANES]], <8 x double> [[ALL]], <8 x double> %b
define <8 x double> @masked_root(<8 x double> %a, <8 x double> %b, i8 %mask) {
  %y = call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> %a, <8 x double> %b, i8 %mask)
  ret <8 x double> %y
}

; CHECK-LABEL: define <8 x float> @narrowed(
; CHECK-NEXT:    [[NARROW:%.*]] = fptrunc <8 x double> %a to <8 x float>
; CHECK-NEXT:    ret <8 x float> [[NARROW]]
define <8 x float> @narrowed(<8 x double> %a) {
  %y = call <8 x float> @llvm.x86.avx512.mask.cvtpd2ps.512(<8 x double> %a, <8 x float> zeroinitializer, i8 -1, i32 4)
  ret <8 x float> %y
}

; CHECK-LABEL: define <8 x double> @compressed(
; CHECK-NOT:     @llvm.x86
; CHECK:         insertelement <8 x double>
; CHECK:         ret
define <8 x double> @compressed(<8 x double> %a, <8 x double> %b, <8 x i1> %mask) {
  %y = call <8 x double> @llvm.x86.avx512.mask.compress.v8f64(<8 x double> %a, <8 x double> %b, <8 x i1> %mask)
  ret <8 x double> %y
}
