; A number that is made by arithmetic on the bits of another says its derivative; one that cannot be followed stays.
; RUN: %opt -passes='assay-prepare<float-bits>' %s | %check %s

; CHECK-LABEL: define double @scales_by_a_power_of_two(
; CHECK:         call double @assay.linear.{{.*}}(double {{.*}}, double {{.*}}, double %x)
define double @scales_by_a_power_of_two(double %x, i64 %k) {
  %bits = bitcast double %x to i64
  %exponent = shl i64 %k, 52
  %sum = add i64 %bits, %exponent
  %y = bitcast i64 %sum to double
  ret double %y
}

; CHECK-LABEL: define double @hashes(
; CHECK-NOT:     @assay.linear
; CHECK:         ret double
define double @hashes(double %x) {
  %bits = bitcast double %x to i64
  %square = mul i64 %bits, %bits
  %y = bitcast i64 %square to double
  ret double %y
}

; CHECK-LABEL: define double @computes(
; CHECK-NEXT:    fmul double %x, %x
define double @computes(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

; The number of the bits is an integer at times, which is told by a slope of zero: its tangent may be no number then.
; CHECK-LABEL: define double @integer_or_float(
; CHECK:         [[SLOPE:%.*]] = select i1 {{%.*}}, double 0.000000e+00, double
; CHECK-NEXT:    [[NUMBER:%.*]] = fpext float %x to double
; CHECK-NEXT:    [[FLAT:%.*]] = fcmp oeq double [[SLOPE]], 0.000000e+00
; CHECK-NEXT:    [[OWN:%.*]] = select i1 [[FLAT]], double 0.000000e+00, double [[NUMBER]]
; CHECK-NEXT:    call double @assay.linear.{{.*}}(double {{%.*}}, double [[SLOPE]], double [[OWN]])
define double @integer_or_float(float %x) {
  %bits = bitcast float %x to i32
  %n = sitofp i32 %bits to double
  ret double %n
}
