# A callee with more instructions than are inlined at several calls, and callers of it.
print("""
@state = global [2 x double] zeroinitializer
define double @large(ptr %p) {""")
for index in range(600):
    print(f"  %v{index} = load volatile double, ptr %p")
print("""  ret double %v599
}
define double @makes_the_memory(double %x) {
  %p = alloca [2 x double]
  store double %x, ptr %p
  %y = call double @large(ptr %p)
  ret double %y
}
define double @is_given_the_memory(ptr %p) {
  %y = call double @large(ptr %p)
  ret double %y
}
define double @keeps_the_memory(double %x) {
  store double %x, ptr @state
  %y = call double @large(ptr @state)
  ret double %y
}""")
