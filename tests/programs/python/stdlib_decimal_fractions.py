from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction

print(Decimal("0.1") + Decimal("0.2"), Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_UP))
getcontext().prec = 50
print(Decimal(2).sqrt())
print(Fraction(1, 3) + Fraction(1, 6), Fraction("0.125"), Fraction(3.5).limit_denominator())
