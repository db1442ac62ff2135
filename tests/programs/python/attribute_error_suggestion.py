text = "hello world"
print(text.upcase())
