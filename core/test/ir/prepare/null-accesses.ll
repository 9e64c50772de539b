; A path that would access a field behind a null pointer ends there.
; RUN: %opt -passes='assay-prepare<null-accesses>' %s | %check %s

; CHECK-LABEL: define double @field_behind_null(
; CHECK-NEXT:    call void @llvm.trap()
; CHECK-NEXT:    unreachable
define double @field_behind_null() {
  %x = load double, ptr inttoptr (i64 16 to ptr)
  ret double %x
}

; CHECK-LABEL: define double @address_of_a_device(
; CHECK-NEXT:    load double, ptr inttoptr (i64 65536 to ptr)
define double @address_of_a_device() {
  %x = load double, ptr inttoptr (i64 65536 to ptr)
  ret double %x
}

; CHECK-LABEL: define double @where_null_is_an_address(
; CHECK-NEXT:    load double, ptr null
define double @where_null_is_an_address() null_pointer_is_valid {
  %x = load double, ptr null
  ret double %x
}
