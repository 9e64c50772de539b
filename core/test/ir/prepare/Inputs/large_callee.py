# Callees with more instructions than are inlined at several calls, and callers of them.
def callee(name):
    print(f"define double @{name}(ptr %p) {{")
    for index in range(600):
        print(f"  %v{index} = load volatile double, ptr %p")
    print("  ret double %v599\n}")


print("@state = global [2 x double] zeroinitializer")
callee("large")
print("""define double @is_given_the_memory(ptr %p) {
  %y = call double @large(ptr %p)
  ret double %y
}
define double @keeps_the_memory(double %x) {
  store double %x, ptr @state
  %y = call double @large(ptr @state)
  ret double %y
}""")
callee("twice")
print("""define double @calls_twice(ptr %p) {
  %y = call double @twice(ptr %p)
  %z = call double @twice(ptr %p)
  ret double %z
}""")
callee("of_four")
for caller in ["of_many", "of_many_2", "of_many_3", "of_many_4"]:
    print(f"""define double @{caller}(ptr %p) {{
  %y = call double @of_four(ptr %p)
  ret double %y
}}""")
