; An integer load of which parts become floats is a load of each part as what it is.
; RUN: %opt -passes='assay-prepare<split-loads>' %s | %check %s

; CHECK-LABEL: define float @double_or_float(
; CHECK-NOT:     load i64
; CHECK:         [[LOW:%.*]] = load i32, ptr
; CHECK-NEXT:    [[FLOAT:%.*]] = bitcast i32 [[LOW]] to float
; CHECK-NEXT:    ret float [[FLOAT]]
define float @double_or_float(ptr %p) {
  %both = load i64, ptr %p
  %low = trunc i64 %both to i32
  %float = bitcast i32 %low to float
  ret float %float
}

; CHECK-LABEL: define i64 @integer(
; CHECK-NEXT:    load i64, ptr %p
define i64 @integer(ptr %p) {
  %n = load i64, ptr %p
  %low = trunc i64 %n to i32
  %wide = zext i32 %low to i64
  %sum = add i64 %wide, %n
  ret i64 %sum
}

; CHECK-LABEL: define float @seen_by_others(
; CHECK-NEXT:    load volatile i64, ptr %p
define float @seen_by_others(ptr %p) {
  %both = load volatile i64, ptr %p
  %low = trunc i64 %both to i32
  %float = bitcast i32 %low to float
  ret float %float
}
