; Integer operations on the sign of a number become operations on the number.
; RUN: %opt -passes='assay-prepare<sign-bits>' %s | %check %s

; CHECK-LABEL: define double @clears(
; CHECK:         call double @llvm.fabs.f64(double
; CHECK-NOT:     and i64
; CHECK:         ret double
define double @clears(double %x) {
  %bits = bitcast double %x to i64
  %cleared = and i64 %bits, 9223372036854775807
  %y = bitcast i64 %cleared to double
  ret double %y
}

; CHECK-LABEL: define double @flips(
; CHECK:         fneg double
; CHECK-NOT:     xor i64
; CHECK:         ret double
define double @flips(double %x) {
  %bits = bitcast double %x to i64
  %flipped = xor i64 %bits, -9223372036854775808
  %y = bitcast i64 %flipped to double
  ret double %y
}

; CHECK-LABEL: define <2 x double> @flips_one_lane(
; CHECK:         [[FLIPPED:%.*]] = fneg <2 x double>
; CHECK-NEXT:    shufflevector <2 x double> {{.*}}, <2 x double> [[FLIPPED]], <2 x i32> <i32 0, i32 3>
define <2 x double> @flips_one_lane(<2 x double> %x) {
  %bits = bitcast <2 x double> %x to <2 x i64>
  %flipped = xor <2 x i64> %bits, <i64 0, i64 -9223372036854775808>
  %y = bitcast <2 x i64> %flipped to <2 x double>
  ret <2 x double> %y
}

; CHECK-LABEL: define double @clears_other_bits(
; CHECK:         and i64 %bits, -256
define double @clears_other_bits(double %x) {
  %bits = bitcast double %x to i64
  %cleared = and i64 %bits, -256
  %y = bitcast i64 %cleared to double
  ret double %y
}

; CHECK-LABEL: define i64 @of_an_integer(
; CHECK-NEXT:    and i64 %n, 9223372036854775807
define i64 @of_an_integer(i64 %n) {
  %cleared = and i64 %n, 9223372036854775807
  ret i64 %cleared
}

; Complex numbers that are negated as integers, in one array and into another.
; CHECK-LABEL: define void @of_complex_numbers(
; CHECK:         fneg <2 x double>
; CHECK-NOT:     xor <2 x i64>
%complex = type { { double, double } }
define void @of_complex_numbers(ptr %x, ptr %y, i64 %i) {
  %from = getelementptr i8, ptr %x, i64 %i
  %to = getelementptr %complex, ptr %y, i64 %i
  %bits = load <2 x i64>, ptr %from
  %flipped = xor <2 x i64> %bits, splat (i64 -9223372036854775808)
  store <2 x i64> %flipped, ptr %to
  ret void
}

; CHECK-LABEL: define void @of_records(
; CHECK:         xor i64
%record = type { double, ptr }
define void @of_records(ptr %x, i64 %i) {
  %place = getelementptr %record, ptr %x, i64 %i
  %bits = load i64, ptr %place
  %flipped = xor i64 %bits, -9223372036854775808
  store i64 %flipped, ptr %place
  ret void
}
