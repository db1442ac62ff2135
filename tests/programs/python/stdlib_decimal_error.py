from decimal import Decimal

print(Decimal("12,50"))
