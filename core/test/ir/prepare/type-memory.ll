; Loads, stores and copies get the types of what they move.
; RUN: %opt -passes='assay-prepare<type-memory>' %s | %check %s

; CHECK-LABEL: define double @moves_a_number_as_an_integer(
; CHECK-NEXT:    [[X:%.*]] = load double, ptr %p
; CHECK-NEXT:    store double [[X]], ptr %q
define double @moves_a_number_as_an_integer(ptr %p, ptr %q) {
  %bits = load i64, ptr %p
  store i64 %bits, ptr %q
  %x = load double, ptr %q
  ret double %x
}

; CHECK-LABEL: define double @copies_one_number(
; CHECK-NOT:     @llvm.memcpy
; CHECK:         load double, ptr %p
; CHECK:         store double
define double @copies_one_number(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  %x = load double, ptr %q
  ret double %x
}

; CHECK-LABEL: define double @copies_many_numbers(
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false), !assay.type [[DOUBLE:![0-9]+]]
define double @copies_many_numbers(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
  %place = getelementptr double, ptr %q, i64 %n
  %x = load double, ptr %place
  ret double %x
}

; CHECK-LABEL: define i64 @moves_an_integer(
; CHECK-NEXT:    %n = load i64, ptr %p
; CHECK-NEXT:    %m = mul i64 %n, 3
define i64 @moves_an_integer(ptr %p) {
  %n = load i64, ptr %p
  %m = mul i64 %n, 3
  ret i64 %m
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: define double @clears(
; CHECK-NOT:     @bzero
; CHECK:         call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
declare void @bzero(ptr, i64)
define double @clears(ptr %p, i64 %n) {
  call void @bzero(ptr %p, i64 %n)
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: define double @copies_to_the_end(
; CHECK-NOT:     @mempcpy
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
; CHECK-NEXT:    [[END:%.*]] = getelementptr i8, ptr %q, i64 %n
; CHECK-NEXT:    store double 1.000000e+00, ptr [[END]]
declare ptr @mempcpy(ptr, ptr, i64)
define double @copies_to_the_end(ptr %p, ptr %q, i64 %n) {
  %end = call ptr @mempcpy(ptr %q, ptr %p, i64 %n)
  store double 1.0, ptr %end
  %x = load double, ptr %q
  ret double %x
}

; A function of the program's own.
; CHECK-LABEL: define double @calls_a_name(
; CHECK:         call void @memset(ptr %p, double %x)
declare void @memset(ptr, double)
define double @calls_a_name(ptr %p, double %x) {
  call void @memset(ptr %p, double %x)
  ret double %x
}

; A word that is stored under the name of an address, from a place that holds two floats at times.
; CHECK-LABEL: define float @joins_floats_with_an_address(
; CHECK:         call void @llvm.memcpy.p0.p0.i64({{.*}}, ptr align 4 %p, i64 8, i1 false), !assay.type
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr{{.*}} %q, {{.*}}, i64 8, i1 false), !assay.type
; CHECK:         ret float
define float @joins_floats_with_an_address(i1 %c, ptr %p, ptr %q, ptr %r) {
  br i1 %c, label %floats, label %address
floats:
  %word = load i64, ptr %p
  %named = inttoptr i64 %word to ptr
  br label %end
address:
  %known = load ptr, ptr %p
  %x = load float, ptr %known
  br label %end
end:
  %joined = phi ptr [ %named, %floats ], [ %r, %address ]
  store ptr %joined, ptr %q
  %y = load float, ptr %p
  ret float %y
}

; Half an address, where the other half of the word is one of two floats.
; CHECK-LABEL: define float @moves_a_float_or_half_an_address(
; CHECK:         [[X:%.*]] = load float, ptr %p
; CHECK:         phi float
; CHECK:         ret float
define float @moves_a_float_or_half_an_address(i1 %c, ptr %p, ptr %q) {
  br i1 %c, label %one, label %other
one:
  %a = load i32, ptr %p
  br label %end
other:
  %word = ptrtoint ptr %q to i64
  %half = trunc i64 %word to i32
  br label %end
end:
  %bits = phi i32 [ %a, %one ], [ %half, %other ]
  store i32 %bits, ptr %q
  %y = load float, ptr %p
  ret float %y
}

; Constants where numbers and addresses stand in turn: what looks like a number is stored as one, the rest stays.
; CHECK-LABEL: define float @a_constant_beside_an_integer(
; CHECK:         store i32 2, ptr
; CHECK:         store float 1.250000e+00, ptr
; CHECK-NOT:     store i64
define float @a_constant_beside_an_integer(ptr %p, ptr %a, float %x) {
  store ptr %a, ptr %p
  %high = getelementptr i8, ptr %p, i64 4
  store float %x, ptr %high
  store i64 4584664420663164930, ptr %p
  %y = load float, ptr %high
  ret float %y
}

; CHECK-LABEL: define double @a_constant_double(
; CHECK:         store double 1.250000e+00, ptr
; CHECK:         store i64 5, ptr %p
define double @a_constant_double(ptr %p, ptr %a, double %x) {
  store ptr %a, ptr %p
  store double %x, ptr %p
  store i64 4608308318706860032, ptr %p
  %y = load double, ptr %p
  store i64 5, ptr %p
  ret double %y
}

; CHECK-LABEL: define float @zero_in_half_a_word(
; CHECK:         store float 0.000000e+00, ptr
; CHECK-NOT:     store i32
define float @zero_in_half_a_word(ptr %p, ptr %a, float %x) {
  store ptr %a, ptr %p
  store float %x, ptr %p
  store i32 0, ptr %p
  %y = load float, ptr %p
  ret float %y
}

; A variable of a union type that begins with a number is copied as that number, also where an address is stored in it.
; CHECK-LABEL: define double @copies_a_union_variable(
; CHECK-NOT:     store double {{.*}}, ptr %p
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %{{.*}}, i64 8, i1 false), !assay.type
define double @copies_a_union_variable(i1 %c, double %x, ptr %a, ptr %p) {
  %u = alloca double, align 8
  br i1 %c, label %number, label %address
number:
  store double %x, ptr %u, align 8
  br label %end
address:
  store ptr %a, ptr %u, align 8
  br label %end
end:
  %word = load double, ptr %u, align 8
  store double %word, ptr %p, align 8
  br i1 %c, label %read, label %follow
read:
  %y = load double, ptr %p, align 8
  ret double %y
follow:
  %b = load ptr, ptr %p, align 8
  %z = load double, ptr %b, align 8
  ret double %z
}

; A word beside numbers of an object may be padding, which nobody wrote: the access log of kernels has to know.
; CHECK-LABEL: define double @copies_an_object_with_padding(
; CHECK:         load float, ptr %p, align 8
; CHECK-NEXT:    [[GAP:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT:    load i32, ptr [[GAP]], align 4, {{.*}}!assay.piece_of_copy
define double @copies_an_object_with_padding(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 16, i1 false), !tbaa.struct !100
  %key = load float, ptr %q
  %place = getelementptr i8, ptr %q, i64 8
  %value = load double, ptr %place
  %wide = fpext float %key to double
  %x = fmul double %wide, %value
  ret double %x
}
!100 = !{i64 0, i64 4, !101, i64 8, i64 8, !102}
!101 = !{!103, !103, i64 0}
!102 = !{!104, !104, i64 0}
!103 = !{!"float", !105}
!104 = !{!"double", !105}
!105 = !{!"omnipotent char", !106}
!106 = !{!"Simple C++ TBAA"}

; Objects and numbers lie one behind the other in a block: what is copied into it is none of the integers of the objects,
; which may lie at any place.
; CHECK-LABEL: define double @copies_numbers_between_objects(
; CHECK-NOT:     load i64, ptr %x
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr %x, i64 96, i1 false)
define double @copies_numbers_between_objects(ptr %block, ptr %x) {
  %place = getelementptr i8, ptr %block, i64 8
  %memory = load ptr, ptr %place
  %used = load i64, ptr %block
  %object = getelementptr i8, ptr %memory, i64 %used
  store i64 12, ptr %object
  %behind = getelementptr i8, ptr %object, i64 24
  %pointer = getelementptr i8, ptr %object, i64 8
  store ptr %behind, ptr %pointer
  %parameter = getelementptr i8, ptr %object, i64 16
  store float 0.5, ptr %parameter
  %data = load ptr, ptr %pointer
  call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr %x, i64 96, i1 false)
  %result = load double, ptr %behind
  ret double %result
}

; What is read where parts of numbers are moved to is such a part.
; CHECK-LABEL: define void @moves_a_byte_of_a_number(
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}[[BETWEEN:%[a-z0-9.]+]], ptr {{.*}}%buffer, i64 1, i1 false), !assay.type [[BYTES:![0-9]+]]
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}%other, ptr {{.*}}[[BETWEEN]], i64 1, i1 false), !assay.type [[BYTES]]
; CHECK-NOT:     store i8
; CHECK:         ret void
define void @moves_a_byte_of_a_number(double %x, ptr %buffer, ptr %other) {
  %place = alloca double
  store double %x, ptr %place
  %second = getelementptr i8, ptr %place, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %buffer, ptr %second, i64 1, i1 false), !assay.type !{!"bytes"}
  %byte = load i8, ptr %buffer
  store i8 %byte, ptr %other
  ret void
}

; A number that is stored at once: the adjoint of the memory is cleared by its store.
; CHECK-LABEL: define double @stores_zero_atomically(
; CHECK:         store atomic double 0.000000e+00, ptr {{.*}} seq_cst, align 8
; CHECK:         store volatile double 2.000000e+00, ptr {{.*}}, align 8
define double @stores_zero_atomically(ptr %place, double %x) {
  store atomic i64 0, ptr %place seq_cst, align 8
  %before = load atomic double, ptr %place seq_cst, align 8
  %sum = fadd double %before, %x
  store atomic double %sum, ptr %place seq_cst, align 8
  store volatile i64 4611686018427387904, ptr %place, align 8
  ret double %sum
}

; Two numbers that are stored at once stay one store.
; CHECK-LABEL: define double @stores_two_zeros_atomically(
; CHECK:         store atomic i64 0, ptr %place seq_cst, align 8
define double @stores_two_zeros_atomically(ptr %place, float %x) {
  store atomic i64 0, ptr %place seq_cst, align 8
  %second = getelementptr i8, ptr %place, i64 4
  store float %x, ptr %place, align 4
  store float %x, ptr %second, align 4
  ret double 0.0
}
