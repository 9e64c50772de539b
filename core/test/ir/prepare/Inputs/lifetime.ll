define void @marked() {
  %p = alloca double
  call void @llvm.lifetime.start.p0(ptr %p)
  ret void
}
