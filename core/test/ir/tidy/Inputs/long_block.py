# A derivative of one block: %early, so many operations on another value, and a sum of both.
import sys

count = int(sys.argv[1])
print('define double @f(double %x, double %y) "assay-derivative" {')
print("  %early = fadd double %x, 1.0\n  %near = fmul double %early, %x\n  %v0 = fmul double %near, %y")
for number in range(1, count + 1):
    print(f"  %v{number} = fmul double %v{number - 1}, %y")
print(f"  %sum = fadd double %early, %v{count}\n  ret double %sum\n}}")
