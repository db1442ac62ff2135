expression = "price * (1 + rate"
print(eval(expression, {"price": 10, "rate": 0.2}))
