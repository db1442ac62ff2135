total = 3 × 4
