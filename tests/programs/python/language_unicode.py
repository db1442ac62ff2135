text = "naïve café — 日本語 👩‍👩‍👧"
print(len(text), text.upper(), text.encode("utf-8")[:8], text[::-1][:3] == text[-1:-4:-1])
print("ß".casefold() == "SS".casefold(), "é" == "e\u0301", "\N{GREEK SMALL LETTER ALPHA}", "x".zfill(3), "Ⅷ".isnumeric())
b"\xff\xfe".decode("utf-8")
