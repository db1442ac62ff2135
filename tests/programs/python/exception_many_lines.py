raise ValueError("first line\nsecond line\n\tthird line with a tab")
