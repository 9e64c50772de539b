define double @jumps(double %x, ptr %to) {
  indirectbr ptr %to, [label %end]
end:
  ret double %x
}
