# A large derivative, which callers of the given convention call: as many as the second argument says.
import sys

convention, callers = sys.argv[1], int(sys.argv[2])
print('target triple = "nvptx64-nvidia-cuda"')
print('define internal void @diffe.f(ptr %x, double %y) "assay-derivative" {')
print("  %v0 = load double, ptr %x")
for number in range(1, 501):
    print(f"  %v{number} = fmul double %v{number - 1}, %y")
print("  store double %v500, ptr %x\n  ret void\n}")
for number in range(callers):
    print(f"define {convention} void @caller{number}(ptr %x, double %y) {{")
    print("  call void @diffe.f(ptr %x, double %y)\n  ret void\n}")
