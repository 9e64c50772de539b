; Stack memory of variable size becomes heap memory, released where its scope ends, or marked where that is no one place.
; RUN: %opt -passes='assay-prepare<dynamic-stack>' %s | %check %s

declare void @use(ptr)

; CHECK-LABEL: define void @array_of_variable_length(
; CHECK-NEXT:    [[BYTES:%.*]] = mul i64 %n, 8
; CHECK-NEXT:    [[MEMORY:%.*]] = call noalias ptr @malloc(i64 [[BYTES]])
; CHECK-NEXT:    call void @use(ptr [[MEMORY]])
; CHECK-NEXT:    call void @free(ptr [[MEMORY]])
; CHECK-NEXT:    ret void
define void @array_of_variable_length(i64 %n) {
  %memory = alloca double, i64 %n
  call void @use(ptr %memory)
  ret void
}

; CHECK-LABEL: define void @any_number_of_pieces(
; CHECK:       loop:
; CHECK:         call noalias ptr @malloc(i64 {{.*}}) [[MARKED:#[0-9]+]]
; CHECK-NOT:     @free
; CHECK:         ret void
define void @any_number_of_pieces(i64 %n, i1 %more) {
  br label %loop
loop:
  %memory = alloca double, i64 %n
  call void @use(ptr %memory)
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @of_constant_size(
; CHECK-NEXT:    %memory = alloca double, i64 4
define void @of_constant_size() {
  %memory = alloca double, i64 4
  call void @use(ptr %memory)
  ret void
}

; CHECK: attributes [[MARKED]] = { "assay.stack" }
