; The bits of a float that are taken of a choice are chosen themselves.
; RUN: %opt -passes='assay-prepare<chosen-parts>' %s | %check %s

; CHECK-LABEL: define float @loaded_or_not(
; CHECK:       end:
; CHECK-NEXT:    [[PART:%.*]] = phi float [ %{{.*}}, %then ], [ %{{.*}}, %else ]
; CHECK:         ret float [[PART]]
define float @loaded_or_not(i1 %c, ptr %p, double %number) {
  br i1 %c, label %then, label %else
then:
  %loaded = load double, ptr %p
  br label %end
else:
  br label %end
end:
  %value = phi double [ %loaded, %then ], [ %number, %else ]
  %bits = bitcast double %value to i64
  %low = trunc i64 %bits to i32
  %float = bitcast i32 %low to float
  ret float %float
}

; CHECK-LABEL: define float @nothing_loaded(
; CHECK:         %float = bitcast i32 %low to float
; CHECK-NEXT:    ret float %float
define float @nothing_loaded(i1 %c, double %one, double %number) {
  br i1 %c, label %then, label %else
then:
  br label %end
else:
  br label %end
end:
  %value = phi double [ %one, %then ], [ %number, %else ]
  %bits = bitcast double %value to i64
  %low = trunc i64 %bits to i32
  %float = bitcast i32 %low to float
  ret float %float
}
