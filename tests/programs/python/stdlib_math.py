import cmath
import math

print(math.gcd(84, 36), math.lcm(4, 6), math.comb(10, 3), math.factorial(20), math.isqrt(99))
print(f"{math.pi:.5f} {math.sin(1):.5f} {math.hypot(3, 4)} {math.inf > 10**308} {math.isnan(math.nan)}")
print(math.fsum([0.1] * 10), sum([0.1] * 10), cmath.sqrt(-1))
